// What a run does around its questions: answers that arrive in pieces or not at all, images, and prompts that
// begin alike.
#include <sys/stat.h>

#include "../prompt/rendering.hpp"
#include "asking_support.hpp"
#include "kforge/forge/asking.hpp"

namespace kforge {
namespace {

using Strings = std::vector<std::string>;
using nlohmann::json;

TEST_F(AskingTest, AnLlmThatIsAskedInBatchesGetsAllSamplesAtOnce) {
    script(std::vector<Evaluation>(5, wrong()));
    config.strategy = "sample";
    config.samples = 5;
    llm.batch = true;
    for (int i = 1; i <= 5; ++i) provider.outcomes["generation " + std::to_string(i)] = LlmPending{"wait"};
    EXPECT_EQ(run_ok().suspended, "wait");
    for (int i = 1; i <= 5; ++i) EXPECT_GE(provider.times_asked("generation " + std::to_string(i)), 1) << i;
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
