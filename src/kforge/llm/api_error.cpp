#include "kforge/llm/api_error.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "kforge/llm/json_reading.hpp"
#include "kforge/net/retry.hpp"

namespace kforge {
namespace {

using nlohmann::json;

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool has_any(const std::string& text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

bool is_name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// `word` in `text`, not as a part of a longer name.
bool has_word(const std::string& text, const std::string& word) {
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const size_t end = at + word.size();
        if ((at == 0 || !is_name_character(text[at - 1])) &&
            (end == text.size() || !is_name_character(text[end])))
            return true;
    }
    return false;
}

// Google puts what matters into a list of details.
void read_details(const json& details, ApiError& error) {
    if (!details.is_array()) return;
    for (const json& detail : details) {
        if (const std::string delay = text_at(detail, {"retryDelay"}); !delay.empty())
            error.retry_after = parse_duration(delay);
        if (const std::string reason = text_at(detail, {"reason"}); !reason.empty()) error.code = reason;
        for (const json& violation : json_at(detail, {"violations"}))
            if (text_at(violation, {"quotaId"}).find("PerDay") != std::string::npos) error.quota_spent = true;
        for (const json& violation : json_at(detail, {"fieldViolations"}))
            error.parameter = text_at(violation, {"field"});
    }
}

bool says_quota_is_spent(const ApiError& error) {
    for (const std::string* word : {&error.type, &error.code})
        if (has_any(*word, {"insufficient_quota", "spend_limit", "billing", "credit", "payment"}))
            return true;
    return has_any(lower_case(error.message), {"credit balance is too low", "insufficient credits",
                                               "insufficient balance", "check your plan and billing"});
}

bool says_key_is_bad(const ApiError& error) {
    for (const std::string* word : {&error.type, &error.code})
        if (has_any(*word, {"authentication_error", "invalid_api_key", "API_KEY", "UNAUTHENTICATED",
                            "PERMISSION_DENIED", "permission_error"}))
            return true;
    return false;
}

bool says_busy(const ApiError& error) {
    for (const std::string* word : {&error.type, &error.code})
        if (has_any(*word, {"overloaded", "rate_limit", "slow_down", "RESOURCE_EXHAUSTED", "UNAVAILABLE",
                            "429", "503", "529"}))
            return true;
    return false;
}

bool says_request_is_bad(const ApiError& error) {
    for (const std::string* word : {&error.type, &error.code})
        if (has_any(*word, {"invalid_request", "INVALID_ARGUMENT", "invalid_prompt", "context_length"}))
            return true;
    return false;
}

}  // namespace

std::optional<ApiError> read_api_error(const json& body) {
    if (body.is_array() && !body.empty()) return read_api_error(body[0]);
    const json& found = json_at(body, {"error"});
    ApiError error;
    if (found.is_string()) {
        error.message = found.get<std::string>();
    } else if (found.is_object()) {
        error.type = text_at(found, {"type"});
        if (error.type.empty()) error.type = text_at(found, {"status"});
        const json& code = json_at(found, {"code"});
        error.code = code.is_string() ? code.get<std::string>() : code.is_number() ? code.dump() : "";
        if (const std::string detail = text_at(found, {"details", "error_code"}); !detail.empty())
            error.code = detail;
        error.parameter = text_at(found, {"param"});
        error.message = text_at(found, {"message"});
        read_details(json_at(found, {"details"}), error);
        // OpenRouter wraps what the server behind it said.
        if (const std::string raw = text_at(found, {"metadata", "raw"}); !raw.empty())
            error.message += " (" + raw.substr(0, 500) + ")";
    } else {
        // FastAPI, and so vLLM and others, for a request that has not the right form.
        const json& detail = json_at(body, {"detail"});
        if (detail.is_null()) return std::nullopt;
        error.message = detail.is_string() ? detail.get<std::string>() : dump_json(detail).substr(0, 500);
    }
    error.quota_spent = error.quota_spent || says_quota_is_spent(error);
    return error;
}

Trouble trouble_of(int status, const ApiError& error, const std::string& should_retry) {
    if (error.quota_spent || status == 402) return Trouble::quota_spent;
    if (status == 401 || status == 403 || says_key_is_bad(error)) return Trouble::bad_key;
    const bool busy = status == 429 || status == 503 || status == 529 || (status == 0 && says_busy(error));
    if (should_retry == "false") return Trouble::rejected;
    if (busy) return Trouble::busy;
    if (should_retry == "true" || status == 408 || status == 409 || status >= 500) return Trouble::transient;
    if (status == 404) return Trouble::unknown_llm;
    if (status == 0 && !says_request_is_bad(error)) return Trouble::transient;
    return Trouble::rejected;
}

std::optional<std::string> named_parameter(const ApiError& error,
                                           const std::vector<Dialect::Optional>& sent) {
    // What the API names outright comes before what its message happens to mention.
    for (const std::string* text : {&error.parameter, &error.message})
        for (const Dialect::Optional& optional : sent)
            for (const std::string& word : optional.found_as)
                if (has_word(*text, word)) return optional.parameter;
    return std::nullopt;
}

}  // namespace kforge
