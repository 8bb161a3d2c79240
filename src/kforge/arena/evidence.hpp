// Trims what compilers and Python print to what a person, or an LLM, needs to mend a candidate. Pure
// functions: the same text always gives the same evidence, at most about 4 KB; files are named without
// folders.
#pragma once

#include <string>
#include <string_view>

namespace kforge {

// The first errors with their source lines, repeated messages once, the rest as a count. `source` is the
// candidate: where a quoted line is found in it exactly once, its line there is named. Understands gcc,
// clang, nvcc, NVRTC, ptxas, linkers, ninja's noise and Triton's CompilationError. Without an error it is the
// end of the text.
std::string compiler_evidence(std::string_view raw, std::string_view source);

// The frames in the candidate's own code and the exception, for each exception of a chain. Understands
// SyntaxError and the dump of faulthandler.
std::string traceback_evidence(std::string_view raw);

// Whether a compiler or linker of kernels speaks here, be it inside a traceback.
bool looks_like_compiler_output(std::string_view raw);

}  // namespace kforge
