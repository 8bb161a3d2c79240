#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/commands.hpp"
#include "kforge/cli/invocation.hpp"
#include "kforge/cli/problem_files.hpp"
#include "kforge/cli/table.hpp"

namespace kforge {
namespace {

ExitCode show_problem(Invocation& invocation, const std::string& name) {
    const fs::path path = require(resolve_problem(invocation.data().problem_roots, name));
    const std::string source = require(read_file(path));
    if (invocation.json())
        invocation.terminal().print_json(
            {{"path", path.string()}, {"summary", problem_summary(source)}, {"source", source}});
    else
        invocation.terminal().print(source);
    return ExitCode::ok;
}

ExitCode list_all_problems(Invocation& invocation) {
    nlohmann::json rows = nlohmann::json::array();
    std::vector<std::vector<std::string>> cells;
    for (const ProblemFile& problem : list_problems(invocation.data().problem_roots)) {
        const std::string summary = problem_summary(read_file(problem.path).value_or(""));
        rows.push_back({{"name", problem.name()},
                        {"suite", problem.suite},
                        {"path", problem.path.string()},
                        {"summary", summary}});
        cells.push_back({problem.name(), summary});
    }
    Terminal& terminal = invocation.terminal();
    if (invocation.json())
        terminal.print_json({{"problems", rows}});
    else
        terminal.print(render_table({{"problem"}, {"what it computes"}}, cells, terminal.width()));
    return ExitCode::ok;
}

}  // namespace

ExitCode problems_command(Invocation& invocation) {
    const std::optional<std::string> name = invocation.shown_name();
    return name ? show_problem(invocation, *name) : list_all_problems(invocation);
}

}  // namespace kforge
