// The keys of platform.toml. Internal to the platform module.
#pragma once

#include <functional>
#include <string>

#include "kforge/platform/platform.hpp"

namespace kforge {

// The text of a file that platform.toml names.
using ReadPart = std::function<Result<std::string>(const std::string& name)>;

// What platform.toml says of where the other parts are.
struct PartNames {
    std::vector<std::string> guides;  // after guide.md
    std::string example = "example";  // the folder of the one-shot pair
};

// Fills what platform.toml describes. A missing or unknown key, or a wrong type, is a config error that names
// the line and, for an unknown key, the nearest right one.
Result<PartNames> read_platform_toml(const std::string& text, const ReadPart& read_part, Platform& platform);

}  // namespace kforge
