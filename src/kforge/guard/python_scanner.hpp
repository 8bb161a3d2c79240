// Tells Python code from comments, docstrings and string literals, in the grammar of Python 3.12 and later
// (whose f-strings may nest quotes), which reads all valid older text the same way. Not a parser.
#pragma once

#include "kforge/guard/source_view.hpp"

namespace kforge {

// Appends to `code`, `python` and `kernels` of `views` what CandidateViews says of them.
void scan_python(const SourceView& source, CandidateViews& views);

}  // namespace kforge
