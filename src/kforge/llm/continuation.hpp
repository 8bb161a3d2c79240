// An answer in two parts as one text. Pure.
#pragma once

#include <string>
#include <string_view>

namespace kforge {

// LLMs that are asked to go on begin with a few characters, a line or an opening fence that is there already:
// what both parts share is kept once.
std::string join_continuation(std::string_view first, std::string_view second);

}  // namespace kforge
