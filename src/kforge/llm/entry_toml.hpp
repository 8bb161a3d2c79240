// One [llms.NAME] table: the keys of an entry, read and written by one list. Internal to the registry.
#pragma once

#include <toml++/toml.h>

#include "kforge/llm/provider.hpp"

namespace kforge {

// Sets the fields of `llm` that `table` gives. Paths become absolute: relative to `folder`. An unknown key, a
// wrong type or a value out of range is a config error that names the line; no value is ever printed.
Result<void> read_entry(const toml::table& table, const fs::path& folder, Llm& llm);
toml::table write_entry(const Llm& llm);

}  // namespace kforge
