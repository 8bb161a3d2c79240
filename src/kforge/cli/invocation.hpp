// Invocation: one call of one command, with everything it may ask for, each made when first asked: the
// assembled RunConfig, the data folders, the terminal. What cannot be had is thrown as Fatal.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kforge/cli/args.hpp"
#include "kforge/cli/config.hpp"
#include "kforge/cli/detections.hpp"
#include "kforge/cli/paths.hpp"
#include "kforge/cli/terminal.hpp"
#include "kforge/forge/run_config.hpp"

namespace kforge {

class Invocation {
  public:
    Invocation(Arguments arguments, UserEnvironment environment, fs::path directory);

    const Command& command() const { return *m_arguments.command; }
    const UserEnvironment& environment() const { return m_environment; }
    const fs::path& directory() const { return m_directory; }  // the working directory
    bool json() const { return flag("json"); }

    std::optional<std::string> positional(std::string_view name) const;
    std::vector<std::string> positionals(std::string_view name) const;
    bool flag(std::string_view name) const;
    std::optional<std::string> value(std::string_view name) const;  // the last one given
    std::vector<std::string> values(std::string_view name) const;

    // Defaults, the user's file, the project's file (or --config), the command line, in that order.
    const RunConfig& config();
    RunConfig config_without_options();  // the same without the command line
    // Sets in `config` what this command line gave, and nothing else: for a run that has its settings
    // already.
    void override_settings(RunConfig& config) const;
    const std::vector<ConfigFile>& config_files();
    const DataPaths& data();
    PythonChoice python();
    Terminal& terminal();
    Detections& detections() { return m_detections; }

    // NAME of "kforge platforms show NAME"; nothing for the bare list.
    std::optional<std::string> shown_name() const;

  private:
    Arguments m_arguments;
    UserEnvironment m_environment;
    fs::path m_directory;
    std::optional<std::vector<ConfigFile>> m_config_files;
    std::optional<RunConfig> m_config;
    std::optional<DataPaths> m_data;
    std::unique_ptr<Terminal> m_terminal;
    Detections m_detections;
};

}  // namespace kforge
