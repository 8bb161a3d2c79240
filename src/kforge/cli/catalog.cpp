#include "kforge/cli/catalog.hpp"

namespace kforge {

LlmRegistry load_llms(Invocation& invocation) {
    LlmRegistry registry = LlmRegistry::builtin();
    for (const ConfigFile& file : invocation.config_files()) require(registry.extend(file.text, file.path));
    return registry;
}

std::vector<Platform> all_platforms(Invocation& invocation) {
    return require(load_platforms(invocation.data().platform_roots));
}

Platform named_platform(Invocation& invocation, const std::string& name) {
    return require(find_platform(invocation.data().platform_roots, name));
}

}  // namespace kforge
