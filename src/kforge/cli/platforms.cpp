#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/setup.hpp"
#include "kforge/cli/table.hpp"
#include "kforge/util/interrupt.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// A platform and what was found of it here.
struct Surveyed {
    explicit Surveyed(Invocation& invocation, Platform described)
        : platform(std::move(described)),
          detection(
              invocation.detections().device(platform, probing_python(invocation, invocation.config()))) {
        if (!detection.usable)
            checks =
                invocation.detections().checks(platform, probing_python(invocation, invocation.config()));
    }

    std::vector<std::string> possible_checks() const {
        std::vector<std::string> names;
        for (const CheckState& state : checks)
            if (state.available) names.push_back(state.check->name);
        return names;
    }
    std::string usable() const {
        return detection.usable ? "yes" : possible_checks().empty() ? "no" : "checks only";
    }

    Platform platform;
    Detection detection;
    std::vector<CheckState> checks;
};

nlohmann::json to_json(const DevicePeaks& peaks) {
    return {{"memory_gbs", peaks.memory_gbs},
            {"memory_gb", peaks.memory_gb},
            {"l2_mb", peaks.l2_mb},
            {"compute_units", peaks.compute_units},
            {"shared_kb", peaks.shared_kb},
            {"tflops", peaks.tflops},
            {"facts", peaks.facts}};
}

nlohmann::json to_json(const Surveyed& surveyed) {
    const Platform& platform = surveyed.platform;
    const Detection& detection = surveyed.detection;
    nlohmann::json found = nlohmann::json::array();
    for (const Found& item : detection.found) found.push_back({{"what", item.what}, {"text", item.text}});
    nlohmann::json checks = nlohmann::json::array();
    for (const CheckState& state : surveyed.checks)
        checks.push_back({{"name", state.check->name},
                          {"reason", state.check->reason},
                          {"targets", state.check->targets},
                          {"available", state.available},
                          {"missing", state.missing},
                          {"hint", state.available ? "" : state.check->hint}});
    return {{"name", platform.name},
            {"title", platform.title},
            {"vendor", platform.vendor},
            {"dialect", platform.dialect},
            {"device", platform.device},
            {"profilers", platform.profilers},
            {"folder", platform.folder.string()},
            {"usable", detection.usable},
            {"found", found},
            {"missing", detection.missing},
            {"hint", detection.hint},
            {"peaks", detection.peaks ? to_json(*detection.peaks) : nlohmann::json()},
            {"checks", checks}};
}

ExitCode show_platform(Invocation& invocation, const std::string& name) {
    const Surveyed surveyed(invocation, named_platform(invocation, name));
    const Platform& platform = surveyed.platform;
    const Detection& detection = surveyed.detection;
    if (invocation.json()) {
        nlohmann::json result = to_json(surveyed);
        result["guide"] = platform.guide;
        result["guard"] = kforge::to_json(platform.guard);
        invocation.terminal().print_json(result);
        return ExitCode::ok;
    }
    std::vector<std::vector<std::string>> rows = {
        {"vendor", platform.vendor},          {"dialect", platform.dialect},
        {"device", platform.device},          {"profilers", join(platform.profilers, ", ")},
        {"folder", platform.folder.string()}, {"usable", surveyed.usable()}};
    for (const Found& item : detection.found) rows.push_back({"found", to_text(item)});
    if (detection.peaks) rows.push_back({"peaks", to_text(*detection.peaks)});
    if (!detection.usable) {
        rows.push_back({"missing", detection.missing});
        rows.push_back({"mend", detection.hint});
    }
    for (const CheckState& state : surveyed.checks)
        rows.push_back(
            {state.available ? "check" : "no check",
             fmt::format("{} ({}{}{}){}", state.check->name, state.check->reason,
                         state.check->targets.empty() ? "" : " for ", join(state.check->targets, ", "),
                         state.available ? "" : fmt::format(": {}. {}", state.missing, state.check->hint))});
    for (const GuardRule& rule : platform.guard)
        rows.push_back({rule.required ? "required" : "banned", fmt::format("{}: {}", rule.name, rule.why)});
    invocation.terminal().print(fmt::format("{}: {}\n\n{}\n{}\n", platform.name, platform.title,
                                            render_table({{""}, {""}}, rows), trim(platform.guide)));
    return ExitCode::ok;
}

std::string summary(const Surveyed& surveyed) {
    const Detection& detection = surveyed.detection;
    if (detection.usable) {
        std::vector<std::string> parts;
        for (const Found& item : detection.found) parts.push_back(to_text(item));
        return join(parts, "; ");
    }
    const std::vector<std::string> checks = surveyed.possible_checks();
    return (checks.empty() ? "" : fmt::format("by {}. ", join(checks, ", "))) +
           fmt::format("Missing: {}", detection.missing);
}

ExitCode list_platforms(Invocation& invocation) {
    nlohmann::json rows = nlohmann::json::array();
    std::vector<std::vector<std::string>> cells;
    for (Platform& platform : all_platforms(invocation)) {
        const Surveyed surveyed(invocation, std::move(platform));
        if (interrupted()) give_up(interrupted_error());
        rows.push_back(to_json(surveyed));
        cells.push_back(
            {surveyed.platform.name, surveyed.platform.title, surveyed.usable(), summary(surveyed)});
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
