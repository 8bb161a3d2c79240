#include "kforge/llm/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";

// sanitize() drops carriage returns, so CRLF becomes LF.
std::string clean(std::string_view bytes) {
    if (bytes.starts_with(k_byte_order_mark)) bytes.remove_prefix(k_byte_order_mark.size());
    return sanitize(bytes);
}

}  // namespace

long estimate_tokens(std::string_view text) {
    return static_cast<long>((text.size() + 3) / 4);
}

bool has_prices(const Llm& llm) {
    return llm.usd_per_million_input && llm.usd_per_million_output;
}

double cost_usd(const Llm& llm, const Usage& usage) {
    const double input = llm.usd_per_million_input.value_or(0);
    const long plain =
        std::max(0L, usage.input_tokens - usage.cached_input_tokens - usage.cache_write_tokens);
    return (static_cast<double>(plain) * input +
            static_cast<double>(usage.cached_input_tokens) *
                llm.usd_per_million_cached_input.value_or(input) +
            static_cast<double>(usage.cache_write_tokens) * llm.usd_per_million_cache_write.value_or(input) +
            static_cast<double>(usage.output_tokens) * llm.usd_per_million_output.value_or(0)) /
           1e6;
}

LlmOutcome plain_answer(const Llm& llm, const LlmRequest& request, std::string_view bytes,
                        std::string_view if_blank) {
    Usage usage;
    usage.estimated = true;
    usage.input_tokens = estimate_tokens(request.system) + estimate_tokens(request.prompt);

    std::string text = clean(bytes);
    if (trim(text).empty()) {
        usage.usd = cost_usd(llm, usage);
        return LlmFailure{"empty", std::string(if_blank), usage};
    }
    usage.output_tokens = estimate_tokens(text);
    usage.usd = cost_usd(llm, usage);
    return LlmAnswer{.text = std::move(text), .usage = usage};
}

nlohmann::json to_json(const LlmAnswer& answer) {
    const Usage& usage = answer.usage;
    return {{"text", answer.text},
            {"reasoning", answer.reasoning},
            {"truncated", answer.truncated},
            {"request_id", answer.request_id},
            {"usage",
             {{"input_tokens", usage.input_tokens},
              {"cached_input_tokens", usage.cached_input_tokens},
              {"cache_write_tokens", usage.cache_write_tokens},
              {"output_tokens", usage.output_tokens},
              {"reasoning_tokens", usage.reasoning_tokens},
              {"estimated", usage.estimated},
              {"usd", usage.usd}}}};
}

Result<LlmAnswer> answer_from_json(const nlohmann::json& json) {
    try {
        const nlohmann::json empty = nlohmann::json::object();
        const nlohmann::json& counts = json.contains("usage") ? json.at("usage") : empty;
        Usage usage;
        usage.input_tokens = counts.value("input_tokens", 0L);
        usage.cached_input_tokens = counts.value("cached_input_tokens", 0L);
        usage.cache_write_tokens = counts.value("cache_write_tokens", 0L);
        usage.output_tokens = counts.value("output_tokens", 0L);
        usage.reasoning_tokens = counts.value("reasoning_tokens", 0L);
        usage.estimated = counts.value("estimated", !json.contains("usage"));
        usage.usd = counts.value("usd", 0.0);
        return LlmAnswer{.text = json.at("text").get<std::string>(),
                         .reasoning = json.value("reasoning", ""),
                         .usage = usage,
                         .truncated = json.value("truncated", false),
                         .request_id = json.value("request_id", "")};
    } catch (const nlohmann::json::exception& e) {
        return Error{ErrorKind::parse, fmt::format("not a stored answer: {}", e.what())};
    }
}

}  // namespace kforge
