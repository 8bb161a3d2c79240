// Provider gemini: Google's generateContent.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/llm/dialect.hpp"
#include "kforge/llm/json_reading.hpp"

namespace kforge {
namespace {

using nlohmann::json;

json content_of(const char* role, json parts) {
    return {{"role", role}, {"parts", std::move(parts)}};
}

StopKind gemini_stop(const std::string& word) {
    if (word.empty()) return StopKind::none;
    if (word == "MAX_TOKENS") return StopKind::truncated;
    for (const char* refused :
         {"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"})
        if (word == refused) return StopKind::refused;
    return StopKind::finished;
}

class GeminiContent : public Dialect {
  public:
    std::string own_url() const override { return "https://generativelanguage.googleapis.com/v1beta"; }
    std::string own_variable() const override { return "GEMINI_API_KEY"; }
    std::string version_path() const override { return "/v1beta"; }
    std::string key_header() const override { return "x-goog-api-key: {key}"; }
    std::string path(const Llm& llm, bool stream) const override {
        return "/models/" + llm.id + (stream ? ":streamGenerateContent?alt=sse" : ":generateContent");
    }

    Result<void> check(const Llm& llm) const override {
        if (llm.id.find_first_of("/?#% ") != std::string::npos)
            return Error{
                ErrorKind::config,
                fmt::format("LLM '{}': id is a name such as gemini-3-pro, without models/", llm.name)};
        if (llm.thinking.empty() || llm.thinking == "adaptive" ||
            llm.thinking.find_first_not_of("0123456789") == std::string::npos)
            return {};
        return Error{ErrorKind::config,
                     fmt::format("LLM '{}': thinking is \"adaptive\" or a number of tokens", llm.name)};
    }

    json body(const Llm& llm, const LlmRequest& request, const Asking& asking) const override {
        json parts = json::array({{{"text", request.prompt}}});
        for (const std::string& image : asking.images)
            parts.push_back({{"inlineData", {{"mimeType", "image/png"}, {"data", image}}}});
        json contents = json::array({content_of("user", parts)});
        if (!asking.partial.empty()) {
            contents.push_back(content_of("model", json::array({{{"text", asking.partial}}})));
            contents.push_back(content_of("user", json::array({{{"text", k_continue_words}}})));
        }
        json config = {{"maxOutputTokens", llm.max_output_tokens}};
        if (!asking.has("maxOutputTokens")) config.erase("maxOutputTokens");
        if (llm.temperature && asking.has("temperature")) config["temperature"] = *llm.temperature;
        if (!llm.effort.empty() && asking.has("effort"))
            config["thinkingConfig"]["thinkingLevel"] = llm.effort;
        if (!llm.thinking.empty() && asking.has("thinking"))
            config["thinkingConfig"]["thinkingBudget"] =
                llm.thinking == "adaptive" ? -1 : std::stol(llm.thinking);
        json body = {{"contents", contents}, {"generationConfig", config}};
        if (!request.system.empty()) body["systemInstruction"] = {{"parts", {{{"text", request.system}}}}};
        return body;
    }

    std::vector<Optional> optionals() const override {
        return {{"temperature", {"temperature"}},
                {"effort", {"thinkingLevel", "thinking_level", "thinkingConfig", "thinking_config"}},
                {"thinking", {"thinkingBudget", "thinking_budget", "thinkingConfig", "thinking_config"}},
                {"maxOutputTokens", {"maxOutputTokens", "max_output_tokens"}}};
    }

    void read_event(std::string_view, const json& event, Reply& reply) const override {
        read_chunk(event, reply);
    }
    void read_whole(const json& answer, Reply& reply) const override { read_chunk(answer, reply); }

  private:
    // Every chunk of a stream has the form of a whole answer.
    static void read_chunk(const json& chunk, Reply& reply) {
        if (const std::string id = text_at(chunk, {"responseId"}); !id.empty()) reply.request_id = id;
        if (const json& usage = json_at(chunk, {"usageMetadata"}); usage.is_object()) {
            reply.usage_known = true;
            reply.usage.input_tokens = number_at(usage, {"promptTokenCount"});
            reply.usage.cached_input_tokens = number_at(usage, {"cachedContentTokenCount"});
            reply.usage.reasoning_tokens = number_at(usage, {"thoughtsTokenCount"});
            reply.usage.output_tokens =
                number_at(usage, {"candidatesTokenCount"}) + reply.usage.reasoning_tokens;
        }
        const json& candidate = json_at(chunk, {"candidates", size_t{0}});
        for (const json& part : json_at(candidate, {"content", "parts"})) {
            const json& thought = json_at(part, {"thought"});
            if (thought.is_boolean() && thought.get<bool>())
                reply.reasoning += text_at(part, {"text"});
            else
                reply.add_text(text_at(part, {"text"}));
        }
        std::string word = text_at(candidate, {"finishReason"});
        if (const std::string blocked = text_at(chunk, {"promptFeedback", "blockReason"}); !blocked.empty()) {
            reply.stop_word = blocked;
            reply.stop = StopKind::refused;
        } else if (!word.empty() && word != "FINISH_REASON_UNSPECIFIED") {
            reply.stop_word = std::move(word);
            reply.stop = gemini_stop(reply.stop_word);
            reply.refusal = text_at(candidate, {"finishMessage"});
        }
    }
};

}  // namespace

std::unique_ptr<Provider> make_gemini_provider() {
    return make_http_provider(std::make_unique<GeminiContent>());
}

}  // namespace kforge
