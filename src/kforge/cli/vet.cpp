#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/problem_files.hpp"
#include "kforge/cli/setup.hpp"
#include "kforge/cli/table.hpp"

namespace kforge {

ExitCode vet_command(Invocation& invocation) {
    const Platform platform = named_platform(invocation, invocation.config().platform);
    std::vector<fs::path> paths;
    for (const std::string& name : invocation.positionals("PROBLEM"))
        for (const fs::path& path : require(resolve_problems(invocation.data().problem_roots, name)))
            paths.push_back(path);
    nlohmann::json results = nlohmann::json::array();
    std::vector<std::vector<std::string>> rows;
    bool all_ok = true;
    for (const fs::path& path : paths) {
        const ProblemText problem = read_problem(invocation, invocation.config(), path.string());
        invocation.terminal().on_phase(0, 0, fmt::format("vetting {}", problem.name));
        const VetReport report =
            require(open_arena(invocation, invocation.config(), platform, problem)->vet());
        all_ok = all_ok && report.state == "ok";
        rows.push_back({problem.name, report.state, report.evidence});
        results.push_back({{"problem", problem.name},
                           {"state", report.state},
                           {"reason", report.reason},
                           {"evidence", report.evidence}});
    }
    Terminal& terminal = invocation.terminal();
    terminal.stop_progress();
    if (invocation.json())
        terminal.print_json({{"problems", results}});
    else
        terminal.print(render_table({{"problem"}, {"state"}, {"why"}}, rows, terminal.width()));
    return all_ok ? ExitCode::ok : ExitCode::not_found;
}

}  // namespace kforge
