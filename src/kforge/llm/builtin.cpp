#include "kforge/llm/builtin.hpp"

namespace kforge {
namespace {

// What each fact rests on: the providers' own pages on models and prices, as they were on that day. Prices
// are the standard ones, in USD per million tokens. Tokens written to a cache are those of the short-lived
// one.
constexpr const char* k_date = "2026-11-15";

struct Prices {
    std::optional<double> input;
    std::optional<double> cached_input;
    std::optional<double> cache_write;
    std::optional<double> output;
};

const Prices k_unknown{};
const Prices k_free{.input = 0, .output = 0};  // the user's own machine

Llm llm(std::string name, std::string provider, std::string id, int context_tokens, int max_output_tokens,
        const Prices& prices, int priced_to_tokens = 0) {
    Llm entry;
    entry.name = std::move(name);
    entry.provider = std::move(provider);
    entry.id = std::move(id);
    entry.context_tokens = context_tokens;
    entry.max_output_tokens = max_output_tokens;
    entry.usd_per_million_input = prices.input;
    entry.usd_per_million_cached_input = prices.cached_input;
    entry.usd_per_million_cache_write = prices.cache_write;
    entry.usd_per_million_output = prices.output;
    entry.priced_to_tokens = priced_to_tokens;
    entry.facts_date = k_date;
    entry.origin = "built in";
    return entry;
}

// platform.claude.com/docs/en/models
Llm claude(std::string id, const Prices& prices, int priced_to_tokens = 0) {
    Llm entry = llm(id, "anthropic", id, 1'000'000, 128'000, prices, priced_to_tokens);
    entry.key_variable = "ANTHROPIC_API_KEY";
    entry.sees_images = entry.takes_effort = entry.caches_prompts = entry.takes_batches = true;
    return entry;
}

// developers.openai.com/api/docs/models: a prompt above 272,000 tokens costs twice as much.
Llm gpt(std::string id, const Prices& prices) {
    Llm entry = llm(id, "openai-responses", id, 1'050'000, 128'000, prices, 272'000);
    entry.key_variable = "OPENAI_API_KEY";
    entry.sees_images = entry.takes_effort = entry.caches_prompts = entry.takes_batches = true;
    return entry;
}

// ai.google.dev/gemini-api/docs/pricing. Its cache needs no marks in the prompt.
Llm gemini(std::string id, const Prices& prices) {
    Llm entry = llm(id, "gemini", id, 1'048'576, 65'536, prices);
    entry.key_variable = "GEMINI_API_KEY";
    entry.sees_images = entry.takes_effort = true;
    return entry;
}

// api-docs.deepseek.com/quick_start/pricing: the prices of peak hours; at other times it is half.
Llm deepseek(std::string id, const Prices& prices, bool sees_images) {
    Llm entry = llm(id, "openai-chat", id, 1'000'000, 384'000, prices);
    entry.base_url = "https://api.deepseek.com";
    entry.key_variable = "DEEPSEEK_API_KEY";
    entry.sees_images = sees_images;
    return entry;
}

// A server with many LLMs: the id is an example, to be replaced in [llms.NAME]. What it holds and costs
// depends on it.
Llm server(std::string name, std::string base_url, std::string key_variable, std::string example_id,
           const Prices& prices) {
    Llm entry = llm(name, "openai-chat", std::move(example_id), 131'072, 32'000, prices);
    entry.base_url = std::move(base_url);
    entry.key_variable = std::move(key_variable);
    entry.facts_date.clear();
    return entry;
}

}  // namespace

std::vector<Llm> builtin_llms() {
    Llm mailbox = llm("mailbox", "mailbox", "", 200'000, 32'000, k_free);
    mailbox.sees_images = true;
    mailbox.facts_date.clear();
    return {
        mailbox,
        claude("claude-fable-5-1", {.input = 10, .cached_input = 0.25, .cache_write = 12.5, .output = 50}),
        claude("claude-opus-5-5", {.input = 4, .cached_input = 0.2, .cache_write = 5, .output = 20}),
        claude("claude-sonnet-5-5", {.input = 2, .cached_input = 0.2, .cache_write = 2.5, .output = 10}),
        claude("claude-haiku-5-5", {.input = 0.1, .cached_input = 0.01, .cache_write = 0.125, .output = 0.5},
               100'000),
        gpt("gpt-6.1-sol", {.input = 2, .cached_input = 0.1, .cache_write = 2.5, .output = 10}),
        gpt("gpt-6.1-terra", {.input = 1, .cached_input = 0.05, .cache_write = 1.25, .output = 5}),
        gpt("gpt-6-luna", {.input = 0.1, .cached_input = 0.01, .cache_write = 0.125, .output = 0.5}),
        // From December 2026 on; until then it is half.
        gemini("gemini-4-argon", {.input = 4, .cached_input = 0.2, .output = 20}),
        // Until the end of 2026; announced for 2027: 1.50 and 7.50.
        gemini("gemini-3.8-flash", {.input = 0.75, .cached_input = 0.075, .output = 3.75}),
        gemini("gemini-3.1-pro-preview", k_unknown),
        deepseek("deepseek-v4-pro", {.input = 1.32, .cached_input = 0.044, .output = 3.96}, false),
        deepseek("deepseek-flash", {.input = 0.3, .cached_input = 0.006, .output = 1.2}, true),
        server("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "qwen/qwen3-coder",
               k_unknown),
        server("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY",
               "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8", k_unknown),
        server("ollama", "http://localhost:11434/v1", "", "qwen3-coder", k_free),
        server("vllm", "http://localhost:8000/v1", "", "Qwen/Qwen3-Coder-30B-A3B-Instruct", k_free),
        server("llama-cpp", "http://localhost:8080/v1", "", "default", k_free),
    };
}

}  // namespace kforge
