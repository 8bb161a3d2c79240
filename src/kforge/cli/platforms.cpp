#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/table.hpp"
#include "kforge/util/interrupt.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

nlohmann::json to_json(const Platform& platform, const Detection& detection) {
    return {{"name", platform.name},
            {"title", platform.title},
            {"vendor", platform.vendor},
            {"dialect", platform.dialect},
            {"device", platform.device},
            {"profilers", platform.profilers},
            {"folder", platform.folder.string()},
            {"usable", detection.usable},
            {"found", detection.found},
            {"missing", detection.missing}};
}

ExitCode show_platform(Invocation& invocation, const std::string& name) {
    const Platform platform = named_platform(invocation, name);
    const Detection detection = detect(platform);
    if (invocation.json()) {
        nlohmann::json result = to_json(platform, detection);
        result["guide"] = platform.guide;
        result["guard"] = kforge::to_json(platform.guard);
        invocation.terminal().print_json(result);
        return ExitCode::ok;
    }
    std::vector<std::vector<std::string>> rows = {
        {"vendor", platform.vendor},          {"dialect", platform.dialect},
        {"device", platform.device},          {"profilers", join(platform.profilers, ", ")},
        {"folder", platform.folder.string()}, {"usable", detection.usable ? "yes" : "no"}};
    for (const std::string& line : detection.found) rows.push_back({"found", line});
    if (!detection.usable) rows.push_back({"missing", detection.missing});
    for (const GuardRule& rule : platform.guard)
        rows.push_back({rule.required ? "required" : "banned", fmt::format("{}: {}", rule.name, rule.why)});
    invocation.terminal().print(fmt::format("{}: {}\n\n{}\n{}\n", platform.name, platform.title,
                                            render_table({{""}, {""}}, rows), trim(platform.guide)));
    return ExitCode::ok;
}

ExitCode list_platforms(Invocation& invocation) {
    nlohmann::json rows = nlohmann::json::array();
    std::vector<std::vector<std::string>> cells;
    for (const Platform& platform : all_platforms(invocation)) {
        const Detection detection = detect(platform);
        if (interrupted()) give_up(interrupted_error());
        rows.push_back(to_json(platform, detection));
        cells.push_back({platform.name, platform.title, detection.usable ? "yes" : "no",
                         detection.usable ? join(detection.found, "; ") : detection.missing});
    }
    Terminal& terminal = invocation.terminal();
    if (invocation.json())
        terminal.print_json({{"platforms", rows}});
    else
        terminal.print(render_table({{"platform"}, {"what it is"}, {"usable"}, {"found or missing"}}, cells,
                                    terminal.width()));
    return ExitCode::ok;
}

}  // namespace

ExitCode platforms_command(Invocation& invocation) {
    const std::optional<std::string> name = invocation.shown_name();
    return name ? show_platform(invocation, *name) : list_platforms(invocation);
}

}  // namespace kforge
