#include "kforge/forge/campaign_config.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

Result<CampaignConfig> read(const std::string& text, const RunConfig& defaults = {}) {
    return read_campaign(text, "c.toml", "/folder", defaults);
}

std::string why_not(const std::string& text) {
    const auto result = read(text);
    return result.ok() ? "read" : result.error().message;
}

constexpr const char* k_least = "[campaign]\nproblems = [\"p\"]\nllms = [\"a\"]\n";

TEST(CampaignFile, GivesAxesCapsAndSettings) {
    const CampaignConfig campaign = read(R"([campaign]
name = "autumn"
out = "here"
problems = ["starter", "mine/*.py"]
platforms = ["one"]
chain = ["two", "three"]
llms = ["a", "command:./x"]
jobs = 4
budget_usd = 2
budget_tokens = 1000
budget_calls = 7
budget_minutes = 1.5
[run]
iterations = 3
budget_usd = 0.5
[[override]]
platform = "t*"
iterations = 9
baselines = ["eager"]
[llms.a]
provider = "command"
[[guard]]
name = "x"
)")
                                        .value();
    EXPECT_EQ(campaign.name, "autumn");
    EXPECT_EQ(campaign.problems, (std::vector<std::string>{"starter", "mine/*.py"}));
    EXPECT_EQ(campaign.chain, (std::vector<std::string>{"two", "three"}));
    EXPECT_EQ(campaign.jobs, 4);
    EXPECT_EQ(campaign.caps.usd, 2);
    EXPECT_EQ(campaign.caps.tokens, 1000);
    EXPECT_EQ(campaign.caps.calls, 7);
    EXPECT_EQ(campaign.caps.minutes, 1.5);
    EXPECT_EQ(campaign.run.iterations, 3);
    EXPECT_EQ(campaign.run.budget_usd, 0.5) << "the cap of each run is another one";

    const RunConfig plain = settings_for(campaign, "p", "one", "a");
    EXPECT_EQ(plain.iterations, 3);
    EXPECT_EQ(plain.platform, "one");
    EXPECT_EQ(plain.llm, "a");
    const RunConfig other = settings_for(campaign, "p", "three", "a");
    EXPECT_EQ(other.iterations, 9);
    EXPECT_EQ(other.baselines, std::vector<std::string>{"eager"});
}

TEST(CampaignFile, TakesWhatItDoesNotSayFromTheUsersSettings) {
    RunConfig defaults;
    defaults.platform = "mine";
    defaults.llm = "my-llm";
    defaults.iterations = 8;
    const CampaignConfig campaign = read("[campaign]\nproblems = [\"p\"]\n", defaults).value();
    EXPECT_EQ(campaign.platforms, std::vector<std::string>{"mine"});
    EXPECT_EQ(campaign.llms, std::vector<std::string>{"my-llm"});
    EXPECT_EQ(campaign.run.iterations, 8);
}

TEST(CampaignFile, TellsWhatIsWrongWithItsLineAndTheNearestKey) {
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(why_not(text).find(part), std::string::npos) << why_not(text);
    };
    const std::string least = k_least;
    EXPECT_EQ(why_not(least), "read");
    has("[campaign]\nproblem = [\"p\"]\n",
        "c.toml:2: unknown key 'problem' in [campaign]: did you mean 'problems'?");
    has("[campaign]\nprecision = \"mixed\"\n", "a setting of runs stands in [run]");
    has("[campain]\n", "did you mean 'campaign'?");
    has("iterations = 3\n", "belongs to [run]");
    has(least + "[run]\niteration = 3\n", "c.toml:5: unknown key 'iteration': did you mean 'iterations'?");
    has(least + "[run]\nllm = \"a\"\n", "llm is no setting for all runs");
    has(least + "[run]\niterations = \"3\"\n", "iterations must be a whole number");
    has(least + "jobs = 0\n", "c.toml:4: jobs must be a whole number from 1 to");
    has(least + "budget_usd = -1\n", "budget_usd must be a number of at least 0");
    has(least + "[[override]]\niterations = 3\n", "names no runs");
    has(least + "[[override]]\nllm = \"a\"\nsampels = 3\n", "did you mean 'samples'?");
    has(least + "platforms = [\"x\"]\nchain = [\"y\", \"x\"]\n", "'x' is named twice");
    has("[campaign]\nproblems = [\"p\"]\n", "names no LLM");
    has("[campaign]\nllms = [\"a\"]\n", "names no problem");
    has("[campaign]\nproblems = \"p\"\n", "problems must be a list of texts");
    has("[campaign\n", "c.toml:1:");
}

TEST(CampaignFile, WrittenOutReadsBackTheSame) {
    const CampaignConfig campaign =
        read(std::string(k_least) +
             "chain = [\"x\", \"y\"]\njobs = 3\nbudget_usd = 0.25\n[run]\nsamples = 2\nprompt_append = "
             "[\"a\\\"b\"]\n"
             "[[override]]\nproblem = \"p*\"\nprecision = \"mixed\"\nban_pattern = [\"x\", \"y\"]\n")
            .value();
    const std::string written = to_toml(campaign);
    const CampaignConfig again = read_campaign(written, "frozen", {}, RunConfig{}).value();
    EXPECT_EQ(to_toml(again), written);
    EXPECT_EQ(to_toml(settings_for(again, "p1", "x", "a")), to_toml(settings_for(campaign, "p1", "x", "a")));
    EXPECT_EQ(settings_for(again, "p1", "x", "a").ban_pattern, (std::vector<std::string>{"x", "y"}));
    EXPECT_TRUE(settings_for(again, "q", "x", "a").ban_pattern.empty());
}

}  // namespace
}  // namespace kforge
