#include "kforge/llm/json_reading.hpp"

#include <nlohmann/json.hpp>

#include "kforge/util/text.hpp"

namespace kforge {

using nlohmann::json;

const json& json_at(const json& value, std::initializer_list<JsonStep> path) {
    static const json k_nothing;
    const json* at = &value;
    for (const JsonStep& step : path) {
        if (const char* const* key = std::get_if<const char*>(&step)) {
            const auto found = at->is_object() ? at->find(*key) : at->end();
            if (!at->is_object() || found == at->end()) return k_nothing;
            at = &*found;
        } else {
            const size_t index = std::get<size_t>(step);
            if (!at->is_array() || index >= at->size()) return k_nothing;
            at = &(*at)[index];
        }
    }
    return *at;
}

std::string text_at(const json& value, std::initializer_list<JsonStep> path) {
    const json& found = json_at(value, path);
    return found.is_string() ? found.get<std::string>() : "";
}

long number_at(const json& value, std::initializer_list<JsonStep> path) {
    const json& found = json_at(value, path);
    if (!found.is_number()) return 0;
    const double number = found.get<double>();
    return number > 0 && number < 1e15 ? static_cast<long>(number) : 0;
}

json parse_json(std::string_view text) {
    json value = json::parse(text, nullptr, false);
    if (value.is_discarded()) value = json::parse(sanitize(text), nullptr, false);
    return value;
}

std::string dump_json(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace kforge
