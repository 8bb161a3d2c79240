// Provider openai-chat: Chat Completions, the dialect that OpenAI, vLLM, SGLang, llama.cpp, Ollama, LM
// Studio, OpenRouter, DeepSeek, Together, Azure and Bedrock have in common.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/llm/batch_dialect.hpp"
#include "kforge/llm/dialect.hpp"
#include "kforge/llm/json_reading.hpp"
#include "kforge/net/url.hpp"

namespace kforge {
namespace {

using nlohmann::json;

// OpenAI and Azure have renamed it and refuse the old name; everyone else knows the old one, and some ignore
// the new one in silence.
bool has_new_limit_name(const Llm& llm) {
    const Result<Url> url = parse_url(llm.base_url);
    return url.ok() && (url->host.ends_with("openai.com") || url->host.ends_with("azure.com"));
}

json chat_user_content(const LlmRequest& request, const Asking& asking) {
    if (asking.images.empty()) return request.prompt;
    json parts = json::array({{{"type", "text"}, {"text", request.prompt}}});
    for (const std::string& image : asking.images)
        parts.push_back({{"type", "image_url"}, {"image_url", {{"url", "data:image/png;base64," + image}}}});
    return parts;
}

StopKind chat_stop(const std::string& word) {
    if (word.empty()) return StopKind::none;
    if (word == "length" || word == "max_tokens") return StopKind::truncated;
    if (word == "content_filter") return StopKind::refused;
    return StopKind::finished;
}

void read_chat_usage(const json& usage, Reply& reply) {
    if (!usage.is_object()) return;
    reply.usage_known = true;
    reply.usage.input_tokens = number_at(usage, {"prompt_tokens"});
    reply.usage.cached_input_tokens = number_at(usage, {"prompt_tokens_details", "cached_tokens"});
    if (reply.usage.cached_input_tokens == 0)  // DeepSeek
        reply.usage.cached_input_tokens = number_at(usage, {"prompt_cache_hit_tokens"});
    reply.usage.output_tokens = number_at(usage, {"completion_tokens"});
    reply.usage.reasoning_tokens = number_at(usage, {"completion_tokens_details", "reasoning_tokens"});
}

class OpenAiChat : public Dialect {
  public:
    std::string own_url() const override { return "https://api.openai.com/v1"; }
    std::string own_variable() const override { return "OPENAI_API_KEY"; }
    std::string version_path() const override { return "/v1"; }
    std::string key_header() const override { return "authorization: Bearer {key}"; }
    std::string path(const Llm&, bool) const override { return "/chat/completions"; }

    Result<void> check(const Llm& llm) const override {
        if (llm.thinking.empty()) return {};
        return Error{ErrorKind::config,
                     fmt::format("LLM '{}': this API has no thinking setting: use effort", llm.name)};
    }

    json body(const Llm& llm, const LlmRequest& request, const Asking& asking) const override {
        json messages = json::array();
        if (!request.system.empty()) messages.push_back({{"role", "system"}, {"content", request.system}});
        messages.push_back({{"role", "user"}, {"content", chat_user_content(request, asking)}});
        if (!asking.partial.empty()) {
            messages.push_back({{"role", "assistant"}, {"content", asking.partial}});
            messages.push_back({{"role", "user"}, {"content", k_continue_words}});
        }
        json body = {{"model", llm.id}, {"messages", messages}};
        // A server that refuses one name is asked with the other.
        if (asking.has("max_tokens"))
            body[has_new_limit_name(llm) == asking.has("limit name") ? "max_completion_tokens"
                                                                     : "max_tokens"] = llm.max_output_tokens;
        if (llm.temperature && asking.has("temperature")) body["temperature"] = *llm.temperature;
        if (!llm.effort.empty() && asking.has("effort")) body["reasoning_effort"] = llm.effort;
        if (llm.caches_prompts && stable_length(request) > 0 && asking.has("prompt_cache_key"))
            body["prompt_cache_key"] = cache_key(request);
        if (asking.stream) {
            body["stream"] = true;
            if (asking.has("stream_options")) body["stream_options"] = {{"include_usage", true}};
        }
        return body;
    }

    const BatchDialect* batch_dialect() const override {
        static const std::unique_ptr<BatchDialect> k_batches = make_openai_batches("/v1/chat/completions");
        return k_batches.get();
    }

    std::vector<Optional> optionals() const override {
        return {{"limit name", {"max_tokens", "max_completion_tokens"}},
                {"max_tokens", {"max_tokens", "max_completion_tokens"}},
                {"temperature", {"temperature"}},
                {"effort", {"reasoning_effort", "reasoning"}},
                {"prompt_cache_key", {"prompt_cache_key"}},
                {"stream_options", {"stream_options"}}};
    }

    void read_event(std::string_view, const json& event, Reply& reply) const override {
        read_choice(event, "delta", reply);
    }

    void read_whole(const json& answer, Reply& reply) const override {
        read_choice(answer, "message", reply);
        if (reply.stop == StopKind::none && !reply.text.empty()) reply.stop = StopKind::finished;
    }

  private:
    // Chunks and whole answers differ in one name.
    static void read_choice(const json& answer, const char* part, Reply& reply) {
        if (reply.request_id.empty()) reply.request_id = text_at(answer, {"id"});
        read_chat_usage(json_at(answer, {"usage"}), reply);
        const json& choice = json_at(answer, {"choices", size_t{0}});
        const json& message = json_at(choice, {part});
        reply.add_text(text_at(message, {"content"}));
        reply.reasoning += text_at(message, {"reasoning_content"});  // DeepSeek, llama.cpp
        reply.reasoning += text_at(message, {"reasoning"});          // vLLM, OpenRouter
        reply.refusal += text_at(message, {"refusal"});
        const std::string word = text_at(choice, {"finish_reason"});
        if (word.empty()) return;
        reply.stop_word = word;
        reply.stop = reply.refusal.empty() ? chat_stop(word) : StopKind::refused;
    }
};

}  // namespace

std::unique_ptr<Provider> make_openai_chat_provider() {
    return make_http_provider(std::make_unique<OpenAiChat>());
}

}  // namespace kforge
