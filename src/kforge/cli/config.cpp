#include "kforge/cli/config.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// The XDG specification has relative values ignored.
fs::path xdg(const char* name, const fs::path& home, const char* otherwise) {
    const fs::path path = variable(name);
    if (path.is_absolute()) return path;
    return home.empty() ? fs::path() : home / otherwise;
}

bool says_utf8(std::string locale) {
    for (char& c : locale)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

std::string effective_locale() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
        if (std::string value = variable(name); !value.empty()) return value;
    return "";
}

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

Result<void> add_file(std::vector<ConfigFile>& files, const fs::path& path) {
    auto text = read_file(path);
    if (!text.ok()) return Error{ErrorKind::config, text.error().message};
    files.push_back({path, std::move(text).value()});
    return {};
}

}  // namespace

UserEnvironment UserEnvironment::read() {
    UserEnvironment environment;
    environment.home = variable("HOME");
    environment.config_home = xdg("XDG_CONFIG_HOME", environment.home, ".config");
    environment.data_home = xdg("XDG_DATA_HOME", environment.home, ".local/share");
    environment.cache_home = xdg("XDG_CACHE_HOME", environment.home, ".cache");
    const std::string temporary = variable("TMPDIR");
    environment.temporary = temporary.empty() ? "/tmp" : temporary;
    environment.kforge_python = variable("KFORGE_PYTHON");
    environment.kforge_data = variable("KFORGE_DATA");
    environment.virtual_env = variable("VIRTUAL_ENV");
    environment.path = variable("PATH");
    environment.term = variable("TERM");
    environment.no_color = environment_has("NO_COLOR");
    environment.utf8 = says_utf8(effective_locale());
    environment.kill_at = variable("KFORGE_TEST_KILL_AT");
    return environment;
}

std::optional<fs::path> UserEnvironment::find_program(std::string_view name) const {
    const auto runnable = [](const fs::path& file) {
        return is_file(file) && ::access(file.c_str(), X_OK) == 0;
    };
    if (name.empty()) return std::nullopt;
    if (name.find('/') != std::string_view::npos)
        return runnable(name) ? std::optional<fs::path>(name) : std::nullopt;
    for (const std::string& folder : split(path, ':'))
        if (const fs::path file = fs::path(folder) / name; !folder.empty() && runnable(file)) return file;
    return std::nullopt;
}

bool environment_has(const std::string& name) {
    return !variable(name.c_str()).empty();
}

Result<std::vector<ConfigFile>> read_config_files(const UserEnvironment& environment,
                                                  const fs::path& directory,
                                                  const std::optional<std::string>& named) {
    std::vector<ConfigFile> files;
    const fs::path user =
        environment.config_home.empty() ? fs::path() : environment.config_home / "kforge" / "kforge.toml";
    if (!user.empty() && is_file(user)) TRY(add_file(files, user));
    if (named) {
        TRY(add_file(files, directory / *named));
        return files;
    }
    for (fs::path folder = directory;; folder = folder.parent_path()) {
        if (const fs::path file = folder / "kforge.toml"; is_file(file)) {
            TRY(add_file(files, file));
            break;
        }
        if (folder == folder.parent_path()) break;
    }
    return files;
}

}  // namespace kforge
