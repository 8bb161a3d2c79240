// Keeps keys out of text that is shown or stored.
#pragma once

#include <string>

#include "kforge/util/process.hpp"

namespace kforge {

// Replaces the values of variables that hold secrets by [NAME]: `key_variable`, and those whose names end in
// KEY, TOKEN, SECRET or PASSWORD. Values under 8 characters are left: they would match ordinary words.
std::string redact(std::string text, const Environment& environment, const std::string& key_variable);

}  // namespace kforge
