// The command line, parsed by the command table and the table of run settings. CLI11 stays in args.cpp.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kforge/cli/command.hpp"
#include "kforge/forge/run_config.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

struct Arguments {
    const Command* command = nullptr;
    std::map<std::string, std::vector<std::string>, std::less<>> positionals;  // by Positional::name
    std::map<std::string, std::vector<std::string>, std::less<>> options;      // own and global, by name
    std::map<std::string, std::vector<std::string>, std::less<>> settings;     // run settings, by key
};

// `words` are the arguments without the program's name. --help and --version become the commands of that
// name; no command at all is help. Whatever is wrong is a usage error that names the nearest right word.
Result<Arguments> parse_arguments(const std::vector<Command>& commands, std::vector<std::string> words);

// Sets in `config` what the command line gave; its lists replace those that were there.
Result<void> apply_settings(RunConfig& config, const Arguments& arguments);

}  // namespace kforge
