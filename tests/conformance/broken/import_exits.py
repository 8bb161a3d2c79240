# expect: compilation_failure import
import sys

sys.exit(0)
