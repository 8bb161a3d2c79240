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

// Whether an LLM can be asked as far as its key goes; `text` says it in a table.
struct KeyState {
    bool present = false;
    std::string text;
};
KeyState key_state(const Llm& llm);

// Throw Fatal when a folder is broken or the name is unknown.
std::vector<Platform> all_platforms(Invocation& invocation);
Platform named_platform(Invocation& invocation, const std::string& name);

}  // namespace kforge
