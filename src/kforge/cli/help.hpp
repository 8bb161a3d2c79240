// The text of --help, from the tables of commands and settings. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "kforge/cli/command.hpp"

namespace kforge {

std::string overview_text(const std::vector<Command>& commands, size_t width);
std::string help_text(const Command& command, size_t width);

}  // namespace kforge
