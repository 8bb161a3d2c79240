// Settings as TOML, key by key: for the files that hold them among other things. Every failure names the file
// and the line. Internal to the forge.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "kforge/forge/run_config.hpp"

namespace kforge::settings_toml {

Result<toml::table> parse(const std::string& toml_text, const std::string& origin);
Error config_error(const std::string& origin, const toml::source_region& where, std::string_view message);
std::string unknown_key(std::string_view key, const std::vector<std::string>& known);

// Sets what `key` names; an unknown one is a config error with the nearest right one.
Result<void> apply(RunConfig& config, const toml::key& key, const toml::node& node, const std::string& origin,
                   const fs::path& folder);

// What stands behind "key =".
std::string value_of(const Setting& setting, const RunConfig& config);
std::string text_of(std::string_view text);
std::string list_of(const std::vector<std::string>& texts);

}  // namespace kforge::settings_toml
