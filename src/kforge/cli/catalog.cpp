#include "kforge/cli/catalog.hpp"

#include <fmt/format.h>

#include "kforge/net/certificates.hpp"
#include "kforge/util/process.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// pip has a copy of its own, which is as good. Isolated: a file certifi.py in the working directory is not
// it.
constexpr const char* k_certifi_program =
    "try:\n import certifi\nexcept ImportError:\n from pip._vendor import certifi\nprint(certifi.where())";

Result<fs::path> certifi_of(const Result<PythonChoice>& python) {
    if (!python.ok()) return python.error();
    ProcessSpec spec;
    spec.argv = {python->program.string(), "-I", "-c", k_certifi_program};
    spec.environment = inherit_environment({"PATH", "HOME", "LANG", "LC_*", "VIRTUAL_ENV"});
    TRY_ASSIGN(const ProcessOutcome ended, run_process(spec));
    if (ended.timed_out || !ended.status.success())
        return Error{ErrorKind::environment, fmt::format("{} has no certifi: {} -m pip install certifi",
                                                         python->program.string(), python->program.string())};
    return fs::path(std::string(trim(ended.out)));
}

}  // namespace

LlmRegistry load_llms(Invocation& invocation) {
    set_last_certificates([&invocation] {
        return certifi_of(
            find_python(invocation.environment(), invocation.config().python, executable_path()));
    });
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
