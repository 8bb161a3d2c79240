// Which names a piece of Python defines at top level, and which it uses without defining: by patterns, for
// joining blocks of an answer that were one file in the LLM's mind. Not a parser.
#pragma once

#include <string>
#include <vector>

namespace kforge {

// Functions, classes, assignments and imports at top level.
std::vector<std::string> names_defined_by(const std::string& code);

// Whether `code` uses `name` on its own (not as an attribute or keyword) and never defines, imports or takes
// it as a parameter.
bool lacks_name(const std::string& code, const std::string& name);

}  // namespace kforge
