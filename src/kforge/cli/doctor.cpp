#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/health.hpp"
#include "kforge/cli/invocation.hpp"
#include "kforge/cli/setup.hpp"
#include "kforge/cli/table.hpp"
#include "kforge/jail/jail.hpp"
#include "kforge/net/certificates.hpp"
#include "kforge/net/http.hpp"
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

std::vector<Check> extra_checks(const Platform& platform, const fs::path& python) {
    std::vector<Check> checks;
    for (const Extra& extra : detect_extras(platform, python))
        checks.push_back(
            {extra.what, extra.found ? Health::ok : Health::weak, extra.text, extra.found ? "" : extra.hint});
    return checks;
}

// The platform, and where its device is absent the checks that can be done without it.
std::vector<Check> platform_checks(Invocation& invocation, bool& device) {
    const Platform platform = named_platform(invocation, invocation.config().platform);
    const fs::path python = probing_python(invocation, invocation.config());
    const Detection detection = invocation.detections().device(platform, python);
    device = detection.usable;
    std::string found = platform.title;
    for (const Found& item : detection.found)
        if (!item.what.empty()) found += fmt::format("; {}: {}", item.what, item.text);
    std::vector<Check> checks = {{platform.name, Health::ok, found, ""}};
    if (!detection.usable)
        checks.front() = {platform.name, Health::missing, detection.missing, detection.hint};
    for (Check& check : extra_checks(platform, python)) checks.push_back(std::move(check));
    if (detection.usable) return checks;
    for (const CheckState& state : invocation.detections().checks(platform, python)) {
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

// What a player on this machine would be kept from, seen by letting one enter the jail.
std::vector<Check> jail_checks(Invocation& invocation, const Result<PythonChoice>& python) {
    if (!python.ok()) return {};
    const Result<fs::path> library = find_jail_library(executable_path());
    const Result<JailReport> report =
        library.ok() ? probe_jail(*library, python->program, invocation.data().python) : library.error();
    if (!report.ok())
        return {{"jail", Health::weak, report.error().message, "build KForge again: make build"}};
    if (report->broken.empty())
        return {
            {"jail", Health::ok, fmt::format("all promises kept ({} layers)", report->layers.size()), ""}};
    std::vector<Check> checks;
    for (const BrokenPromise& broken : report->broken)
        checks.push_back({"jail", Health::weak,
                          fmt::format("not promised here: {} ({})", broken.promise, broken.why), ""});
    checks.back().mend = "docs/arena.md tells what each layer needs; --jail require refuses to run without";
    return checks;
}

// What LLMs behind a server are asked with: evaluations do without.
std::vector<Check> network_checks() {
    std::vector<Check> checks;
    if (const Result<std::string> library = http_library(); library.ok())
        checks.push_back({"HTTP", Health::ok, *library, ""});
    else
        checks.push_back({"HTTP", Health::weak, library.error().message, "sudo apt-get install libcurl4"});
    if (const Result<fs::path> trusted = trusted_certificates({}); trusted.ok())
        checks.push_back({"certificates", Health::ok, trusted->string(), ""});
    else
        checks.push_back(
            {"certificates", Health::weak, trusted.error().message, "sudo apt-get install ca-certificates"});
    return checks;
}

// Evaluations need no key: a missing one is only a weakness, and only when these settings name its LLM.
Check key_check(Invocation& invocation) {
    const LlmRegistry registry = load_llms(invocation);
    std::vector<std::string> present;
    std::vector<std::string> absent;
    for (const Llm& llm : registry.entries()) {
        if (llm.key_variable.empty()) continue;
        std::vector<std::string>& list = key_state(llm).present ? present : absent;
        if (std::find(list.begin(), list.end(), llm.key_variable) == list.end())
            list.push_back(llm.key_variable);
    }
    std::string detail = present.empty() ? "none is set" : "set: " + join(present, ", ");
    if (!absent.empty()) detail += "; not set: " + join(absent, ", ");
    for (const std::string& name : {invocation.config().llm, invocation.config().analysis_llm}) {
        if (name.empty()) continue;
        const Result<Llm> llm = registry.find(name);
        if (!llm.ok()) return {"LLM keys", Health::weak, llm.error().message, "name another LLM"};
        if (!key_state(*llm).present)
            return {"LLM keys", Health::weak, detail,
                    fmt::format("set {} before a run with {}", llm.value().key_variable, name)};
    }
    return {"LLM keys", Health::ok, detail, ""};
}

}  // namespace

ExitCode doctor_command(Invocation& invocation) {
    Terminal& terminal = invocation.terminal();
    terminal.on_phase(0, 0, "checking this machine");
    const DoctorInput input{
        invocation.environment(), invocation.directory(), invocation.data().cache,
        find_python(invocation.environment(), invocation.config().python, executable_path())};
    std::vector<Check> checks = check_machine(input);
    for (const Check& check : jail_checks(invocation, input.python)) checks.push_back(check);
    bool device = false;
    for (Check& check : platform_checks(invocation, device)) checks.push_back(std::move(check));
    // The LLMs come first: with them comes what knows certificates of last resort.
    Check keys = key_check(invocation);
    for (Check& check : network_checks()) checks.push_back(std::move(check));
    checks.push_back(std::move(keys));
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
