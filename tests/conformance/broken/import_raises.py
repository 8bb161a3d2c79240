# expect: compilation_failure import
# evidence: ZeroDivisionError
x = 1 / 0
