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

namespace kforge {
namespace {

// A trusted process that compiles keeps some four processors busy.
constexpr size_t k_processors_each = 4;
constexpr size_t k_most_jobs = 6;

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

// Vets, and begins to make the baselines: several problems do that side by side.
void vet_side_by_side(std::vector<Vetted>& problems, bool to_be_timed) {
    std::vector<std::jthread> threads;
    for (Vetted& problem : problems)
        threads.emplace_back([&problem, to_be_timed] {
            problem.report = problem.arena->vet();
            if (!to_be_timed || !problem.report.ok() || problem.report->state == "broken") return;
            if (const Result<void> begun = problem.arena->prepare(); !begun.ok())
                problem.untimed = begun.error().message;
        });
}

// One at a time, once all have been compiled: nothing else runs beside what is timed.
void time_one_by_one(Invocation& invocation, std::vector<Vetted>& problems) {
    for (Vetted& problem : problems) {
        if (!problem.report.ok() || problem.report->state == "broken" || !problem.untimed.empty()) continue;
        if (const Result<void> settled = problem.arena->settle(); !settled.ok())
            problem.untimed = settled.error().message;
    }
    for (Vetted& problem : problems) {
        if (!problem.report.ok() || problem.report->state == "broken" || !problem.untimed.empty()) continue;
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
    if (!problem.untimed.empty()) why += (why.empty() ? "" : " ") + problem.untimed;
    if (problem.times)
        for (const std::string& note : problem.times->notes) why += (why.empty() ? "" : " ") + note;
    row.push_back(why);
    return row;
}

std::vector<std::string> sides_of(const RunConfig& config) {
    std::vector<std::string> sides = config.baselines;
    if (config.policies.precision == Precision::mixed)
        for (const std::string& side : config.baselines) sides.push_back("half_" + side);
    return sides;
}

}  // namespace

ExitCode vet_command(Invocation& invocation) {
    const RunConfig& config = invocation.config();
    const Platform platform = named_platform(invocation, config.platform);
    const bool timed = invocation.flag("time");
    const size_t jobs = timed ? jobs_of(invocation) : 1;
    std::vector<fs::path> paths;
    for (const std::string& name : invocation.positionals("PROBLEM"))
        for (const fs::path& path : require(resolve_problems(invocation.data().problem_roots, name)))
            paths.push_back(path);
    const std::vector<std::string> sides = timed ? sides_of(config) : std::vector<std::string>();
    nlohmann::json results = nlohmann::json::array();
    std::vector<std::vector<std::string>> rows;
    Terminal& terminal = invocation.terminal();
    bool all_ok = true;
    for (size_t next = 0; next < paths.size();) {
        std::vector<Vetted> batch;
        std::string names;
        for (; batch.size() < jobs && next < paths.size(); ++next) {
            const ProblemText problem = read_problem(invocation, config, paths[next].string());
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
        for (const Vetted& problem : batch) {
            require(problem.report);
            all_ok = all_ok && problem.report->state == "ok";
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
    return all_ok ? ExitCode::ok : ExitCode::not_found;
}

}  // namespace kforge
