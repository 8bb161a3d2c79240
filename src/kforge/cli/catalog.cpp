#include "kforge/cli/catalog.hpp"

namespace kforge {

LlmRegistry load_llms(Invocation& invocation) {
    LlmRegistry registry = LlmRegistry::builtin();
    for (const ConfigFile& file : invocation.config_files()) require(registry.extend(file.text, file.path));
    return registry;
}

KeyState key_state(const Llm& llm) {
    if (!llm.key_variable.empty() && environment_has(llm.key_variable)) return {true, "present"};
    if (!llm.key_command.empty()) return {true, "from " + llm.key_command.front()};
    if (llm.key_variable.empty()) return {true, "not needed"};
    return {false, llm.key_variable + " is not set"};
}

std::vector<Platform> all_platforms(Invocation& invocation) {
    return require(load_platforms(invocation.data().platform_roots));
}

Platform named_platform(Invocation& invocation, const std::string& name) {
    return require(find_platform(invocation.data().platform_roots, name));
}

}  // namespace kforge
