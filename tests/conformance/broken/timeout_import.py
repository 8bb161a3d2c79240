# expect: runtime_error timeout
# options: --call-limit-s 1 --time-limit-s 4
# evidence: importing
import time

time.sleep(3600)
