// Reading JSON that a server sent: what is missing or of another type reads as empty, never as an exception.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>

namespace kforge {

using JsonStep = std::variant<const char*, size_t>;  // a key, or an index

// The value at the end of the path, or a null value.
const nlohmann::json& json_at(const nlohmann::json& value, std::initializer_list<JsonStep> path);
std::string text_at(const nlohmann::json& value, std::initializer_list<JsonStep> path);
long number_at(const nlohmann::json& value, std::initializer_list<JsonStep> path);  // 0, and never negative

// A discarded value when it is no JSON. Bytes that are no UTF-8 become U+FFFD: servers cut characters in two.
nlohmann::json parse_json(std::string_view text);

// Compact, and whatever the strings hold.
std::string dump_json(const nlohmann::json& value);

}  // namespace kforge
