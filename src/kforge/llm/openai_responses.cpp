// Provider openai-responses: the Responses API.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/llm/batch_dialect.hpp"
#include "kforge/llm/dialect.hpp"
#include "kforge/llm/json_reading.hpp"

namespace kforge {
namespace {

using nlohmann::json;

json input_message(const char* role, json content) {
    return {{"role", role}, {"content", std::move(content)}};
}

json responses_user_content(const LlmRequest& request, const Asking& asking) {
    json parts = json::array({{{"type", "input_text"}, {"text", request.prompt}}});
    for (const std::string& image : asking.images)
        parts.push_back({{"type", "input_image"}, {"image_url", "data:image/png;base64," + image}});
    return parts;
}

// The texts of a finished answer; a message may be refused.
struct OutputTexts {
    std::string text;
    std::string reasoning;
    std::string refusal;
};

OutputTexts output_texts(const json& output) {
    OutputTexts found;
    for (const json& item : output) {
        const bool reasoning = text_at(item, {"type"}) == "reasoning";
        for (const char* part : {"content", "summary"})
            for (const json& piece : json_at(item, {part})) {
                (reasoning ? found.reasoning : found.text) += text_at(piece, {"text"});
                found.refusal += text_at(piece, {"refusal"});
            }
    }
    return found;
}

ApiError responses_error(const json& error) {
    ApiError read;
    read.code = text_at(error, {"code"});
    read.message = text_at(error, {"message"});
    read.parameter = text_at(error, {"param"});
    read.quota_spent = read.code == "insufficient_quota";
    return read;
}

// The whole response, as an answer or inside the last event of a stream.
void read_response(const json& response, Reply& reply) {
    reply.request_id = text_at(response, {"id"});
    if (const json& usage = json_at(response, {"usage"}); usage.is_object()) {
        reply.usage_known = true;
        reply.usage.input_tokens = number_at(usage, {"input_tokens"});
        reply.usage.cached_input_tokens = number_at(usage, {"input_tokens_details", "cached_tokens"});
        reply.usage.output_tokens = number_at(usage, {"output_tokens"});
        reply.usage.reasoning_tokens = number_at(usage, {"output_tokens_details", "reasoning_tokens"});
    }
    OutputTexts whole = output_texts(json_at(response, {"output"}));
    // What was streamed has been shown; the whole text stands for pieces that were lost or came twice.
    if (reply.text.empty())
        reply.add_text(whole.text);
    else if (!whole.text.empty())
        reply.text = std::move(whole.text);
    if (!whole.reasoning.empty()) reply.reasoning = std::move(whole.reasoning);
    if (!whole.refusal.empty()) reply.refusal = std::move(whole.refusal);

    const std::string status = text_at(response, {"status"});
    const std::string why = text_at(response, {"incomplete_details", "reason"});
    reply.stop_word = why.empty() ? status : why;
    if (status == "failed" || status == "cancelled")
        reply.error = responses_error(json_at(response, {"error"}));
    else if (!reply.refusal.empty() || why == "content_filter")
        reply.stop = StopKind::refused;
    else if (status == "incomplete")
        reply.stop = StopKind::truncated;
    else if (status == "completed")
        reply.stop = StopKind::finished;
}

class OpenAiResponses : public Dialect {
  public:
    std::string own_url() const override { return "https://api.openai.com/v1"; }
    std::string own_variable() const override { return "OPENAI_API_KEY"; }
    std::string version_path() const override { return "/v1"; }
    std::string key_header() const override { return "authorization: Bearer {key}"; }
    std::string path(const Llm&, bool) const override { return "/responses"; }

    Result<void> check(const Llm& llm) const override {
        if (llm.thinking.empty()) return {};
        return Error{ErrorKind::config,
                     fmt::format("LLM '{}': this API has no thinking setting: use effort", llm.name)};
    }

    json body(const Llm& llm, const LlmRequest& request, const Asking& asking) const override {
        json input = json::array({input_message("user", responses_user_content(request, asking))});
        if (!asking.partial.empty()) {
            input.push_back(input_message(
                "assistant", json::array({{{"type", "output_text"}, {"text", asking.partial}}})));
            input.push_back(input_message("user", std::string(k_continue_words)));
        }
        json body = {{"model", llm.id}, {"input", input}};
        // Answers are kept in the run directory, not at the server.
        if (asking.has("store")) body["store"] = false;
        if (!request.system.empty()) body["instructions"] = request.system;
        if (asking.has("max_output_tokens")) body["max_output_tokens"] = llm.max_output_tokens;
        if (llm.temperature && asking.has("temperature")) body["temperature"] = *llm.temperature;
        if (!llm.effort.empty() && asking.has("effort")) body["reasoning"] = {{"effort", llm.effort}};
        if (llm.caches_prompts && stable_length(request) > 0 && asking.has("prompt_cache_key"))
            body["prompt_cache_key"] = cache_key(request);
        if (asking.stream) body["stream"] = true;
        return body;
    }

    const BatchDialect* batch_dialect() const override {
        static const std::unique_ptr<BatchDialect> k_batches = make_openai_batches("/v1/responses");
        return k_batches.get();
    }

    std::vector<Optional> optionals() const override {
        return {{"temperature", {"temperature"}},
                {"effort", {"reasoning", "effort"}},
                {"prompt_cache_key", {"prompt_cache_key"}},
                {"store", {"store"}},
                {"max_output_tokens", {"max_output_tokens"}}};
    }

    void read_event(std::string_view, const json& event, Reply& reply) const override {
        // Events are numbered: one that a proxy sends again counts once.
        if (const json& number = json_at(event, {"sequence_number"}); number.is_number_integer()) {
            if (number.get<long>() <= reply.last_sequence) return;
            reply.last_sequence = number.get<long>();
        }
        const std::string type = text_at(event, {"type"});
        if (type == "response.output_text.delta") {
            reply.add_text(text_at(event, {"delta"}));
        } else if (type == "response.refusal.delta") {
            reply.refusal += text_at(event, {"delta"});
        } else if (type.starts_with("response.reasoning") && type.ends_with(".delta")) {
            reply.reasoning += text_at(event, {"delta"});
        } else if (type == "response.completed" || type == "response.incomplete" ||
                   type == "response.failed") {
            read_response(json_at(event, {"response"}), reply);
        } else if (type == "response.created") {
            reply.request_id = text_at(event, {"response", "id"});
        } else if (type == "error") {
            reply.error = responses_error(event);
        }
    }

    void read_whole(const json& answer, Reply& reply) const override { read_response(answer, reply); }
};

}  // namespace

std::unique_ptr<Provider> make_openai_responses_provider() {
    return make_http_provider(std::make_unique<OpenAiResponses>());
}

}  // namespace kforge
