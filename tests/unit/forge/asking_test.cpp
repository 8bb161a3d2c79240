// What a run does around its questions: budgets, answers that arrive in pieces or not at all, images, and
// prompts that begin alike.
#include <sys/stat.h>

#include "../prompt/rendering.hpp"
#include "forge_support.hpp"
#include "kforge/forge/asking.hpp"

namespace kforge {
namespace {

using Strings = std::vector<std::string>;
using nlohmann::json;

class AskingTest : public ::testing::Test, protected ForgeBench {
  protected:
    void script(const std::vector<Evaluation>& evaluations) {
        for (size_t i = 0; i < evaluations.size(); ++i)
            arena.evaluations[std::to_string(i + 1)] = evaluations[i];
    }
    // A generation answer that took so much; the analysis agent's take nothing.
    void costs(int iteration, long tokens, double usd) {
        LlmOutcome outcome = answer_with(std::to_string(iteration));
        std::get<LlmAnswer>(outcome).usage = {.output_tokens = tokens, .usd = usd};
        provider.outcomes["generation " + std::to_string(iteration)] = outcome;
    }
    void price(double input, double output, int max_output_tokens) {
        llm.usd_per_million_input = input;
        llm.usd_per_million_output = output;
        llm.max_output_tokens = max_output_tokens;
    }
    std::string stored(int iteration, const std::string& name) const {
        return read_file(path() / "iterations" / ("0" + std::to_string(iteration)) / name)
            .value_or("(missing)");
    }
};

TEST_F(AskingTest, ABudgetOfTokensStopsTheRunAndMoreLetsItGoOn) {
    script({wrong(), wrong(), wrong(), correct_at(1)});
    price(0, 0, 1000);
    for (int i = 1; i <= 4; ++i) costs(i, 900, 0);
    config.budget_tokens = 20'000;
    provider.on_ask = [&](const std::string& key) {
        if (key == "generation 2") costs(2, 18'500, 0);
    };
    const RunSummary stopped = run_ok();
    EXPECT_EQ(stopped.records.size(), 2u);
    EXPECT_NE(stopped.stopped.find("20000 tokens"), std::string::npos) << stopped.stopped;
    EXPECT_EQ(events().back(), "stopped");
    config.budget_tokens = 0;
    EXPECT_EQ(run_ok().best, 4);
    EXPECT_EQ(provider.asked.size(), 4u) << "nothing is asked twice";
}

TEST_F(AskingTest, ABudgetOfMoneyStopsTheRunAlsoBetweenTheAgents) {
    script({correct_at(1), correct_at(2)});
    price(0, 100, 1000);  // 0.1 USD a call at most
    costs(1, 1000, 0.1);
    config.budget_usd = 0.15;
    const RunSummary stopped = run_ok();
    EXPECT_EQ(stopped.records.size(), 1u);
    EXPECT_EQ(stopped.best, 1);
    EXPECT_NE(stopped.stopped.find("0.15 USD"), std::string::npos) << stopped.stopped;
    EXPECT_EQ(provider.asked, Strings{"generation 1"});
}

TEST_F(AskingTest, ABudgetThatAllowsNoCallAtAllAsksNobody) {
    script({correct_at(1)});
    price(0, 100, 1000);
    config.budget_usd = 0.09;
    EXPECT_FALSE(run_ok().stopped.empty());
    EXPECT_TRUE(provider.asked.empty());
}

TEST_F(AskingTest, CallsAreCountedOverAllSittings) {
    script({wrong(), wrong(), wrong(), wrong()});
    config.budget_calls = 2;
    EXPECT_NE(run_ok().stopped.find("2 calls"), std::string::npos);
    EXPECT_EQ(provider.asked.size(), 2u);
    run_ok();
    EXPECT_EQ(provider.asked.size(), 2u);
    config.budget_calls = 3;
    run_ok();
    EXPECT_EQ(provider.asked.size(), 3u);
}

TEST_F(AskingTest, MinutesAreCountedOverAllSittings) {
    auto run_directory = RunDirectory::create(path(), "", "").value();
    ASSERT_TRUE(run_directory->append("generation_answered", 9, {{"worked_s", 590.0}}).ok());
    EXPECT_EQ(worked_seconds(*run_directory), 590);
    run_directory.reset();
    script({correct_at(1)});
    config.budget_minutes = 10;
    EXPECT_NE(run_ok().stopped.find("10 minutes"), std::string::npos);
    EXPECT_TRUE(provider.asked.empty());
    config.budget_minutes = 20;
    config.strategy = "single";
    run_ok();
    EXPECT_LE(provider.limits.at("generation 1").timeout_s, 610) << "a call gets no more time than is left";
}

TEST_F(AskingTest, ParallelSamplesReserveTheirWorstCaseTogether) {
    script(std::vector<Evaluation>(6, wrong()));
    config.strategy = "sample";
    config.samples = config.parallel = 6;
    price(0, 100, 1000);  // 0.1 USD a call at most
    for (int i = 1; i <= 6; ++i) costs(i, 1000, 0.1);
    config.budget_usd = 0.35;
    const RunSummary stopped = run_ok();
    EXPECT_EQ(provider.asked.size(), 3u) << "a fourth would have crossed the cap";
    EXPECT_EQ(stopped.records.size(), 3u) << "in order: what was paid for is evaluated";
    EXPECT_LE(stopped.usage.usd, 0.35);
    EXPECT_FALSE(stopped.stopped.empty());
}

TEST_F(AskingTest, WhatParallelSamplesDidNotSpendIsSpentOnMore) {
    script(std::vector<Evaluation>(6, wrong()));
    config.strategy = "sample";
    config.samples = config.parallel = 6;
    price(0, 100, 1000);
    for (int i = 1; i <= 6; ++i) costs(i, 100, 0.01);
    config.budget_usd = 0.25;
    EXPECT_EQ(run_ok().records.size(), 6u);
}

TEST_F(AskingTest, AnAnswerThatIsStillOutKeepsItsReserve) {
    script(std::vector<Evaluation>(3, wrong()));
    config.strategy = "sample";
    price(0, 100, 1000);
    config.samples = config.parallel = 3;
    config.budget_usd = 0.25;
    for (int i = 1; i <= 3; ++i) provider.outcomes["generation " + std::to_string(i)] = LlmPending{"wait"};
    EXPECT_EQ(run_ok().suspended, "wait");
    const std::set<std::string> asked(provider.asked.begin(), provider.asked.end());
    EXPECT_EQ(asked, (std::set<std::string>{"generation 1", "generation 2"}))
        << "a third could cross the cap";
}

TEST_F(AskingTest, TheObserverHearsOfTheCostAlsoWhileSampling) {
    script(std::vector<Evaluation>(2, wrong()));
    config.strategy = "sample";
    config.samples = config.parallel = 2;
    run_ok();
    EXPECT_EQ(notes.used.first, 220);
    EXPECT_DOUBLE_EQ(notes.used.second, 1);
}

TEST_F(AskingTest, TheJournalSaysWhetherACallWasPriced) {
    script({wrong(), wrong()});
    config.iterations = 1;
    run_ok();
    EXPECT_NE(read_file(path() / "journal.jsonl").value().find("\"priced\":false"), std::string::npos);
}

// --- Answers that arrive, or do not

TEST_F(AskingTest, AnAnswerIsOnDiskWhileItArrivesAndGoneWhenItIsStored) {
    script({correct_at(1)});
    config.strategy = "single";
    provider.streamed["generation 1"] = [&](const LlmCall& call) {
        call.on_text("Here ");
        EXPECT_EQ(stored(1, "response.partial.md"), "Here ");
        call.on_text("it is.");
    };
    run_ok();
    EXPECT_EQ(notes.received, 11u);
    EXPECT_EQ(stored(1, "response.partial.md"), "(missing)");
    EXPECT_NE(stored(1, "response.md"), "(missing)");
}

TEST_F(AskingTest, AnAnswerThatBeginsAnewBeginsAnewOnDiskToo) {
    script({});
    config.strategy = "single";
    provider.streamed["generation 1"] = [&](const LlmCall& call) {
        call.on_text("Half");
        call.on_restart();
        call.on_text("Whole");
        call.on_note("the stream broke");
    };
    provider.outcomes["generation 1"] = LlmFailure{"network", "cut off", {}};
    run_ok();
    EXPECT_EQ(stored(1, "response.partial.md"), "Whole");
    EXPECT_NE(notes.text().find("the stream broke"), std::string::npos);
}

TEST_F(AskingTest, ACallPaysTwiceOnlyWhereTheBudgetAllowsIt) {
    script({wrong(), wrong()});
    config.iterations = 2;
    price(0, 100, 1000);  // 0.1 USD a request at most
    config.budget_usd = 0.35;
    costs(1, 1000, 0.2);
    std::vector<bool> allowed;
    for (const char* key : {"generation 1", "generation 2"})
        provider.streamed[key] = [&](const LlmCall& call) {
            allowed.push_back(call.may_pay_again({.usd = 0.1}));
        };
    run_ok();
    EXPECT_EQ(allowed, (std::vector<bool>{true, false}));
}

TEST_F(AskingTest, WhatHadArrivedBeforeAFailureIsKept) {
    script({});
    config.strategy = "single";
    provider.streamed["generation 1"] = [](const LlmCall& call) { call.on_text("Half an ans"); };
    provider.outcomes["generation 1"] = LlmFailure{"network", "cut off", {}};
    run_ok();
    EXPECT_EQ(stored(1, "response.partial.md"), "Half an ans");
}

TEST_F(AskingTest, EveryFailureOfAnLlmIsAVerdictAndTheRunGoesOn) {
    const Strings reasons = {"network", "refused", "truncated", "empty"};
    for (size_t i = 0; i < reasons.size(); ++i)
        provider.outcomes["generation " + std::to_string(i + 1)] =
            LlmFailure{reasons[i], "because " + reasons[i], {}};
    arena.evaluations["5"] = correct_at(2);
    config.iterations = 5;
    const RunSummary summary = run_ok();
    ASSERT_EQ(summary.records.size(), 5u);
    for (size_t i = 0; i < reasons.size(); ++i) {
        const Verdict& verdict = summary.records[i].evaluation.verdict;
        EXPECT_EQ(verdict.state, State::generation_failure);
        EXPECT_EQ(to_string(*verdict.reason), reasons[i]);
        EXPECT_EQ(verdict.evidence, "because " + reasons[i]);
        EXPECT_EQ(told(static_cast<int>(i) + 2)["previous"]["reason"], reasons[i]);
    }
    EXPECT_EQ(summary.best, 5);
}

TEST_F(AskingTest, ATruncatedAnswerWithAWholeCandidateCounts) {
    LlmAnswer whole;
    whole.text =
        "```python\nimport torch\n\nclass NewModel(torch.nn.Module):\n    mark = '1'\n"
        "    def forward(self, x):\n        return x\n```\nAnd now I will expl";
    whole.truncated = true;
    LlmAnswer half;
    half.text =
        "```python\nimport torch\n\nclass NewModel(torch.nn.Module):\n    mark = 'half'\n    def forw";
    half.truncated = true;
    provider.outcomes = {{"generation 1", whole}, {"generation 2", half}};
    script({wrong()});
    config.iterations = 2;
    const RunSummary summary = run_ok();
    EXPECT_EQ(summary.records[0].evaluation.verdict.reason, Reason::values) << "it was evaluated";
    EXPECT_EQ(summary.records[1].evaluation.verdict.reason, Reason::truncated);
}

TEST_F(AskingTest, ARefusedKeyStopsTheRunAndItGoesOnWithTheRightOne) {
    script({wrong(), correct_at(2)});
    config.iterations = 2;
    provider.errors.emplace("generation 2",
                            Error{ErrorKind::environment, "the key was refused: set FAKE_KEY"});
    const Result<RunSummary> failed = run();
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, ErrorKind::environment);
    EXPECT_EQ(stored(2, "response.json"), "(missing)");
    provider.errors.clear();
    EXPECT_EQ(run_ok().best, 2);
    EXPECT_EQ(provider.times_asked("generation 1"), 1);
    EXPECT_EQ(provider.times_asked("generation 2"), 2);
}

TEST_F(AskingTest, ASpentQuotaWhileSamplingLosesNoOtherAnswer) {
    script({wrong(), wrong(), correct_at(1)});
    config.strategy = "sample";
    config.samples = config.parallel = 3;
    provider.errors.emplace("generation 2", Error{ErrorKind::environment, "the quota is spent"});
    ASSERT_FALSE(run().ok());
    provider.errors.clear();
    EXPECT_EQ(run_ok().best, 3);
    EXPECT_EQ(provider.times_asked("generation 1") + provider.times_asked("generation 3"), 2);
}

TEST_F(AskingTest, AnAnswerWithoutRoomIsKeptElsewhereAndCanBeBroughtBack) {
    script({correct_at(1)});
    config.strategy = "single";
    rescue = folder.path() / "elsewhere";
    ASSERT_TRUE(make_directories(rescue).ok());
    const fs::path blocked = path() / "iterations/01/response.json";
    // A folder of that name: no file can be put in its place, whoever writes.
    provider.on_ask = [&](const std::string&) { fs::create_directories(blocked / "x"); };
    const Result<RunSummary> failed = run();
    ASSERT_FALSE(failed.ok());
    const std::string& message = failed.error().message;
    EXPECT_NE(message.find("response.json"), std::string::npos) << message;
    ASSERT_FALSE(fs::is_empty(rescue)) << message;
    const fs::path kept = fs::directory_iterator(rescue)->path();
    EXPECT_NE(message.find(kept.string()), std::string::npos) << message;

    fs::remove_all(blocked);
    fs::rename(kept, blocked);
    provider.on_ask = nullptr;
    EXPECT_EQ(run_ok().best, 1);
    EXPECT_EQ(provider.times_asked("generation 1"), 1) << "it was paid for once";
}

TEST_F(AskingTest, ANoteOnAnAnswerIsToldOnce) {
    LlmAnswer open;
    open.text = "```python\n" + candidate_text("1");
    provider.outcomes["generation 1"] = open;
    script({correct_at(1)});
    config.strategy = "single";
    run_ok();
    const std::string first = notes.text();
    EXPECT_NE(first, "");
    run_ok();
    EXPECT_EQ(notes.text(), first) << "a resumed run repeats no note";
}

// --- Images

class ImagesTest : public AskingTest {
  protected:
    void SetUp() override {
        picture = folder.path() / "timeline.png";
        ASSERT_TRUE(write_file_durable(picture, "\x89PNG picture").ok());
        const fs::path script_path = folder.path() / "see";
        ASSERT_TRUE(write_file_durable(script_path,
                                       "#!/bin/sh\ncat >/dev/null\n"
                                       "echo \"Look at $(cat \"$KFORGE_IMAGES\")\"\n"
                                       "echo; echo \"$KFORGE_IMAGES\"\n")
                        .ok());
        ::chmod(script_path.c_str(), 0755);
        analysis_llm.name = "eyes";
        analysis_llm.provider = "command";
        analysis_llm.command = {script_path.string()};
        analysis_llm.sees_images = true;
        command = make_provider("command").value();
        analysis_provider = command.get();
        take_profile = [this](std::vector<std::string>&) -> Result<Profile> {
            return Profile{"timeline", "", {picture}};
        };
        script({correct_at(1), correct_at(2)});
        config.iterations = 2;
    }
    fs::path picture;
    std::unique_ptr<Provider> command;
};

TEST_F(ImagesTest, APictureOfAProfilerReachesTheAnalysisAgentsProgram) {
    run_ok();
    const fs::path kept = path() / "iterations/01/profile/image-1.png";
    EXPECT_EQ(read_file(kept).value_or(""), "\x89PNG picture");
    const std::string answer = stored(1, "analysis/response.md");
    EXPECT_NE(answer.find("PNG picture"), std::string::npos) << answer;
    EXPECT_NE(answer.find(kept.string()), std::string::npos) << "its own copy: " << answer;
    EXPECT_EQ(json::parse(stored(1, "analysis/request.json"))["images"],
              (json{"iterations/01/profile/image-1.png"}));
    EXPECT_EQ(json::parse(stored(1, "analysis/prompt.md"))["profiles"][0]["images"], 1);
}

TEST_F(ImagesTest, AMovedRunStillSendsIt) {
    provider.outcomes["generation 1"] = LlmPending{"wait"};
    run_ok();
    provider.outcomes.clear();
    analysis_llm.command = {"/bin/sh", "-c", "exit 75"};
    EXPECT_FALSE(run_ok().suspended.empty());
    const fs::path moved = folder.path() / "moved";
    fs::rename(path(), moved);
    const auto run_directory = RunDirectory::open(moved).value();
    const Prompt prompt = load_prompt(*run_directory, 1, "analysis").value();
    EXPECT_EQ(prompt.images, std::vector<fs::path>{moved / "iterations/01/profile/image-1.png"});
}

TEST_F(ImagesTest, WhoCannotSeeIsToldThatThereIsOne) {
    analysis_llm.sees_images = false;
    run_ok();
    const json told_of = json::parse(stored(1, "analysis/prompt.md"));
    EXPECT_TRUE(told_of["profiles"].empty());
    EXPECT_NE(told_of["notes"].dump().find("picture"), std::string::npos);
    EXPECT_EQ(json::parse(stored(1, "analysis/request.json"))["images"], json::array());
}

// --- Prompts that begin alike

TEST_F(AskingTest, ThePromptsOfARunShareTheirStablePartByteForByte) {
    ProcessRenderer templates = ProcessRenderer::with_built_in_templates();
    real_renderer = &templates;
    platform.title = "C++ on a CPU";
    platform.language = "C++";
    platform.device = "cpu";
    platform.guide = "# Guide\n\nTwo cores.\n";
    script({wrong("the last row is wrong"), correct_at(1.5), correct_at(1.2), wrong()});
    config.iterations = 4;
    run_ok();
    for (const std::string agent : {"generation", "analysis"}) {
        std::string common;
        int seen = 0;
        for (int i = 1; i <= 4; ++i) {
            const auto found = provider.requests.find(agent + " " + std::to_string(i));
            if (found == provider.requests.end()) continue;
            const LlmRequest& request = found->second;
            const std::string stable = request.prompt.substr(0, request.stable_bytes);
            if (seen++ == 0) common = stable;
            EXPECT_EQ(stable, common) << agent << " " << i;
            EXPECT_LT(request.stable_bytes, request.prompt.size()) << agent << " " << i;
        }
        EXPECT_GE(seen, 2) << agent;
        EXPECT_NE(common.find("# Problem: problem"), std::string::npos) << agent << ": the problem is in it";
        EXPECT_GT(common.size(), 1500u) << agent;
    }
    const json request = json::parse(stored(2, "request.json"));
    EXPECT_EQ(request["stable_bytes"], provider.requests.at("generation 2").stable_bytes);
}

}  // namespace
}  // namespace kforge
