// Entries of HTTP providers: addresses, keys, what is refused before anything is sent.
#include <nlohmann/json.hpp>

#include "kforge/llm/answer.hpp"
#include "kforge/llm/dialect.hpp"
#include "kforge/llm/registry.hpp"
#include "llm_test.hpp"

namespace kforge {
namespace {

Llm named(const std::string& name) {
    const Result<Llm> llm = LlmRegistry::builtin().find(name);
    if (!llm.ok()) ADD_FAILURE() << llm.error().message;
    return llm.value_or(Llm{});
}

Result<Llm> from_table(const std::string& table) {
    LlmRegistry registry = LlmRegistry::builtin();
    const Result<void> read = registry.extend("[llms.x]\n" + table, "/project/kforge.toml");
    if (!read.ok()) return read.error();
    return registry.find("x");
}

TEST(HttpEntry, OnTheSpotIsAnIdAndMaybeAnAddress) {
    const Llm plain = named("anthropic:claude-opus-5");
    EXPECT_EQ(plain.id, "claude-opus-5");
    EXPECT_EQ(plain.base_url, "https://api.anthropic.com");
    EXPECT_EQ(plain.key_variable, "ANTHROPIC_API_KEY");
    const Llm local = named("openai-chat:qwen/qwen3@2:7b@http://localhost:11434/v1");
    EXPECT_EQ(local.id, "qwen/qwen3@2:7b");
    EXPECT_EQ(local.base_url, "http://localhost:11434/v1");
    const Llm any = named("openai-chat:http://localhost:8080");
    EXPECT_EQ(any.id, "");
    EXPECT_EQ(any.base_url, "http://localhost:8080");
    const Llm socket = named("openai-chat:qwen3@unix:/run/llm.sock");
    EXPECT_EQ(socket.id, "qwen3");
    EXPECT_EQ(socket.socket, "/run/llm.sock");
}

TEST(HttpEntry, TheCustomaryKeyGoesToItsOwnServerOnly) {
    EXPECT_EQ(named("openai-responses:gpt").key_variable, "OPENAI_API_KEY");
    EXPECT_EQ(named("openai-chat:gpt@https://api.openai.com/v1").key_variable, "OPENAI_API_KEY");
    EXPECT_EQ(named("openai-chat:gpt@https://api.openai.com.evil.example/v1").key_variable, "");
    EXPECT_EQ(named("openai-chat:gpt@http://api.openai.com/v1").key_variable, "") << "not in the clear";
    EXPECT_EQ(named("openai-chat:gpt@http://localhost:1/v1").key_variable, "");
    EXPECT_EQ(from_table("provider = 'gemini'\nid = 'g'")->key_variable, "GEMINI_API_KEY");
    EXPECT_EQ(from_table("provider = 'gemini'\nid = 'g'\nkey_command = 'pass llm'")->key_variable, "");
    EXPECT_EQ(from_table("provider = 'anthropic'\nid = 'g'\nbase_url = 'https://x.example'")->key_variable,
              "");
}

TEST(HttpEntry, SaysWhatIsWrongWithATable) {
    const std::pair<const char*, const char*> bad[] = {
        {"provider = 'anthropic'", "id"},
        {"provider = 'openai-chat'\nid = 'x'\nbase_url = 'localhost:8080'", "base_url"},
        {"provider = 'openai-chat'\nid = 'x'\nheaders = ['Authorization: Bearer sk-123456789']", "{key}"},
        {"provider = 'openai-chat'\nid = 'x'\nheaders = ['no colon']", "Name: value"},
        {"provider = 'openai-chat'\nid = 'x'\nthinking = '1000'", "effort"},
        {"provider = 'anthropic'\nid = 'x'\nthinking = 'much'", "adaptive"},
        {"provider = 'gemini'\nid = 'models/x'", "without models/"},
    };
    for (const auto& [table, word] : bad) {
        const Result<Llm> llm = from_table(table);
        ASSERT_FALSE(llm.ok()) << table;
        EXPECT_NE(llm.error().message.find(word), std::string::npos) << llm.error().message;
        EXPECT_EQ(llm.error().message.find("sk-123456789"), std::string::npos);
    }
}

TEST(HttpEntry, HeadersStayAsTheyAreWritten) {
    const Result<Llm> llm = from_table(
        "provider = 'openai-chat'\nid = 'x'\nheaders = ['HTTP-Referer: https://kforge.example/a b', 'X-Y: "
        "z']");
    ASSERT_TRUE(llm.ok()) << llm.error().message;
    EXPECT_EQ(llm->headers, (std::vector<std::string>{"HTTP-Referer: https://kforge.example/a b", "X-Y: z"}));
}

TEST(HttpEntry, EveryHttpProviderIsInTheTable) {
    for (const char* name : {"anthropic", "openai-responses", "openai-chat", "gemini"})
        EXPECT_TRUE(make_provider(name).ok()) << name;
}

TEST(StablePart, EndsAtACharacter) {
    LlmRequest request;
    request.prompt = "ab\xC3\xA9z";
    for (const auto& [bytes, length] :
         {std::pair<size_t, size_t>{0, 0}, {2, 2}, {3, 2}, {4, 4}, {5, 5}, {99, 5}}) {
        request.stable_bytes = bytes;
        EXPECT_EQ(stable_length(request), length) << bytes;
    }
}

TEST(StablePart, HasANameThatDependsOnItAlone) {
    LlmRequest one{.system = "s", .prompt = "stable, then this", .stable_bytes = 8};
    LlmRequest two{.system = "s", .prompt = "stable, then that", .stable_bytes = 8};
    EXPECT_EQ(cache_key(one), cache_key(two));
    two.prompt = "Stable, then this";
    EXPECT_NE(cache_key(one), cache_key(two));
}

TEST(Prices, OfCachedTokensAreTheirOwn) {
    Llm llm;
    llm.usd_per_million_input = 10;
    llm.usd_per_million_output = 50;
    const Usage usage{
        .input_tokens = 1000, .cached_input_tokens = 600, .cache_write_tokens = 300, .output_tokens = 100};
    EXPECT_DOUBLE_EQ(cost_usd(llm, usage), (1000 * 10 + 100 * 50) / 1e6) << "unknown: rather too much";
    llm.usd_per_million_cached_input = 1;
    llm.usd_per_million_cache_write = 12.5;
    EXPECT_DOUBLE_EQ(cost_usd(llm, usage), (100 * 10 + 600 * 1 + 300 * 12.5 + 100 * 50) / 1e6);
}

}  // namespace
}  // namespace kforge
