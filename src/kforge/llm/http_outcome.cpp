// What an HTTP answer or refusal means to the caller: outcomes, usage and errors.
#include <fmt/format.h>

#include "kforge/llm/answer.hpp"
#include "kforge/llm/api_error.hpp"
#include "kforge/llm/http_call.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr long k_tokens_per_image = 1600;  // what a large one costs with most
constexpr size_t k_words_of_refusal = 500;

std::string base64(std::string_view bytes) {
    static constexpr char k_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        unsigned block = 0;
        for (size_t k = 0; k < 3; ++k)
            block = block << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (size_t k = 0; k < 4; ++k)
            text += i + k > bytes.size() ? '=' : k_digits[block >> (18 - 6 * k) & 63];
    }
    return text;
}

}  // namespace

LlmOutcome outcome_of(const Llm& llm, const Key& key, Reply reply) {
    const std::string where = reply.request_id.empty() ? "" : fmt::format(" (request {})", reply.request_id);
    if (reply.stop == StopKind::refused) {
        const std::string words = reply.refusal.empty() ? reply.text : reply.refusal;
        return LlmFailure{"refused",
                          key.mask(fmt::format(
                              "{} refused: {}{}{}", llm.name, reply.stop_word,
                              words.empty() ? "" : ": " + elide_middle(sanitize(words), k_words_of_refusal),
                              sanitize(where)))};
    }
    LlmAnswer answer;
    answer.text = key.mask(sanitize(reply.text));
    answer.reasoning = key.mask(sanitize(reply.reasoning));
    answer.truncated = reply.stop == StopKind::truncated;
    answer.request_id = key.mask(sanitize(reply.request_id));
    if (!trim(answer.text).empty()) return answer;
    if (answer.truncated)
        return LlmFailure{
            "truncated",
            key.mask(fmt::format("{} spent all of its {} output tokens before the answer began{}: raise "
                                 "max_output_tokens, or lower effort or thinking",
                                 llm.name, llm.max_output_tokens, sanitize(where)))};
    return LlmFailure{"empty", key.mask(fmt::format("{} answered with no text ({}){}", llm.name,
                                                    sanitize(reply.stop_word), sanitize(where)))};
}

Usage usage_of(const LlmRequest& request, const Reply& reply) {
    if (reply.usage_known) return reply.usage;
    Usage usage;
    usage.estimated = true;
    usage.input_tokens = estimate_tokens(request.system) + estimate_tokens(request.prompt) +
                         k_tokens_per_image * static_cast<long>(request.images.size());
    usage.reasoning_tokens = estimate_tokens(reply.reasoning);
    usage.output_tokens = estimate_tokens(reply.text) + usage.reasoning_tokens;
    return usage;
}

Usage sum(const Usage& a, const Usage& b) {
    return {a.input_tokens + b.input_tokens,
            a.cached_input_tokens + b.cached_input_tokens,
            a.cache_write_tokens + b.cache_write_tokens,
            a.output_tokens + b.output_tokens,
            a.reasoning_tokens + b.reasoning_tokens,
            a.estimated || b.estimated,
            a.usd + b.usd};
}

Error refused_error(const Llm& llm, const Key& key, int status, const ApiError& error) {
    const std::string words = key.mask(elide_middle(sanitize(error.message), 500));
    const std::string said = fmt::format("HTTP {}{}{}", status, words.empty() ? "" : ": ", words);
    switch (trouble_of(status == 200 ? 0 : status, error, "")) {
        case Trouble::bad_key:
            return {ErrorKind::environment, fmt::format("LLM '{}': {} does not accept the key ({}): {}",
                                                        llm.name, llm.base_url, said, key.remedy())};
        case Trouble::quota_spent:
            return {
                ErrorKind::environment,
                fmt::format(
                    "LLM '{}': the quota or credit of this key is spent ({}): add credit at the provider, "
                    "or {} to another key",
                    llm.name, said, key.remedy())};
        case Trouble::unknown_llm:
            return {ErrorKind::config, fmt::format("LLM '{}': {} knows no '{}' ({}): check id and base_url",
                                                   llm.name, llm.base_url, llm.id, said)};
        default:
            return {ErrorKind::config,
                    fmt::format("LLM '{}': {} refuses the request ({})", llm.name, llm.base_url, said)};
    }
}

Result<std::vector<std::string>> images_in_base64(const LlmRequest& request) {
    std::vector<std::string> images;
    for (const fs::path& path : request.images) {
        TRY_ASSIGN(const std::string bytes, read_file(path));
        images.push_back(base64(bytes));
    }
    return images;
}

}  // namespace kforge
