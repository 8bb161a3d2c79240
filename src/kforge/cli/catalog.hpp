// What a user can name, loaded from where this invocation finds it.
#pragma once

#include <string>
#include <vector>

#include "kforge/cli/invocation.hpp"
#include "kforge/llm/registry.hpp"
#include "kforge/platform/platform.hpp"

namespace kforge {

// The built-in LLMs with those of the configuration files. Throws Fatal when a table is wrong.
LlmRegistry load_llms(Invocation& invocation);

// Throw Fatal when a folder is broken or the name is unknown.
std::vector<Platform> all_platforms(Invocation& invocation);
Platform named_platform(Invocation& invocation, const std::string& name);

}  // namespace kforge
