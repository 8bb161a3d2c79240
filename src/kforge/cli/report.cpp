#include <nlohmann/json.hpp>

#include "kforge/cli/commands.hpp"
#include "kforge/cli/invocation.hpp"
#include "kforge/cli/results.hpp"

namespace kforge {

ExitCode report_command(Invocation& invocation) {
    const RunReport report = require(read_report(*invocation.positional("DIR")));
    Terminal& terminal = invocation.terminal();
    if (invocation.json())
        terminal.print_json(to_json(report));
    else
        terminal.print(report_text(report, terminal.width(), terminal.look()));
    return ExitCode::ok;
}

}  // namespace kforge
