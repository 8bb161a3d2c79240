#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <thread>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/problem_files.hpp"
#include "kforge/cli/setup.hpp"
#include "kforge/cli/table.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// A trusted process that compiles keeps some four processors busy.
constexpr size_t k_processors_each = 4;
constexpr size_t k_most_jobs = 6;

constexpr const char* k_failed = "failed";  // the referee, not the problem

size_t jobs_of(const Invocation& invocation) {
    const std::optional<std::string> given = invocation.value("jobs");
    if (!given)
        return std::clamp<size_t>(std::thread::hardware_concurrency() / k_processors_each, 1, k_most_jobs);
    size_t jobs = 0;
    const auto [end, failure] = std::from_chars(given->data(), given->data() + given->size(), jobs);
    if (failure != std::errc() || end != given->data() + given->size() || jobs == 0)
        throw Fatal(ExitCode::usage, fmt::format("--jobs {}: a number from 1 on is needed", *given));
    return jobs;
}

struct Vetted {
    std::string name;
    std::unique_ptr<Arena> arena;
    Result<VetReport> report = VetReport{};
    std::optional<BaselineTimes> times;
    std::string untimed;  // why there are no times
};

bool can_be_timed(const Vetted& problem) {
    return problem.report.ok() && problem.report->state != "broken" && problem.untimed.empty();
}

// Several problems at once; their baselines begin one after the other, because inputs pass through one place.
void vet_side_by_side(std::vector<Vetted>& problems, bool timed) {
    std::vector<std::jthread> threads;
    for (Vetted& problem : problems)
        threads.emplace_back([&problem] { problem.report = problem.arena->vet(); });
    threads.clear();  // joins
    for (Vetted& problem : problems) {
        if (!timed || !can_be_timed(problem)) continue;
        if (const Result<void> begun = problem.arena->prepare(); !begun.ok())
            problem.untimed = begun.error().message;
    }
}

// One at a time, once all have been compiled: nothing else runs beside what is timed.
void time_one_by_one(Invocation& invocation, std::vector<Vetted>& problems) {
    for (Vetted& problem : problems) {
        if (!can_be_timed(problem)) continue;
        if (const Result<void> settled = problem.arena->settle(); !settled.ok())
            problem.untimed = settled.error().message;
    }
    for (Vetted& problem : problems) {
        if (!can_be_timed(problem)) continue;
        invocation.terminal().on_phase(0, 0, fmt::format("timing {}", problem.name));
        Result<BaselineTimes> times = problem.arena->time_baselines();
        if (times.ok())
            problem.times = std::move(*times);
        else if (times.error().kind == ErrorKind::cancelled)
            give_up(times.error());
        else
            problem.untimed = times.error().message;
        problem.arena.reset();  // gives its memory back
    }
}

nlohmann::json to_json(const Vetted& problem, bool timed) {
    nlohmann::json result = {{"problem", problem.name},
                             {"state", problem.report->state},
                             {"reason", problem.report->reason},
                             {"evidence", problem.report->evidence}};
    if (!timed) return result;
    result["baselines"] = nlohmann::json::array();
    result["notes"] = nlohmann::json::array();
    if (!problem.untimed.empty()) result["notes"].push_back(problem.untimed);
    if (!problem.times) return result;
    for (const BaselineTimes::Side& side : problem.times->sides)
        result["baselines"].push_back({{"name", side.name},
                                       {"ms", side.ms.value},
                                       {"low", side.ms.low},
                                       {"high", side.ms.high},
                                       {"samples_ms", side.samples_ms}});
    for (const std::string& note : problem.times->notes) result["notes"].push_back(note);
    result["overhead_ms"] = problem.times->overhead_ms;
    result["device"] = problem.times->device;
    return result;
}

std::vector<std::string> row_of(const Vetted& problem, const std::vector<std::string>& sides) {
    std::vector<std::string> row = {problem.name, problem.report->state};
    for (const std::string& name : sides) {
        std::string cell = "-";
        if (problem.times)
            for (const BaselineTimes::Side& side : problem.times->sides)
                if (side.name == name)
                    cell = fmt::format("{:.4g} [{:.4g}, {:.4g}]", side.ms.value, side.ms.low, side.ms.high);
        row.push_back(cell);
    }
    std::string why = problem.report->evidence;
    if (problem.report->state == k_failed)
        why.resize(std::min(why.size(), why.find('\n')));  // a trace is no cell
    if (!problem.untimed.empty()) why += (why.empty() ? "" : " ") + problem.untimed;
    if (problem.times)
        for (const std::string& note : problem.times->notes) why += (why.empty() ? "" : " ") + note;
    row.push_back(why);
    return row;
}

// In company there is less memory for each: what failed there is tried once more alone.
bool lacks_something(const Vetted& problem, const std::vector<std::string>& sides) {
    return !problem.times || problem.times->sides.size() < sides.size();
}

// One problem may bring the referee down: that says nothing of the others.
ExitCode fail_alone(Vetted& problem) {
    const Error error = problem.report.error();
    const ExitCode code = exit_code_for(error.kind);
    if (code != ExitCode::internal && error.kind != ErrorKind::process) give_up(error);
    const char* whose = code == ExitCode::internal ? "\n(this is a bug in KForge: please report it)" : "";
    problem.report = VetReport{k_failed, "referee", std::string(trim(error.message)) + whose};
    return code;
}

std::vector<std::string> sides_of(const RunConfig& config) {
    std::vector<std::string> sides = config.baselines;
    if (config.policies.precision == Precision::mixed)
        for (const std::string& side : config.baselines) sides.push_back("half_" + side);
    return sides;
}

}  // namespace

ExitCode vet_command(Invocation& invocation) {
    RunConfig config = invocation.config();
    const Platform platform = named_platform(invocation, config.platform);
    const bool timed = invocation.flag("time");
    if (!timed) config.baselines.clear();
    const size_t jobs = timed ? jobs_of(invocation) : 1;
    std::vector<fs::path> paths;
    for (const std::string& name : invocation.positionals("PROBLEM"))
        for (const fs::path& path : require(resolve_problems(invocation.data().problem_roots, name)))
            paths.push_back(path);
    const std::vector<std::string> sides = timed ? sides_of(config) : std::vector<std::string>();
    nlohmann::json results = nlohmann::json::array();
    std::vector<std::vector<std::string>> rows;
    Terminal& terminal = invocation.terminal();
    ExitCode code = ExitCode::ok;
    const auto examine = [&](std::vector<fs::path>::const_iterator first,
                             std::vector<fs::path>::const_iterator last) {
        std::vector<Vetted> batch;
        std::string names;
        for (; first != last; ++first) {
            const ProblemText problem = read_problem(invocation, config, first->string());
            Vetted& vetted = batch.emplace_back();
            vetted.name = problem.name;
            vetted.arena = open_arena(invocation, config, platform, problem);
            if (timed && !vetted.arena->has_device())
                throw Fatal(ExitCode::environment,
                            fmt::format("the device of {} is not on this machine: nothing can be timed",
                                        platform.name));
            names += (names.empty() ? "" : ", ") + problem.name;
        }
        terminal.on_phase(0, 0, fmt::format("vetting {}", names));
        vet_side_by_side(batch, timed);
        if (timed) time_one_by_one(invocation, batch);
        for (Vetted& problem : batch) problem.arena.reset();
        return batch;
    };
    for (auto next = paths.cbegin(); next != paths.cend();) {
        const auto end =
            next + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(jobs), paths.cend() - next);
        std::vector<Vetted> batch = examine(next, end);
        for (Vetted& problem : batch) {
            const auto path = next++;
            if (batch.size() > 1 && timed && lacks_something(problem, sides))
                problem = std::move(examine(path, path + 1).front());
            if (!problem.report.ok()) {
                code = fail_alone(problem);
                terminal.on_note(problem.report->evidence);
            } else if (problem.report->state != "ok" && code == ExitCode::ok) {
                code = ExitCode::not_found;
            }
            rows.push_back(row_of(problem, sides));
            results.push_back(to_json(problem, timed));
            if (timed) terminal.on_note(fmt::format("{}", fmt::join(rows.back(), "  ")));
        }
    }
    terminal.stop_progress();
    std::vector<Column> columns = {{"problem"}, {"state"}};
    for (const std::string& side : sides) columns.push_back({side + " ms"});
    columns.push_back({"why"});
    if (invocation.json())
        terminal.print_json({{"problems", results}});
    else
        terminal.print(render_table(columns, rows, terminal.width()));
    return code;
}

}  // namespace kforge
