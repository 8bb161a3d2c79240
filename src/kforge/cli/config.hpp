// What the user's surroundings say: environment variables (read here and nowhere else) and the configuration
// files. Knows where they are, not what their keys mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

struct UserEnvironment {
    fs::path home;
    fs::path config_home;  // XDG_CONFIG_HOME or ~/.config; empty when there is no home
    fs::path data_home;    // XDG_DATA_HOME or ~/.local/share
    fs::path cache_home;   // XDG_CACHE_HOME or ~/.cache
    fs::path temporary;    // TMPDIR or /tmp
    std::string kforge_python;
    std::string kforge_data;
    std::string virtual_env;
    std::string path;
    std::string term;
    bool no_color = false;
    bool utf8 = false;    // the locale says that the terminal takes UTF-8
    std::string kill_at;  // KFORGE_TEST_KILL_AT: the crash tests end the process at this failpoint

    static UserEnvironment read();
    // An executable of that name in PATH; a name with a slash is taken as it is.
    std::optional<fs::path> find_program(std::string_view name) const;
};

// Whether a variable holds something: for keys, whose values stay where they are.
bool environment_has(const std::string& variable);

struct ConfigFile {
    fs::path path;
    std::string text;
};

// The user's file, then the project's (kforge.toml in `directory` or its nearest parent) or, instead of that,
// `named`. Files that are not there are left out, except `named`: that is a config error.
Result<std::vector<ConfigFile>> read_config_files(const UserEnvironment& environment,
                                                  const fs::path& directory,
                                                  const std::optional<std::string>& named);

}  // namespace kforge
