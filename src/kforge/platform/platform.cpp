#include "kforge/platform/platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kforge/platform/platform_toml.hpp"
#include "kforge/util/text.hpp"

namespace kforge {

namespace {

constexpr const char* k_description = "platform.toml";
constexpr const char* k_shared = "shared";  // holds what several platforms have in common

bool is_name(std::string_view name) {
    return !name.empty() &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

// The folders of all platforms by name; where two roots have the same name the earlier one wins.
Result<std::map<std::string, fs::path>> platform_folders(const std::vector<fs::path>& roots) {
    std::map<std::string, fs::path> folders;
    for (const fs::path& root : roots) {
        std::error_code error;
        if (!fs::is_directory(root, error)) continue;
        fs::directory_iterator entries(root, error);
        if (error)
            return Error{ErrorKind::io, fmt::format("cannot list {}: {}", root.string(), error.message())};
        for (const fs::directory_entry& entry : entries) {
            const std::string name = entry.path().filename().string();
            if (name.starts_with('.') || name == k_shared || !entry.is_directory(error)) continue;
            folders.emplace(name, entry.path());
        }
    }
    return folders;
}

Result<std::string> read_part(const fs::path& folder, const std::vector<fs::path>& places,
                              const fs::path& part) {
    std::error_code ignored;
    for (const fs::path& place : places)
        if (fs::exists(place / part, ignored)) return read_file(place / part);
    return Error{ErrorKind::config,
                 fmt::format("the platform folder {} needs a {}", folder.string(), part.string())};
}

}  // namespace

Result<Platform> load_platform(const fs::path& folder, const std::vector<fs::path>& roots) {
    const std::string name = folder.filename().string();
    if (!is_name(name))
        return Error{ErrorKind::config, fmt::format("{} cannot be a platform: its name may have lower-case "
                                                    "letters, digits and '-' only",
                                                    folder.string())};
    std::vector<fs::path> places = {folder, folder.parent_path()};
    places.insert(places.end(), roots.begin(), roots.end());
    const auto own = [&](const fs::path& path) { return read_part(folder, {folder}, path); };
    const auto part = [&](const fs::path& path) { return read_part(folder, places, path); };
    TRY_ASSIGN(const std::string text, own(k_description));
    Platform platform;
    platform.name = name;
    platform.folder = folder;
    const std::string description = (folder / k_description).string();
    const Result<PartNames> parts = read_platform_toml(
        text, [&](const std::string& path) { return part(path); }, platform);
    if (!parts.ok()) return parts.error().within(description);
    TRY_ASSIGN(platform.guide, own("guide.md"));
    for (const std::string& file : parts->guides) {
        TRY_ASSIGN(const std::string guide, part(file));
        platform.guide += "\n" + guide;
    }
    const fs::path example = parts->example;
    TRY_ASSIGN(platform.example_reference, part(example / "reference.py"));
    TRY_ASSIGN(platform.example_kernel, part(example / "kernel.py"));
    return platform;
}

Result<std::vector<Platform>> load_platforms(const std::vector<fs::path>& roots) {
    TRY_ASSIGN(const auto folders, platform_folders(roots));
    std::vector<Platform> platforms;
    for (const auto& [name, folder] : folders) {
        TRY_ASSIGN(Platform platform, load_platform(folder, roots));
        platforms.push_back(std::move(platform));
    }
    return platforms;
}

Result<Platform> find_platform(const std::vector<fs::path>& roots, const std::string& name) {
    TRY_ASSIGN(const auto folders, platform_folders(roots));
    if (const auto found = folders.find(name); found != folders.end())
        return load_platform(found->second, roots);
    std::vector<std::string> names;
    for (const auto& [known, folder] : folders) names.push_back(known);
    const std::string near = nearest(name, names);
    return Error{ErrorKind::usage,
                 fmt::format("there is no platform '{}'{}; {}", name,
                             near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                             names.empty() ? "none are installed" : "there are: " + join(names, ", "))};
}

std::string translation_note(const fs::path& folder, const Platform& one, const Platform& other) {
    if (one.name == other.name) return "";
    const auto [first, second] = std::minmax(one.dialect, other.dialect);
    return read_file(folder / (first + "-" + second + ".md")).value_or("");
}

}  // namespace kforge
