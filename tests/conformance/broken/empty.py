# expect: compilation_failure import
