#include "kforge/llm/registry.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kforge {
namespace {

constexpr const char* k_origin = "/project/kforge.toml";

Error extend_error(const std::string& toml) {
    LlmRegistry registry = LlmRegistry::builtin();
    const size_t before = registry.entries().size();
    const Result<void> result = registry.extend(toml, k_origin);
    EXPECT_EQ(registry.entries().size(), before) << "changed in spite of an error";
    if (!result.ok()) return result.error();
    ADD_FAILURE() << "accepted: " << toml;
    return {ErrorKind::internal, ""};
}

Llm extended(const std::string& toml, const std::string& name) {
    LlmRegistry registry = LlmRegistry::builtin();
    const Result<void> result = registry.extend(toml, k_origin);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return registry.find(name).value();
}

bool contains(const Error& error, std::string_view text) {
    return error.message.find(text) != std::string::npos;
}

TEST(LlmRegistry, NamesOnTheSpotNeedNoEntry) {
    const LlmRegistry registry = LlmRegistry::builtin();
    const Llm command = registry.find("command:llm -m 'my llm'").value();
    EXPECT_EQ(command.provider, "command");
    EXPECT_EQ(command.command, (std::vector<std::string>{"llm", "-m", "my llm"}));
    EXPECT_EQ(command.name, "command:llm -m 'my llm'");

    EXPECT_EQ(registry.find("mailbox").value().directory, fs::path());
    EXPECT_EQ(registry.find("mailbox:/a/box").value().directory, "/a/box");
    EXPECT_EQ(registry.find("replay:/a/run").value().directory, "/a/run");
}

TEST(LlmRegistry, PathsOnTheSpotAreRelativeToTheWorkingDirectory) {
    const LlmRegistry registry = LlmRegistry::builtin();
    EXPECT_EQ(registry.find("command:./ask.sh -x").value().command[0], fs::current_path() / "ask.sh");
    EXPECT_EQ(registry.find("mailbox:box").value().directory, fs::current_path() / "box");
    EXPECT_EQ(registry.find("replay:../run").value().directory, fs::current_path().parent_path() / "run");
}

TEST(LlmRegistry, AMailboxSeesImagesAndACommandDoesNotUnlessToldSo) {
    const LlmRegistry registry = LlmRegistry::builtin();
    EXPECT_TRUE(registry.find("mailbox").value().sees_images);
    EXPECT_TRUE(registry.find("mailbox:/a/box").value().sees_images);
    EXPECT_FALSE(registry.find("command:llm").value().sees_images);
    EXPECT_TRUE(extended("[llms.m]\nprovider = 'mailbox'", "m").sees_images);
    EXPECT_FALSE(extended("[llms.m]\nprovider = 'mailbox'\nsees_images = false", "m").sees_images);
}

TEST(LlmRegistry, AnIncompleteNameSaysWhatIsMissing) {
    const LlmRegistry registry = LlmRegistry::builtin();
    for (const auto& [name, hint] : {std::pair{"command", "command:PROGRAM"},
                                     {"command:", "command:PROGRAM"},
                                     {"command:''", "command:PROGRAM"},
                                     {"replay", "replay:DIR"}}) {
        const auto llm = registry.find(name);
        ASSERT_FALSE(llm.ok()) << name;
        EXPECT_EQ(llm.error().kind, ErrorKind::config);
        EXPECT_TRUE(contains(llm.error(), hint)) << llm.error().message;
    }
    EXPECT_EQ(registry.find("command:ask 'x").error().kind, ErrorKind::usage);
}

TEST(LlmRegistry, AnUnknownNameIsAUsageErrorWithTheNearest) {
    const LlmRegistry registry = LlmRegistry::builtin();
    for (const auto& [name, near] : {std::pair{"mailbx", "mailbox"}, {"comand:ask", "command"}}) {
        const auto llm = registry.find(name);
        ASSERT_FALSE(llm.ok());
        EXPECT_EQ(llm.error().kind, ErrorKind::usage);
        EXPECT_TRUE(contains(llm.error(), std::string("did you mean ") + near)) << llm.error().message;
    }
    EXPECT_EQ(registry.find("quite-something-else").error().kind, ErrorKind::usage);
    EXPECT_EQ(registry.find("").error().kind, ErrorKind::usage);
}

TEST(LlmRegistry, EveryKeyOfATableIsRead) {
    const Llm llm = extended(R"(
        iterations = 3
        [llms.fast]
        provider = "command"
        id = "fast-1"
        base_url = "http://localhost:1/v1"
        key_variable = "FAST_KEY"
        command = ["ask", "--fast"]
        directory = "box"
        temperature = 0.5
        effort = "high"
        max_output_tokens = 1000
        context_tokens = 2000
        timeout_s = 30
        usd_per_million_input = 1
        usd_per_million_output = 2.5
        sees_images = true)",
                             "fast");
    EXPECT_EQ(llm.name, "fast");
    EXPECT_EQ(llm.provider, "command");
    EXPECT_EQ(llm.id, "fast-1");
    EXPECT_EQ(llm.base_url, "http://localhost:1/v1");
    EXPECT_EQ(llm.key_variable, "FAST_KEY");
    EXPECT_EQ(llm.command, (std::vector<std::string>{"ask", "--fast"}));
    EXPECT_EQ(llm.directory, "/project/box");
    EXPECT_EQ(llm.temperature, 0.5);
    EXPECT_EQ(llm.effort, "high");
    EXPECT_EQ(llm.max_output_tokens, 1000);
    EXPECT_EQ(llm.context_tokens, 2000);
    EXPECT_EQ(llm.timeout_s, 30);
    EXPECT_EQ(llm.usd_per_million_input, 1);
    EXPECT_EQ(llm.usd_per_million_output, 2.5);
    EXPECT_TRUE(llm.sees_images);
    EXPECT_EQ(llm.origin, k_origin);
}

TEST(LlmRegistry, CommandMayBeOneTextAndItsProgramIsRelativeToTheFile) {
    EXPECT_EQ(extended("[llms.a]\nprovider = 'command'\ncommand = './bin/ask \"a b\"'", "a").command,
              (std::vector<std::string>{"/project/bin/ask", "a b"}));
    EXPECT_EQ(extended("[llms.a]\nprovider = 'command'\ncommand = ['../ask']", "a").command,
              std::vector<std::string>{"/ask"});
    EXPECT_EQ(extended("[llms.a]\nprovider = 'command'\ncommand = 'ask'", "a").command,
              std::vector<std::string>{"ask"});
}

TEST(LlmRegistry, ALaterTableChangesTheKeysItGives) {
    LlmRegistry registry = LlmRegistry::builtin();
    ASSERT_TRUE(
        registry.extend("[llms.a]\nprovider = 'command'\ncommand = 'ask'\ntimeout_s = 5", "/one.toml").ok());
    const size_t count = registry.entries().size();
    ASSERT_TRUE(registry.extend("[llms.a]\ntimeout_s = 6", "/two.toml").ok());
    EXPECT_EQ(registry.entries().size(), count);
    const Llm llm = registry.find("a").value();
    EXPECT_EQ(llm.timeout_s, 6);
    EXPECT_EQ(llm.command, std::vector<std::string>{"ask"});
    EXPECT_EQ(llm.origin, "/two.toml");
}

TEST(LlmRegistry, AnotherProviderStartsAfresh) {
    LlmRegistry registry = LlmRegistry::builtin();
    ASSERT_TRUE(
        registry.extend("[llms.a]\nprovider = 'command'\ncommand = 'ask'\ntimeout_s = 5", "/one.toml").ok());
    ASSERT_TRUE(registry.extend("[llms.a]\nprovider = 'mailbox'", "/two.toml").ok());
    const Llm llm = registry.find("a").value();
    EXPECT_TRUE(llm.command.empty());
    EXPECT_EQ(llm.timeout_s, Llm{}.timeout_s);
}

TEST(LlmRegistry, ABuiltInEntryCanBeOverridden) {
    const Llm llm = extended("[llms.mailbox]\ndirectory = 'box'", "mailbox");
    EXPECT_EQ(llm.directory, "/project/box");
    EXPECT_TRUE(llm.sees_images);
}

TEST(LlmRegistry, AFileWithoutLlmsChangesNothing) {
    LlmRegistry registry = LlmRegistry::builtin();
    const size_t before = registry.entries().size();
    EXPECT_TRUE(registry.extend("iterations = 3\n[other]\nx = 1", k_origin).ok());
    EXPECT_EQ(registry.entries().size(), before);
}

TEST(LlmRegistry, WrongTablesAreConfigErrorsThatNameFileEntryLineAndRemedy) {
    const std::string head =
        "[llms.good]\nprovider = 'mailbox'\n[llms.bad]\nprovider = 'command'\ncommand = 'x'\n";
    const std::pair<std::string, const char*> cases[] = {
        {head + "timeout = 3", "did you mean timeout_s?"},
        {head + "zzzzzzzz = 3", "the keys are provider, "},
        {head + "timeout_s = 0", "timeout_s must be a positive whole number"},
        {head + "timeout_s = 1.5", "a positive whole number"},
        {head + "timeout_s = 99999999999", "a positive whole number"},
        {head + "temperature = 'hot'", "temperature must be a number"},
        {head + "temperature = nan", "a number"},
        {head + "usd_per_million_input = -1", "not negative"},
        {head + "id = 3", "id must be a text"},
        {head + "sees_images = 1", "true or false"},
        {head + "directory = 1", "a path"},
        {head + "key_variable = 'my key'", "the name of an environment variable"},
    };
    for (const auto& [toml, hint] : cases) {
        const Error error = extend_error(toml);
        EXPECT_EQ(error.kind, ErrorKind::config);
        EXPECT_TRUE(contains(error, hint)) << error.message;
        EXPECT_TRUE(contains(error, k_origin)) << error.message;
        EXPECT_TRUE(contains(error, "[llms.bad]")) << error.message;
        EXPECT_TRUE(contains(error, "line 6")) << error.message;
    }
    EXPECT_TRUE(
        contains(extend_error("[llms.bad]\nprovider = 'command'\ncommand = [1]"), "an array of texts"));
    EXPECT_TRUE(contains(extend_error("[llms.bad]\nprovider = 'command'\ncommand = \"x 'y\""), "quotes"));
    EXPECT_TRUE(contains(extend_error("[llms.bad]\nprovider = 'command'"), "has no program"));
    EXPECT_TRUE(contains(extend_error("[llms.bad]\nprovider = 'replay'"), "has no recording"));
    EXPECT_TRUE(contains(extend_error("[llms.bad]\nprovider = 3"), "provider"));
    EXPECT_TRUE(contains(extend_error("[llms.bad]\nid = 'x'"), "command, mailbox, replay"));
    EXPECT_TRUE(contains(extend_error("[llms.bad]\nprovider = 'oracle'"), "command, mailbox, replay"));
    EXPECT_TRUE(contains(extend_error("[llms]\nbad = 3"), "must be a table"));
    EXPECT_TRUE(contains(extend_error("llms = 3"), "[llms.NAME]"));
    EXPECT_TRUE(contains(extend_error("[llms.bad\n"), "line 1"));
}

TEST(LlmRegistry, NoErrorPrintsAValue) {
    const std::string key = "sk-secret-0123456789";
    for (const char* name : {"api_key", "key", "key_variable", "timeout_s"}) {
        const Error error =
            extend_error(std::string("[llms.a]\nprovider = 'mailbox'\n") + name + " = '" + key + "'");
        EXPECT_FALSE(contains(error, "sk-")) << error.message;
    }
}

TEST(LlmRegistry, AFrozenEntryReadsBackTheSameElsewhere) {
    const LlmRegistry registry = LlmRegistry::builtin();
    Llm full = extended(
        "[llms.full]\nprovider = 'command'\ncommand = ['./ask', 'a \"b\"']\ntemperature = 0.1", "full");
    full.usd_per_million_output = 2.5;
    full.timeout_s = 7;
    for (const Llm& llm :
         {full, registry.find("mailbox").value(), registry.find("mailbox:box").value(),
          registry.find("command:./ask 'a b' \\\"").value(), registry.find("replay:run").value()}) {
        LlmRegistry elsewhere;
        const Result<void> read = elsewhere.extend(to_toml(llm), "/other/run.toml");
        ASSERT_TRUE(read.ok()) << read.error().message << "\n" << to_toml(llm);
        const Llm back = elsewhere.find(llm.name).value();
        EXPECT_EQ(to_toml(back), to_toml(llm));
        EXPECT_EQ(back.command, llm.command);
        EXPECT_EQ(back.directory, llm.directory);
        EXPECT_EQ(back.temperature, llm.temperature);
        EXPECT_EQ(back.timeout_s, llm.timeout_s);
        EXPECT_EQ(back.sees_images, llm.sees_images);
        EXPECT_EQ(back.usd_per_million_output, llm.usd_per_million_output);
    }
}

// --- Built-in entries

TEST(BuiltInLlms, HaveNamesOfTheirOwnAndSayWhenTheirFactsWereTrue) {
    std::set<std::string> names;
    const LlmRegistry registry = LlmRegistry::builtin();
    for (const Llm& llm : registry.entries()) {
        EXPECT_TRUE(names.insert(llm.name).second) << llm.name;
        EXPECT_EQ(llm.origin, "built in") << llm.name;
        const bool has_facts = llm.takes_effort || llm.caches_prompts || llm.takes_batches;
        EXPECT_EQ(llm.facts_date.size(), has_facts ? 10u : llm.facts_date.size()) << llm.name;
        EXPECT_GE(llm.context_tokens, llm.max_output_tokens) << llm.name;
    }
    for (const char* name : {"mailbox", "claude-opus-5-5", "gpt-6.1-sol", "gemini-3.8-flash",
                             "deepseek-v4-pro", "openrouter", "together", "ollama", "vllm"})
        EXPECT_TRUE(names.count(name)) << name;
}

TEST(BuiltInLlms, HavePricesInAPlausibleOrderOrNone) {
    const LlmRegistry registry = LlmRegistry::builtin();
    for (const Llm& llm : registry.entries()) {
        EXPECT_EQ(llm.usd_per_million_input.has_value(), llm.usd_per_million_output.has_value()) << llm.name;
        if (!llm.usd_per_million_input) continue;
        const double input = *llm.usd_per_million_input;
        EXPECT_LE(llm.usd_per_million_cached_input.value_or(input), input) << llm.name;
        EXPECT_GE(llm.usd_per_million_cache_write.value_or(input), input) << llm.name;
        EXPECT_GE(*llm.usd_per_million_output, input) << llm.name;
    }
}

// A provider that this build does not have yet is skipped; where it is there, its entries must be whole.
TEST(BuiltInLlms, AreWhatTheirProvidersNeed) {
    int skipped = 0;
    const LlmRegistry registry = LlmRegistry::builtin();
    for (const Llm& llm : registry.entries()) {
        const auto provider = make_provider(llm.provider);
        if (!provider.ok()) {
            ++skipped;
            continue;
        }
        const Result<void> checked = provider.value()->check(llm);
        EXPECT_TRUE(checked.ok()) << llm.name << ": " << (checked.ok() ? "" : checked.error().message);
    }
    if (skipped > 0) GTEST_SKIP() << skipped << " entries have a provider that is not in this build";
}

}  // namespace
}  // namespace kforge
