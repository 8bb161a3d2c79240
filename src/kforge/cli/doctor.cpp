#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/health.hpp"
#include "kforge/cli/invocation.hpp"
#include "kforge/cli/setup.hpp"
#include "kforge/cli/table.hpp"
#include "kforge/util/interrupt.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

std::string_view to_string(Health health) {
    switch (health) {
        case Health::ok:
            return "ok";
        case Health::weak:
            return "weak";
        case Health::missing:
            break;
    }
    return "missing";
}

std::string painted(Health health, Look look) {
    const std::string text(to_string(health));
    if (!look.color) return text;
    const int color = health == Health::ok ? 32 : health == Health::weak ? 33 : 31;
    return fmt::format("\x1b[{}m{}\x1b[0m", color, text);
}

// The platform, and where its device is absent the checks that can be done without it.
std::vector<Check> platform_checks(Invocation& invocation, bool& device) {
    const Platform platform = named_platform(invocation, invocation.config().platform);
    const fs::path python = probing_python(invocation, invocation.config());
    const Detection detection = detect(platform, python);
    device = detection.usable;
    std::string found = platform.title;
    for (const Found& item : detection.found)
        if (!item.what.empty()) found += fmt::format("; {}: {}", item.what, item.text);
    if (detection.usable) return {{platform.name, Health::ok, found, ""}};
    std::vector<Check> checks = {{platform.name, Health::missing, detection.missing, detection.hint}};
    for (const CheckState& state : detect_checks(platform, python)) {
        if (state.available) {
            checks.front().health = Health::weak;
            checks.push_back(
                {state.check->name, Health::ok,
                 fmt::format("possible without the device{}{}", state.check->targets.empty() ? "" : ", for ",
                             join(state.check->targets, ", ")),
                 ""});
        } else {
            checks.push_back({state.check->name, Health::weak, state.missing, state.check->hint});
        }
    }
    return checks;
}

}  // namespace

ExitCode doctor_command(Invocation& invocation) {
    Terminal& terminal = invocation.terminal();
    terminal.on_phase(0, 0, "checking this machine");
    const DoctorInput input{
        invocation.environment(), invocation.directory(), invocation.data().cache,
        find_python(invocation.environment(), invocation.config().python, executable_path())};
    std::vector<Check> checks = check_machine(input);
    bool device = false;
    for (Check& check : platform_checks(invocation, device)) checks.push_back(std::move(check));
    terminal.stop_progress();
    if (interrupted()) give_up(interrupted_error());

    const bool healthy = is_healthy(checks);
    nlohmann::json rows = nlohmann::json::array();
    std::vector<std::vector<std::string>> cells;
    for (const Check& check : checks) {
        rows.push_back({{"name", check.name},
                        {"health", to_string(check.health)},
                        {"detail", check.detail},
                        {"mend", check.mend}});
        cells.push_back({painted(check.health, terminal.look()), check.name, check.detail});
        if (!check.mend.empty()) cells.push_back({"", "", "mend: " + check.mend});
    }
    if (invocation.json())
        terminal.print_json({{"healthy", healthy}, {"device", device}, {"checks", rows}});
    else
        terminal.print(render_table({{""}, {""}, {""}}, cells) +
                       (healthy && device ? "\nKForge can evaluate candidates here.\n"
                        : healthy
                            ? "\nKForge can check candidates here, and evaluate them where the device is.\n"
                            : "\nWhat is missing must be mended before KForge can evaluate candidates.\n"));
    return healthy ? ExitCode::ok : ExitCode::environment;
}

}  // namespace kforge
