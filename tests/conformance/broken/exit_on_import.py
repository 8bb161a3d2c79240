# expect: runtime_error crash
import os

os._exit(0)
