// The LLMs that need no configuration, in the order in which they are listed. Data only.
#pragma once

#include <vector>

#include "kforge/llm/provider.hpp"

namespace kforge {

std::vector<Llm> builtin_llms();

}  // namespace kforge
