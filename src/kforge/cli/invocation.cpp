#include "kforge/cli/invocation.hpp"

#include <fmt/format.h>

namespace kforge {

Invocation::Invocation(Arguments arguments, UserEnvironment environment, fs::path directory)
    : m_arguments(std::move(arguments)),
      m_environment(std::move(environment)),
      m_directory(std::move(directory)) {}

std::vector<std::string> Invocation::positionals(std::string_view name) const {
    const auto found = m_arguments.positionals.find(name);
    return found == m_arguments.positionals.end() ? std::vector<std::string>() : found->second;
}

std::optional<std::string> Invocation::positional(std::string_view name) const {
    const std::vector<std::string> all = positionals(name);
    return all.empty() ? std::nullopt : std::optional(all.front());
}

std::vector<std::string> Invocation::values(std::string_view name) const {
    const auto found = m_arguments.options.find(name);
    return found == m_arguments.options.end() ? std::vector<std::string>() : found->second;
}

std::optional<std::string> Invocation::value(std::string_view name) const {
    const std::vector<std::string> all = values(name);
    return all.empty() ? std::nullopt : std::optional(all.back());
}

bool Invocation::flag(std::string_view name) const {
    return value(name) == "true";
}

const std::vector<ConfigFile>& Invocation::config_files() {
    if (!m_config_files)
        m_config_files = require(read_config_files(m_environment, m_directory, value("config")));
    return *m_config_files;
}

RunConfig Invocation::config_without_options() {
    RunConfig config;
    for (const ConfigFile& file : config_files()) {
        const fs::path folder = file.path.parent_path();
        require(apply_toml(config, file.text, file.path.string(),
                           folder.lexically_normal() == m_directory ? fs::path() : folder));
    }
    return config;
}

const RunConfig& Invocation::config() {
    if (m_config) return *m_config;
    RunConfig config = config_without_options();
    require(apply_settings(config, m_arguments));
    m_config = std::move(config);
    return *m_config;
}

void Invocation::override_settings(RunConfig& config) const {
    require(apply_settings(config, m_arguments));
}

const DataPaths& Invocation::data() {
    if (!m_data) m_data = require(find_data(m_environment, executable_path()));
    return *m_data;
}

PythonChoice Invocation::python() {
    return require(find_python(m_environment, config().python, executable_path()));
}

Terminal& Invocation::terminal() {
    if (!m_terminal) {
        TerminalOptions options = TerminalOptions::detect(m_environment);
        options.json = json();
        if (flag("quiet")) options.progress = Progress::none;
        if (flag("no-color")) options.color_out = options.color_err = false;
        m_terminal = std::make_unique<Terminal>(options);
    }
    return *m_terminal;
}

std::optional<std::string> Invocation::shown_name() const {
    const std::optional<std::string> action = positional("show");
    if (!action) return std::nullopt;
    if (*action != "show")
        throw Fatal(ExitCode::usage, fmt::format("'{0}' is nothing that kforge {1} does: use kforge {1} or "
                                                 "kforge {1} show NAME",
                                                 *action, command().name));
    if (const auto name = positional("NAME")) return name;
    throw Fatal(ExitCode::usage, fmt::format("show what? kforge {0} lists the names for kforge {0} show NAME",
                                             command().name));
}

}  // namespace kforge
