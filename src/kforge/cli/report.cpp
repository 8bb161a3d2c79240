#include <nlohmann/json.hpp>

#include "kforge/cli/commands.hpp"
#include "kforge/cli/invocation.hpp"
#include "kforge/cli/results.hpp"

namespace kforge {

ExitCode report_command(Invocation& invocation) {
    std::vector<fs::path> runs;
    for (const std::string& path : invocation.positionals("DIR"))
        for (const fs::path& run : runs_at(path)) runs.push_back(run);
    Terminal& terminal = invocation.terminal();
    if (runs.size() == 1) {
        const RunReport report = require(read_report(runs.front()));
        if (invocation.json())
            terminal.print_json(to_json(report));
        else
            terminal.print(report_text(report, terminal.width(), terminal.look()));
        return ExitCode::ok;
    }
    std::vector<RunReport> reports;
    for (const fs::path& run : runs) reports.push_back(require(read_report(run)));
    const Summary summary = summarize_runs(std::move(reports));
    if (invocation.json())
        terminal.print_json(to_json(summary));
    else
        terminal.print(summary_text(summary, terminal.width()));
    return ExitCode::ok;
}

}  // namespace kforge
