#include "kforge/jail/jail.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/util/process.hpp"

namespace kforge {

Result<JailReport> parse_jail_report(std::string_view json) {
    try {
        const auto object = nlohmann::json::parse(json);
        JailReport report;
        object.at("layers").get_to(report.layers);
        object.at("notes").get_to(report.notes);
        for (const auto& broken : object.at("broken"))
            report.broken.push_back(
                {broken.at("promise").get<std::string>(), broken.at("why").get<std::string>()});
        return report;
    } catch (const nlohmann::json::exception& e) {
        return Error{ErrorKind::parse,
                     fmt::format("the report of the jail has the wrong form: {}", e.what())};
    }
}

Result<fs::path> find_jail_library(const fs::path& executable) {
    return find_own_library(executable, "libkforge_jail.so");
}

Result<JailReport> probe_jail(const fs::path& library, const fs::path& python, const fs::path& python_path) {
    ProcessSpec spec;
    // The file, not the module: the package brings torch along.
    spec.argv = {python.string(), (python_path / "kforge_arena" / "jail.py").string(), library.string()};
    spec.environment = inherit_environment({"PATH", "HOME", "LANG", "LC_*", "LD_LIBRARY_PATH"});
    TRY_ASSIGN(const ProcessOutcome outcome, run_process(spec));
    if (!outcome.status.success())
        return Error{ErrorKind::environment,
                     fmt::format("the jail cannot be tried: {}\n{}", outcome.status.describe(), outcome.err)};
    return parse_jail_report(outcome.out);
}

}  // namespace kforge
