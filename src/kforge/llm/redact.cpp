#include "kforge/llm/redact.hpp"

#include <string_view>

namespace kforge {
namespace {

constexpr size_t k_shortest_secret = 8;

bool names_a_secret(std::string_view name) {
    for (std::string_view ending : {"KEY", "TOKEN", "SECRET", "PASSWORD"})
        if (name.ends_with(ending)) return true;
    return false;
}

}  // namespace

std::string redact(std::string text, const Environment& environment, const std::string& key_variable) {
    for (const std::string& variable : environment) {
        const size_t equals = variable.find('=');
        if (equals == std::string::npos) continue;
        const std::string name = variable.substr(0, equals);
        const std::string value = variable.substr(equals + 1);
        if (value.size() < k_shortest_secret || (name != key_variable && !names_a_secret(name))) continue;
        const std::string mark = "[" + name + "]";
        for (size_t at = text.find(value); at != std::string::npos; at = text.find(value, at + mark.size()))
            text.replace(at, value.size(), mark);
    }
    return text;
}

}  // namespace kforge
