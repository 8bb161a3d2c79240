#include "kforge/cli/setup.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/problem_files.hpp"
#include "kforge/forge/campaign_config.hpp"
#include "kforge/jail/jail.hpp"
#include "kforge/util/process.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// KernelBench problems carry their sizes as module-level constants; rewriting them needs Python's own parser.
std::string override_constants(Invocation& invocation, const RunConfig& config, const std::string& name,
                               const std::string& source) {
    nlohmann::json settings = nlohmann::json::object();
    for (const std::string& item : config.set) {
        const size_t equals = item.find('=');
        settings[item.substr(0, equals)] = item.substr(equals + 1);
    }
    ProcessSpec spec;
    spec.argv = {
        require(find_python(invocation.environment(), config.python, executable_path())).program.string(),
        (invocation.data().python / "kforge_arena/constants.py").string()};
    spec.environment = inherit_environment({"PATH", "HOME", "LD_LIBRARY_PATH"});
    spec.input = nlohmann::json{{"source", source}, {"settings", settings}, {"name", name}}.dump(
        -1, ' ', false, nlohmann::json::error_handler_t::replace);
    const ProcessOutcome outcome = require(run_process(spec));
    if (!outcome.status.success()) throw Fatal(ExitCode::usage, std::string(trim(outcome.err)));
    return outcome.out;
}

std::string short_name(Invocation& invocation, const fs::path& path) {
    for (const fs::path& root : invocation.data().problem_roots) {
        const fs::path relative = path.lexically_relative(root);
        if (!relative.empty() && *relative.begin() != "..")
            return fs::path(relative).replace_extension().string();
    }
    return path.string();
}

void choose_jail(Invocation& invocation, const RunConfig& config, ArenaSpec& spec) {
    spec.jail = config.jail;
    spec.hidden = invocation.data().problem_roots;
    spec.hidden.push_back(invocation.data().recordings);
    // A search path of the user's may lead to where these lie.
    spec.hidden.push_back(spec.problem_name);
    spec.hidden.push_back(config.out.empty() ? "runs" : config.out);
    if (config.jail == "off") return;
    const Result<fs::path> library = find_jail_library(executable_path());
    if (library.ok()) spec.jail_library = *library;
    if (config.jail != "require") return;
    if (!library.ok()) give_up(library.error());
    const JailReport report = require(probe_jail(*library, spec.python, spec.python_path));
    if (report.broken.empty()) return;
    std::string message = "the jail is required, but on this machine it cannot promise that:";
    for (const BrokenPromise& broken : report.broken)
        message += fmt::format("\n  {} ({})", broken.promise, broken.why);
    throw Fatal(ExitCode::environment, message);
}

}  // namespace

ProblemText read_problem(Invocation& invocation, const RunConfig& config, const std::string& name) {
    if (name.empty())
        throw Fatal(ExitCode::usage,
                    "no problem is named: give a file or a name that 'kforge problems' lists");
    const fs::path path = require(resolve_problem(invocation.data().problem_roots, name));
    ProblemText problem;
    problem.name = short_name(invocation, path);
    const Result<std::string> source = read_file(path);
    if (!source.ok()) throw Fatal(ExitCode::usage, source.error().message);
    if (sanitize(*source).find("\xEF\xBF\xBD") != std::string::npos)
        throw Fatal(ExitCode::usage, fmt::format("{} is not a text file in UTF-8", path.string()));
    problem.source =
        config.set.empty() ? *source : override_constants(invocation, config, problem.name, *source);
    return problem;
}

std::shared_ptr<Worker> start_ahead(Invocation& invocation, const RunConfig& config,
                                    const Platform& platform) {
    const auto python = find_python(invocation.environment(), config.python, executable_path());
    if (!python.ok() || !can_evaluate_on(platform).ok()) return nullptr;
    Result<std::shared_ptr<Worker>> nursery = start_nursery(python->program, invocation.data().python);
    return nursery.ok() ? *nursery : nullptr;  // what is wrong is told when the arena is opened
}

std::unique_ptr<Arena> open_arena(Invocation& invocation, const RunConfig& config, const Platform& platform,
                                  const ProblemText& problem, std::shared_ptr<Worker> nursery) {
    ArenaSpec spec;
    spec.python = require(find_python(invocation.environment(), config.python, executable_path())).program;
    spec.python_path = invocation.data().python;
    spec.problem_name = problem.name;
    spec.problem = problem.source;
    spec.policies = config.policies;
    spec.device = platform.device;
    spec.access = platform.access;
    spec.baselines = config.baselines;
    spec.time_limit_s = config.time_limit_s;
    spec.call_limit_s = config.call_limit_s;
    spec.timing_budget_s = config.timing_budget_s;
    spec.memory_limit_mb = static_cast<size_t>(config.memory_limit_mb);
    spec.sanitize = config.sanitize;
    spec.cache = invocation.data().cache;
    spec.seed = config.seed;
    choose_jail(invocation, config, spec);
    if (const auto library = find_own_library(executable_path(), "libkforge_draws.so"); library.ok())
        spec.draws_library = *library;
    std::vector<OfflineCheck> checks;
    std::vector<std::string> notes;
    if (const Detection detection = invocation.detections().device(platform, spec.python); detection.usable) {
        if (detection.peaks != nullptr) spec.device_bytes_per_ms = detection.peaks->memory_gbs * 1e6;
        spec.preload = platform.preload;
        spec.nursery = std::move(nursery);
        return make_arena(std::move(spec));
    }
    for (const CheckState& state : invocation.detections().checks(platform, spec.python)) {
        if (state.available)
            checks.push_back(*state.check);
        else
            notes.push_back(
                fmt::format("{}: not done, {}. {}", state.check->name, state.missing, state.check->hint));
    }
    spec.device = "cpu";
    spec.access.reset();
    spec.baselines.clear();
    return make_offline_arena(std::move(spec), std::move(checks), std::move(notes));
}

std::vector<GuardRule> guard_rules_of(const std::string& toml_text, const std::string& origin) {
    std::vector<std::string> other_keys = campaign_tables();
    for (const Setting& setting : run_settings()) other_keys.push_back(setting.key);
    return require(parse_guard_rules(toml_text, origin, other_keys));
}

std::vector<GuardRule> configured_guard_rules(Invocation& invocation) {
    std::vector<GuardRule> rules;
    for (const ConfigFile& file : invocation.config_files())
        for (GuardRule& rule : guard_rules_of(file.text, file.path.string()))
            rules.push_back(std::move(rule));
    return rules;
}

Guard make_guard(Invocation& invocation, const RunConfig& config, const Platform& platform,
                 const ProblemText& problem, const std::vector<GuardRule>& configured) {
    const fs::path defaults = invocation.data().prompts / "guard.toml";
    std::vector<GuardRule> rules = require(parse_guard_rules(require(read_file(defaults)), "policy"));
    rules.insert(rules.end(), platform.guard.begin(), platform.guard.end());
    rules = require(lift_for_reference(std::move(rules), problem.source));
    rules.insert(rules.end(), configured.begin(), configured.end());
    const auto add = [&](const std::vector<std::string>& patterns, bool required) {
        for (const std::string& pattern : patterns) {
            GuardRule rule;
            rule.name = required ? "require_pattern" : "ban_pattern";
            rule.pattern = pattern;
            rule.required = required;
            rule.why = required ? "The user requires it." : "The user bans it.";
            rule.origin = "user";
            rules.push_back(std::move(rule));
        }
    };
    add(config.require_pattern, true);
    add(config.ban_pattern, false);
    return require(Guard::compile(std::move(rules), config.policies.precision));
}

fs::path probing_python(Invocation& invocation, const RunConfig& config) {
    const auto python = find_python(invocation.environment(), config.python, executable_path());
    return python.ok() ? python->program : fs::path("python3");
}

std::string require_usable(Invocation& invocation, const RunConfig& config, const Platform& platform) {
    const fs::path python = probing_python(invocation, config);
    const Detection detection = invocation.detections().device(platform, python);
    if (detection.usable) return "";
    const std::string here = fmt::format("the platform {} is not usable here: {}. {}", platform.name,
                                         detection.missing, detection.hint);
    std::string nor;
    for (const CheckState& state : invocation.detections().checks(platform, python)) {
        if (state.available) return here;
        nor += fmt::format("\n{}: {}. {}", state.check->name, state.missing, state.check->hint);
    }
    throw Fatal(ExitCode::environment,
                here + (nor.empty() ? "" : "\nNor can candidates be checked without the device:" + nor));
}

}  // namespace kforge
