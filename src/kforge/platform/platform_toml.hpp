// The keys of platform.toml. Internal to the platform module.
#pragma once

#include <string>

#include "kforge/platform/platform.hpp"

namespace kforge {

// Fills what platform.toml describes. A missing or unknown key, or a wrong type, is a config error that names
// the line and, for an unknown key, the nearest right one.
Result<void> read_platform_toml(const std::string& text, Platform& platform);

}  // namespace kforge
