// The one table of commands, and the functions behind it, one file each.
#pragma once

#include <vector>

#include "kforge/cli/command.hpp"

namespace kforge {

const std::vector<Command>& commands();

ExitCode campaign_command(Invocation& invocation);
ExitCode doctor_command(Invocation& invocation);
ExitCode eval_command(Invocation& invocation);
ExitCode help_command(Invocation& invocation);
ExitCode init_command(Invocation& invocation);
ExitCode llms_command(Invocation& invocation);
ExitCode platforms_command(Invocation& invocation);
ExitCode problems_command(Invocation& invocation);
ExitCode profile_command(Invocation& invocation);
ExitCode prompt_command(Invocation& invocation);
ExitCode report_command(Invocation& invocation);
ExitCode resume_command(Invocation& invocation);
ExitCode run_command(Invocation& invocation);
ExitCode sweep_command(Invocation& invocation);
ExitCode version_command(Invocation& invocation);
ExitCode vet_command(Invocation& invocation);

}  // namespace kforge
