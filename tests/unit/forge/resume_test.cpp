// Taking up a run again: after waiting for an answer, after an error, and after being killed at any instant.
#include <sys/wait.h>

#include <set>

#include "../util/forked.hpp"
#include "forge_support.hpp"
#include "kforge/forge/asking.hpp"
#include "kforge/util/failpoint.hpp"

namespace kforge {
namespace {

using Strings = std::vector<std::string>;
using nlohmann::json;

class ResumeTest : public ::testing::Test, protected ForgeBench {};

TEST_F(ResumeTest, AnOpenRequestSuspendsAndTheAnswerContinues) {
    arena.evaluations = {{"1", correct_at(1)}, {"2", correct_at(2)}};
    config.iterations = 2;
    provider.outcomes["generation 1"] = LlmPending{"write the answer to 001.answer.md"};
    const RunSummary waiting = run_ok();
    EXPECT_EQ(waiting.suspended, "write the answer to 001.answer.md");
    EXPECT_TRUE(waiting.records.empty());
    EXPECT_EQ(events().back(), "suspended");
    EXPECT_EQ(run_ok().suspended, waiting.suspended) << "still none";

    provider.outcomes.clear();
    provider.outcomes["analysis 1"] = LlmPending{"write the answer to 002.answer.md"};
    const RunSummary analysed = run_ok();
    EXPECT_EQ(analysed.suspended, "write the answer to 002.answer.md");
    EXPECT_EQ(analysed.best, 1);
    EXPECT_EQ(arena.profiles, 1);

    provider.outcomes.clear();
    const RunSummary done = run_ok();
    EXPECT_TRUE(done.suspended.empty());
    EXPECT_EQ(done.best, 2);
    EXPECT_EQ(done.records[1].followed.substr(0, 8), "Advice 1");
    EXPECT_EQ(arena.evaluated, (Strings{"1", "2"})) << "nothing is evaluated twice";
    EXPECT_EQ(arena.profiles, 1) << "nothing is profiled twice";
    EXPECT_EQ(provider.times_asked("generation 1"), 3);
    EXPECT_EQ(provider.times_asked("analysis 1"), 2);
    EXPECT_EQ(events().back(), "run_done");
}

TEST_F(ResumeTest, AnAnswerThatIsStillOutKeepsThePromptItWasAskedWith) {
    arena.evaluations = {{"1", correct_at(1)}};
    config.strategy = "single";
    provider.outcomes["generation 1"] = LlmPending{"wait"};
    run_ok();
    const std::string first = provider.prompts["generation 1"];
    platform.guide = "A guide that was changed meanwhile";
    provider.outcomes.clear();
    run_ok();
    EXPECT_EQ(provider.prompts["generation 1"], first);
}

TEST_F(ResumeTest, ParallelSamplesThatAreStillOutAreAllPosted) {
    arena.evaluations = {{"1", correct_at(1)}, {"2", correct_at(2)}, {"3", correct_at(3)}};
    config.strategy = "sample";
    config.samples = config.parallel = 3;
    for (int i : {1, 3}) provider.outcomes["generation " + std::to_string(i)] = LlmPending{"wait"};
    EXPECT_EQ(run_ok().suspended, "wait");
    for (int i = 1; i <= 3; ++i) EXPECT_GE(provider.times_asked("generation " + std::to_string(i)), 1) << i;
    provider.outcomes.clear();
    EXPECT_EQ(run_ok().best, 3);
    EXPECT_EQ(provider.times_asked("generation 2"), 1) << "it had answered";
}

TEST_F(ResumeTest, AFinishedRunIsReadNotRepeated) {
    arena.evaluations = {{"1", wrong()}, {"2", correct_at(2)}};
    config.iterations = 2;
    const RunSummary first = run_ok();
    const size_t calls = provider.asked.size(), lines = events().size();
    const RunSummary again = run_ok();
    EXPECT_EQ(provider.asked.size(), calls);
    EXPECT_EQ(events().size(), lines);
    EXPECT_EQ(again.best, first.best);
    EXPECT_EQ(again.usage.usd, first.usage.usd);
    EXPECT_EQ(to_json(again.records[0].evaluation), to_json(first.records[0].evaluation));
}

TEST_F(ResumeTest, AFinishedRunMayBeGivenMoreIterations) {
    arena.evaluations = {{"1", correct_at(1)}, {"2", correct_at(2)}, {"3", correct_at(3)}};
    config.iterations = 2;
    run_ok();
    config.iterations = 3;
    const RunSummary more = run_ok();
    EXPECT_EQ(more.best, 3);
    EXPECT_EQ(more.records[2].followed.substr(0, 8), "Advice 2");
    EXPECT_EQ(arena.evaluated, (Strings{"1", "2", "3"}));
    EXPECT_EQ(events().back(), "run_done");
}

TEST_F(ResumeTest, AnErrorOfTheArenaLosesNothing) {
    arena.evaluations = {{"1", correct_at(1)}};
    config.iterations = 2;
    ASSERT_FALSE(run().ok());  // candidate 2 is not known: the arena fails
    EXPECT_EQ(provider.times_asked("generation 2"), 1);
    arena.evaluations["2"] = correct_at(2);
    EXPECT_EQ(run_ok().best, 2);
    EXPECT_EQ(provider.times_asked("generation 2"), 1);
}

TEST_F(ResumeTest, DamagedFilesAreNamedNotCrashedOn) {
    arena.evaluations = {{"1", correct_at(1)}};
    config.strategy = "single";
    run_ok();
    for (const char* text : {"", "[]", "{}", "{\"state\": 3}", "\xFF"}) {
        ASSERT_TRUE(write_file_durable(path() / "iterations/01/verdict.json", text).ok());
        const Result<RunSummary> resumed = run();
        ASSERT_FALSE(resumed.ok()) << text;
        EXPECT_EQ(resumed.error().kind, ErrorKind::config) << text;
        EXPECT_NE(resumed.error().message.find("iterations/01/verdict.json"), std::string::npos) << text;
    }
}

TEST_F(ResumeTest, StoredAnswersAndPromptsOfAnyFormAreRead) {
    auto run = RunDirectory::create(path(), "", "").value();
    EXPECT_FALSE(stored_answer(*run, 1, "generation"));
    for (const char* text : {"", "[1]", "{}", "{\"text\": 3}", "null"}) {
        ASSERT_TRUE(run->write(1, "response.json", text).ok());
        EXPECT_FALSE(stored_answer(*run, 1, "generation")) << text;
        ASSERT_TRUE(run->write(1, "request.json", text).ok());
        EXPECT_FALSE(load_prompt(*run, 1, "generation").ok()) << text;
    }
    for (const char* text :
         {"{\"failure\": 3}", "{\"failure\": {\"reason\": [], \"message\": \"m\"}, \"usage\": 7}"}) {
        ASSERT_TRUE(run->write(1, "response.json", text).ok());
        const auto outcome = stored_answer(*run, 1, "generation");
        ASSERT_TRUE(outcome && std::holds_alternative<LlmFailure>(*outcome)) << text;
    }
    ASSERT_TRUE(run->write(1, "request.json", "{\"prompt\": \"p\", \"system\": 4}").ok());
    EXPECT_EQ(load_prompt(*run, 1, "generation")->user, "p");
}

TEST_F(ResumeTest, UsageIsCountedFromTheJournalForAnswersAndFailures) {
    auto run = RunDirectory::create(path(), "", "").value();
    ASSERT_TRUE(store_outcome(*run, 1, "generation", answer_with("1")).ok());
    LlmFailure failure{"truncated", "cut off", {}};
    failure.usage.output_tokens = 7;
    failure.usage.usd = 0.25;
    failure.usage.estimated = true;
    ASSERT_TRUE(store_outcome(*run, 1, "analysis", failure).ok());
    ASSERT_TRUE(store_outcome(*run, 2, "generation", LlmPending{"later"}).ok());
    EXPECT_FALSE(run->has(2, "response.json"));
    const Usage usage = total_usage(*run);
    EXPECT_EQ(usage.input_tokens, 100);
    EXPECT_EQ(usage.output_tokens, 17);
    EXPECT_DOUBLE_EQ(usage.usd, 0.75);
    EXPECT_TRUE(usage.estimated);
    const auto back = stored_answer(*run, 1, "analysis");
    ASSERT_TRUE(back);
    EXPECT_EQ(std::get<LlmFailure>(*back).reason, "truncated");
    EXPECT_EQ(std::get<LlmFailure>(*back).usage.output_tokens, 7);
}

// --- Killed at any instant
// ------------------------------------------------------------------------------------

// Forking takes a sanitized process twenty times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr int k_instants_apart = 11;
#else
constexpr int k_instants_apart = 1;
#endif

// Everything in a run directory that does not tell the time: names with contents, and the events. A call that
// a kill has cut short was asked twice, and the journal says so.
std::map<std::string, std::string> contents(const fs::path& run) {
    std::map<std::string, std::string> result;
    for (const auto& entry : fs::recursive_directory_iterator(run)) {
        const std::string name = entry.path().lexically_relative(run).string();
        if (!entry.is_regular_file() || name == ".lock" || name == "journal.jsonl") continue;
        result[name] = read_file(entry.path()).value_or("(unreadable)");
    }
    const auto journal = RunDirectory::read_journal(run);
    int number = 0;
    for (Event event : *journal) {
        if (event.type.ends_with("_asked")) continue;
        event.fields.erase("worked_s");
        result["event " + std::to_string(++number)] =
            event.type + " " + std::to_string(event.iteration) + " " + event.fields.dump();
    }
    return result;
}

void set_stage(ForgeBench& bench) {
    bench.config.samples = 2;
    bench.config.iterations = 4;
    bench.rules = {GuardRule{.name = "no-third",
                             .pattern = "mark = '3'",
                             .scope = GuardScope::anywhere,
                             .why = "no",
                             .origin = "user"}};
    bench.arena.evaluations = {
        {"1", wrong()}, {"2", correct_at(1.5)}, {"4", correct_at(2)}, {"5", correct_at(1)}};
    bench.provider.outcomes["analysis 4"] = LlmFailure{"network", "no route", {}};
    bench.config.hook = {"/bin/true"};
}

// Calls of the LLM that have been stored, by which nobody may be asked again.
std::set<std::string> answered(const fs::path& run) {
    std::set<std::string> keys;
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(run / "iterations", ignored)) {
        if (entry.path().filename() != "response.json") continue;
        const bool analysis = entry.path().parent_path().filename() == "analysis";
        const fs::path iteration =
            analysis ? entry.path().parent_path().parent_path() : entry.path().parent_path();
        keys.insert((analysis ? "analysis " : "generation ") +
                    std::to_string(std::stoi(iteration.filename())));
    }
    return keys;
}

TEST(KilledAtAnyInstant, TheRunGoesOnToTheSameEndAndAsksNothingTwice) {
    ForgeBench whole;
    set_stage(whole);
    int instants = 0;
    auto started = RunDirectory::create(whole.path(), "", "class Model: pass\n");
    ASSERT_TRUE(started.ok());
    started->reset();
    set_failpoint_handler([&](std::string_view, std::string_view) { ++instants; });
    const RunSummary expected = whole.run_ok();
    set_failpoint_handler({});
    const auto expected_contents = contents(whole.path());
    ASSERT_EQ(expected.best, 4);
    ASSERT_GT(instants, 100);

    for (int instant = 1; instant <= instants; instant += k_instants_apart) {
        ForgeBench bench;
        set_stage(bench);
        ASSERT_TRUE(RunDirectory::create(bench.path(), "", "class Model: pass\n").ok());
        const ForkedOutcome killed = in_forked_process([&]() -> std::string {
            int seen = 0;
            set_failpoint_handler([&](std::string_view, std::string_view) {
                if (++seen == instant) ::_exit(99);
            });
            (void)bench.run();
            return "it lived";
        });
        ASSERT_TRUE(WIFEXITED(killed.status) && WEXITSTATUS(killed.status) == 99) << "instant " << instant;
        const std::set<std::string> before = answered(bench.path());
        const RunSummary resumed = bench.run_ok();
        EXPECT_EQ(contents(bench.path()), expected_contents) << "killed at instant " << instant;
        EXPECT_EQ(resumed.best, expected.best) << "killed at instant " << instant;
        EXPECT_EQ(resumed.usage.usd, expected.usage.usd) << "killed at instant " << instant;
        for (const std::string& call : before)
            EXPECT_EQ(bench.provider.times_asked(call), 0) << call << ", killed at instant " << instant;
        EXPECT_EQ(bench.provider.asked.size() + before.size(), whole.provider.asked.size());
        ASSERT_EQ(resumed.records.size(), expected.records.size());
        for (size_t i = 0; i < resumed.records.size(); ++i) {
            EXPECT_EQ(resumed.records[i].candidate, expected.records[i].candidate);
            EXPECT_EQ(resumed.records[i].followed, expected.records[i].followed);
            EXPECT_EQ(resumed.records[i].recommendation, expected.records[i].recommendation);
            EXPECT_EQ(to_json(resumed.records[i].evaluation), to_json(expected.records[i].evaluation));
        }
        if (HasFailure()) break;  // one instant is enough to read
    }
}

}  // namespace
}  // namespace kforge
