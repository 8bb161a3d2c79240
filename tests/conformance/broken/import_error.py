# expect: compilation_failure import
# evidence: no_such_package
import no_such_package
