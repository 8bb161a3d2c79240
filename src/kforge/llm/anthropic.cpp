// Provider anthropic: the Messages API.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/llm/api_error.hpp"
#include "kforge/llm/batch_dialect.hpp"
#include "kforge/llm/dialect.hpp"
#include "kforge/llm/json_reading.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using nlohmann::json;

json text_block(const std::string& text) {
    return {{"type", "text"}, {"text", text}};
}

// Everything before the mark is cached, the system text included. Empty text blocks are refused by the API.
json messages_content(const Llm& llm, const LlmRequest& request, const Asking& asking) {
    json blocks = json::array();
    for (const std::string& image : asking.images)
        blocks.push_back({{"type", "image"},
                          {"source", {{"type", "base64"}, {"media_type", "image/png"}, {"data", image}}}});
    const size_t stable = stable_length(request);
    if (llm.caches_prompts && stable > 0 && asking.has("cache_control")) {
        json first = text_block(request.prompt.substr(0, stable));
        first["cache_control"] = {{"type", "ephemeral"}};
        // Images differ from call to call: they come behind what is cached.
        blocks.insert(blocks.begin(), std::move(first));
        if (stable < request.prompt.size()) blocks.push_back(text_block(request.prompt.substr(stable)));
    } else {
        blocks.push_back(text_block(request.prompt));
    }
    return blocks;
}

StopKind messages_stop(const std::string& word) {
    if (word.empty()) return StopKind::none;
    if (word == "max_tokens" || word == "model_context_window_exceeded") return StopKind::truncated;
    return word == "refusal" ? StopKind::refused : StopKind::finished;
}

void read_messages_stop(const json& message, Reply& reply) {
    const std::string word = text_at(message, {"stop_reason"});
    if (word.empty()) return;
    reply.stop_word = word;
    reply.stop = messages_stop(word);
    reply.context_full = word == "model_context_window_exceeded";
    reply.refusal = text_at(message, {"stop_details", "explanation"});
    if (reply.refusal.empty()) reply.refusal = text_at(message, {"stop_details", "category"});
}

// Counts are cumulative, and an event tells only some of them.
void read_messages_usage(const json& usage, Reply& reply) {
    if (!usage.is_object()) return;
    reply.usage_known = true;
    if (usage.contains("input_tokens")) {
        reply.usage.cached_input_tokens = number_at(usage, {"cache_read_input_tokens"});
        reply.usage.cache_write_tokens = number_at(usage, {"cache_creation_input_tokens"});
        reply.usage.input_tokens = number_at(usage, {"input_tokens"}) + reply.usage.cached_input_tokens +
                                   reply.usage.cache_write_tokens;
    }
    reply.usage.output_tokens = number_at(usage, {"output_tokens"});
}

// Results come by the batch's own path: the address that the API gives for them may be anywhere, and a key
// goes to base_url only.
class MessageBatches : public BatchDialect {
  public:
    Result<std::string> submit(const ApiClient& client, const std::vector<BatchBody>& items) const override {
        json requests = json::array();
        for (const BatchBody& item : items)
            requests.push_back({{"custom_id", item.id}, {"params", item.body}});
        TRY_ASSIGN(const std::string text,
                   client.post("/messages/batches", dump_json({{"requests", requests}})));
        return text_at(parse_json(text), {"id"});
    }

    Result<std::optional<std::vector<BatchResult>>> results(const ApiClient& client,
                                                            const std::string& batch) const override {
        TRY_ASSIGN(const std::string state, client.get("/messages/batches/" + batch));
        if (text_at(parse_json(state), {"processing_status"}) != "ended")
            return std::optional<std::vector<BatchResult>>();
        TRY_ASSIGN(const std::string lines, client.get("/messages/batches/" + batch + "/results"));
        std::vector<BatchResult> found;
        for (const std::string& line : split_lines(lines)) {
            const json value = parse_json(line);
            BatchResult result{text_at(value, {"custom_id"}), json_at(value, {"result", "message"}), "", {}};
            if (result.answer.is_null()) {
                result.problem = text_at(value, {"result", "type"}) + " " +
                                 text_at(value, {"result", "error", "error", "message"});
                const std::optional<ApiError> error = read_api_error(json_at(value, {"result", "error"}));
                if (error && trouble_of(0, *error, "") == Trouble::rejected) result.error = error;
            }
            found.push_back(std::move(result));
        }
        return std::optional(std::move(found));
    }
};

class AnthropicMessages : public Dialect {
  public:
    std::string own_url() const override { return "https://api.anthropic.com"; }
    std::string own_variable() const override { return "ANTHROPIC_API_KEY"; }
    std::string version_path() const override { return "/v1"; }
    bool version_follows_path() const override { return true; }
    std::string key_header() const override { return "x-api-key: {key}"; }
    std::vector<std::string> headers() const override { return {"anthropic-version: 2023-06-01"}; }
    std::string path(const Llm&, bool) const override { return "/messages"; }
    std::string request_id_header() const override { return "request-id"; }

    Result<void> check(const Llm& llm) const override {
        if (llm.thinking.empty() || llm.thinking == "adaptive" ||
            llm.thinking.find_first_not_of("0123456789") == std::string::npos)
            return {};
        return Error{ErrorKind::config,
                     fmt::format("LLM '{}': thinking is \"adaptive\" or a number of tokens", llm.name)};
    }

    json body(const Llm& llm, const LlmRequest& request, const Asking& asking) const override {
        json messages =
            json::array({{{"role", "user"}, {"content", messages_content(llm, request, asking)}}});
        // The newest LLMs refuse a last message of the assistant's: a second turn asks for the rest.
        if (!asking.partial.empty()) {
            messages.push_back({{"role", "assistant"}, {"content", asking.partial}});
            messages.push_back({{"role", "user"}, {"content", k_continue_words}});
        }
        json body = {{"model", llm.id}, {"max_tokens", llm.max_output_tokens}, {"messages", messages}};
        if (!request.system.empty()) body["system"] = request.system;
        if (llm.temperature && asking.has("temperature")) body["temperature"] = *llm.temperature;
        if (!llm.effort.empty() && asking.has("effort")) body["output_config"] = {{"effort", llm.effort}};
        if (!llm.thinking.empty() && asking.has("thinking"))
            body["thinking"] = llm.thinking == "adaptive"
                                   ? json{{"type", "adaptive"}}
                                   : json{{"type", "enabled"}, {"budget_tokens", std::stol(llm.thinking)}};
        if (asking.stream) body["stream"] = true;
        return body;
    }

    std::vector<Optional> optionals() const override {
        return {{"temperature", {"temperature"}},
                {"effort", {"output_config", "effort"}},
                {"thinking", {"thinking", "budget_tokens"}},
                {"cache_control", {"cache_control"}}};
    }

    void read_event(std::string_view, const json& event, Reply& reply) const override {
        const std::string type = text_at(event, {"type"});
        if (type == "message_start") {
            reply.request_id = text_at(event, {"message", "id"});
            read_messages_usage(json_at(event, {"message", "usage"}), reply);
        } else if (type == "content_block_start") {
            read_block(json_at(event, {"content_block"}), reply);
        } else if (type == "content_block_delta") {
            read_delta(json_at(event, {"delta"}), reply);
        } else if (type == "message_delta") {
            read_messages_stop(json_at(event, {"delta"}), reply);
            read_messages_usage(json_at(event, {"usage"}), reply);
        }
    }

    const BatchDialect* batch_dialect() const override {
        static const MessageBatches k_batches;
        return &k_batches;
    }

    void read_whole(const json& answer, Reply& reply) const override {
        reply.request_id = text_at(answer, {"id"});
        for (const json& block : json_at(answer, {"content"})) read_block(block, reply);
        read_messages_stop(answer, reply);
        read_messages_usage(json_at(answer, {"usage"}), reply);
    }

  private:
    static void read_block(const json& block, Reply& reply) {
        const std::string type = text_at(block, {"type"});
        if (type == "text") reply.add_text(text_at(block, {"text"}));
        if (type == "thinking") reply.reasoning += text_at(block, {"thinking"});
    }
    static void read_delta(const json& delta, Reply& reply) {
        const std::string type = text_at(delta, {"type"});
        if (type == "text_delta") reply.add_text(text_at(delta, {"text"}));
        if (type == "thinking_delta") reply.reasoning += text_at(delta, {"thinking"});
    }
};

}  // namespace

std::unique_ptr<Provider> make_anthropic_provider() {
    return make_http_provider(std::make_unique<AnthropicMessages>());
}

}  // namespace kforge
