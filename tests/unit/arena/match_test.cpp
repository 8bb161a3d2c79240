// A match against players that answer as they like: whatever they say, it is a verdict and never an error of
// ours. The trusted side is a fake one that agrees with everything.
#include "kforge/arena/match.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <limits>

#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

using nlohmann::json;

class MatchTest : public ::testing::Test {
  protected:
    MatchTest() {
        spec.python = "python3";
        spec.python_path = fs::path(KFORGE_SOURCE_DIR) / "tests/unit/arena/fake";
        spec.problem_name = "problem";
        spec.baselines = {"eager"};
        spec.timing_budget_s = 0.01;
        spec.call_limit_s = 10;
        spec.time_limit_s = 20;
        spec.seed = "1";
    }
    ~MatchTest() override { set_interrupted_for_test(false); }

    Stage& stage() {
        if (!m_stage) m_stage.emplace(spec);
        return *m_stage;
    }

    Result<Evaluation> play_match(const std::string& source) {
        const Submission submission{source, {}};
        TRY(stage().open());
        TRY(stage().start_baselines());
        TRY_ASSIGN(Match match, Match::open(stage(), submission));
        TRY(match.load());
        TRY(match.check());
        return match.finish();
    }
    Result<PlayerProfile> take_profile(const std::string& source) {
        const Submission submission{source, {}};
        TRY(stage().open());
        return profile_in_player(stage(), submission);
    }
    void expect_correct(const json& script) {
        const Evaluation evaluation = play(script);
        EXPECT_TRUE(evaluation.verdict.is_correct()) << script.dump() << "\n" << evaluation.verdict.evidence;
    }
    Evaluation play(const json& script) {
        const Result<Evaluation> evaluation = play_match(script.dump());
        EXPECT_TRUE(evaluation.ok()) << script.dump().substr(0, 200) << ": " << evaluation.error().message;
        return evaluation.ok() ? *evaluation
                               : Evaluation{.verdict = Verdict::because(Reason::network, "no match")};
    }
    void expect_reason(const json& script, Reason reason) {
        const Verdict verdict = play(script).verdict;
        const std::string found = verdict.reason ? std::string(to_string(*verdict.reason)) : "correct";
        EXPECT_EQ(found, to_string(reason)) << script.dump().substr(0, 200) << "\n"
                                            << verdict.evidence.substr(0, 500);
        EXPECT_LT(verdict.evidence.size(), 10'000u) << script.dump().substr(0, 200);
    }

    ArenaSpec spec;

  private:
    std::optional<Stage> m_stage;
};

TEST_F(MatchTest, APlayerThatAnswersWellIsCorrect) {
    const Evaluation evaluation = play({{"print", "building\n"}});
    EXPECT_TRUE(evaluation.verdict.is_correct()) << evaluation.verdict.evidence;
    ASSERT_TRUE(evaluation.speedup && evaluation.timings && evaluation.error);
    EXPECT_EQ(evaluation.timings->baseline, "eager");
    EXPECT_EQ(evaluation.generality.size(), 5u);
    EXPECT_EQ(evaluation.output, "building\n");
    EXPECT_EQ(evaluation.open_promises, std::vector<std::string>{"no jail"});
    EXPECT_FALSE(evaluation.phases.empty());
}

// The reply to a call of forward.
json going(const json& outputs) {
    return {{"go", {{"ok", true}, {"outputs", outputs}}}};
}

json form(const json& dtype, const json& shape, const json& stride, const json& address = "real") {
    return json::array({dtype, shape, stride, address});
}

TEST_F(MatchTest, OutputsOfTheWrongFormAreAMatterOfIntegrity) {
    const json one = json::array({1}), two = json::array({2});
    EXPECT_TRUE(play(going(json::array({form("float32", two, one)}))).verdict.is_correct());
    const json wrong_forms[] = {
        json("float32"),
        json::array({"float32"}),
        json::array({"float32", two}),
        json::array({"float32", two, one}),
        form(5, two, one),
        form("float32", "2", one),
        form("float32", json::array({"2"}), one),
        form("float32", json::array({two}), one),
        form("float32", two, nullptr),
        form("float32", two, one, "here"),
        form("float32", two, one, nullptr),
        json::array({"float32", two, one, "real", "a handle", 0}),
        form("float32", json::array({2, 2}), one),
        form("float32", std::vector<int>(60, 2), json::array()),
        form("float32", std::vector<int>(1000, 1), std::vector<int>(1000, 1)),
        form(std::string(100'000, 'x'), two, one),
    };
    for (const json& wrong : wrong_forms) expect_reason(going(json::array({wrong})), Reason::integrity);
    for (const json& outputs : {json(3), json("float32"), json{{"a", 1}}})
        expect_reason(going(outputs), Reason::integrity);
    expect_reason(going(std::vector<json>(2000, form("float32", two, one))), Reason::integrity);
    expect_reason({{"go", {{"ok", true}}}}, Reason::integrity);
}

TEST_F(MatchTest, OutputsThatAreNotWhereThePlayerSaysAreAMatterOfIntegrity) {
    const json one = json::array({1}), two = json::array({2});
    for (const json& address : {json(0), json(8), json(-1), json(~0ULL)})
        expect_reason(going(json::array({form("float32", two, one, address)})), Reason::integrity);
    // Not a way to have forms believed that were never looked at.
    expect_reason(going(json::array({form("float32", two, one, 8),
                                     form("float32", std::vector<int>(60, 9), std::vector<int>(60, 1), 8)})),
                  Reason::integrity);
    expect_reason(going(json::array({form("float32", two, one, "again")})), Reason::integrity);
}

TEST_F(MatchTest, FormsThatNoBufferHoldsAreLeftToTheComparison) {
    // The fake referee agrees with everything: what matters is that nothing is read or written beyond a
    // buffer.
    const int64_t most = std::numeric_limits<int64_t>::max();
    for (const auto& [shape, stride] :
         std::vector<std::pair<std::vector<int64_t>, std::vector<int64_t>>>{{{most, most}, {most, most}},
                                                                            {{most}, {1}},
                                                                            {{-5}, {1}},
                                                                            {{4}, {-1}},
                                                                            {{4}, {6148914691236517205}},
                                                                            {{0}, {1}},
                                                                            {{0, most}, {most, most}}})
        expect_correct(going(json::array({form("float32", shape, stride)})));
    expect_correct(going(json::array({form("no dtype", {2}, {1})})));
    // So long that it lies over the one before.
    expect_reason(going(json::array({form("float32", {1 << 20}, {1})})), Reason::integrity);
    expect_correct(going(json::array()));
    // Four megabytes from where there are eight bytes reach into the outputs of the call before.
    expect_reason(going(json::array({form("float32", json::array({1 << 20}), json::array({1}))})),
                  Reason::integrity);
}

TEST_F(MatchTest, RepliesThatAreNoMessagesAreAMatterOfIntegrity) {
    for (const char* op : {"load", "instance", "bind", "go", "inspect"})
        for (const char* text : {"nonsense", "[]", "7", "{\"ok\":", "\"ok\""})
            expect_reason({{op, text}}, Reason::integrity);
}

TEST_F(MatchTest, ARefusalOfTheWrongFormIsAMatterOfIntegrity) {
    const json refusals[] = {{{"ok", false}, {"kind", 5}},
                             {{"ok", false}, {"message", {1, 2}}},
                             {{"ok", false}, {"types", "ValueError"}},
                             {{"ok", false}, {"types", {1, nullptr}}}};
    for (const json& refusal : refusals) expect_reason({{"go", refusal}}, Reason::integrity);
    for (const json& refusal : {json{{"ok", "yes"}}, json{{"ok", 1}}, json{{"ok", nullptr}}, json::object()})
        expect_reason({{"go", refusal}}, Reason::exception);
}

TEST_F(MatchTest, WhateverClassIsNamedIsTakenForOurs) {
    for (const json& name :
         {json(5), json(nullptr), json({1, 2}), json({{"a", 1}}), json("Model"), json("ModelNew")})
        EXPECT_TRUE(play({{"load", {{"ok", true}, {"class", name}}}}).verdict.is_correct()) << name.dump();
    EXPECT_TRUE(play({{"load", {{"ok", true}}}}).verdict.is_correct());
}

TEST_F(MatchTest, DeepNestingAnywhereDoesNoHarm) {
    const auto nested = [](const char* before, const char* after) {
        const std::string close = std::string(after);
        return json{{"before", std::string(before) + std::string(200'000, '[')},
                    {"times", "]"},
                    {"count", 200'000},
                    {"after", close}};
    };
    EXPECT_TRUE(play({{"load", nested("{\"ok\":true,\"class\":", "}")}}).verdict.is_correct());
    expect_reason({{"go", nested("{\"ok\":true,\"outputs\":", "}")}}, Reason::integrity);
    expect_reason({{"go", nested("{\"ok\":false,\"types\":", "}")}}, Reason::integrity);
}

TEST_F(MatchTest, ALongRefusalGivesShortEvidence) {
    for (const char* stage : {"syntax", "missing", "weights", "output", "forward"}) {
        const json reply = {
            {"before", std::string("{\"ok\":false,\"kind\":\"") + stage + "\",\"message\":\""},
            {"times", "xyz "},
            {"count", 500'000},
            {"after", "\"}"}};
        EXPECT_LT(play({{"load", reply}}).verdict.evidence.size(), 10'000u) << stage;
    }
}

TEST_F(MatchTest, AMessageOfGigabytesIsRefused) {
    expect_reason({{"go",
                    {{"before", "{\"ok\":true,\"x\":\""},
                     {"times", "xxxxxxxx"},
                     {"count", 1'000'000},
                     {"after", "\"}"}}}},
                  Reason::integrity);
}

TEST_F(MatchTest, ADeathIsACrashWhereverItHappens) {
    for (const char* op : {"load", "instance", "bind", "go", "inspect"})
        for (const int status : {0, 1}) expect_reason({{op, status}}, Reason::crash);
}

TEST_F(MatchTest, SilenceIsATimeoutThatSaysWhichLimit) {
    spec.call_limit_s = 0.1;
    const Verdict call = play({{"go", nullptr}}).verdict;
    EXPECT_EQ(call.reason, Reason::timeout);
    EXPECT_NE(call.evidence.find("within 0.1 s"), std::string::npos) << call.evidence;
}

TEST_F(MatchTest, TheWholeTimeOfACandidateIsLimitedToo) {
    spec.time_limit_s = 0.1;
    const Verdict whole = play({{"go", nullptr}}).verdict;
    EXPECT_EQ(whole.reason, Reason::timeout);
    EXPECT_NE(whole.evidence.find("All of its 0.1 s are spent"), std::string::npos) << whole.evidence;
}

TEST_F(MatchTest, WhatAPlayerSaysOfItsProfileIsNotTrusted) {
    const auto profile = [this](const json& table) {
        return take_profile(json{{"profile", {{"ok", true}, {"table", table}}}}.dump());
    };
    EXPECT_TRUE(profile("t").ok());
    const Result<PlayerProfile> huge = profile(std::string(1'000'000, 'x'));
    ASSERT_TRUE(huge.ok());
    EXPECT_LT(huge->table.size(), 100'000u);
    for (const Result<PlayerProfile>& bad :
         {profile(5), take_profile(R"({"profile": {"ok": true}})"), take_profile(R"({"profile": 1})")}) {
        ASSERT_FALSE(bad.ok());
        EXPECT_EQ(bad.error().kind, ErrorKind::process);
    }
}

TEST_F(MatchTest, KernelsAreSeenAtWorkFromOutside) {
    spec.policies.kernels = Kernels::required;
    const Evaluation idle = play({{"profile", {{"ok", true}, {"table", ""}, {"own_share", 1}}}});
    if (!stage().players_can_be_sampled()) {
        EXPECT_TRUE(idle.verdict.is_correct());
        EXPECT_EQ(idle.open_promises.size(), 2u);
        return;
    }
    EXPECT_EQ(idle.verdict.reason, Reason::guardrail) << idle.verdict.evidence;
    EXPECT_NE(idle.verdict.evidence.find("0 times in code of its own"), std::string::npos);
#if defined(__x86_64__)
    const Evaluation busy = play({{"work", 20}});
    EXPECT_TRUE(busy.verdict.is_correct()) << busy.verdict.evidence;
    EXPECT_NE(busy.verdict.evidence.find("in kernels of its own"), std::string::npos);
#endif
}

TEST_F(MatchTest, FasterThanPhysicsIsAMatterOfIntegrity) {
    spec.problem = json{{"least_bytes", {{"bytes", 1e18}}}}.dump();
    expect_reason(json::object(), Reason::integrity);
}

TEST_F(MatchTest, ABaselineThatBecameSlowerCountsAsItWas) {
    const Evaluation before = play(json::object());
    stage().note_baseline("eager", 1e-9);
    const Evaluation after = play(json::object());
    ASSERT_TRUE(before.speedup && after.speedup && after.timings);
    EXPECT_LT(after.speedup->value, before.speedup->value / 2);
    const std::vector<std::string>& notes = after.timings->notes;
    EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
        return note.find("as long as before in this session") != std::string::npos;
    }));
}

TEST_F(MatchTest, ColdCachesAreTimedToo) {
    const Evaluation evaluation = play(json::object());
    ASSERT_TRUE(evaluation.timings);
    if (evaluation.claim == "slower") GTEST_SKIP() << "the fake lost its race: nothing to time again";
    ASSERT_TRUE(evaluation.timings->cold_speedup);
    EXPECT_EQ(evaluation.timings->cold.size(), 2u);
}

TEST_F(MatchTest, NoDescriptorIsLeftAfterAMatch) {
    play(json::object());
    const auto open_descriptors = [] {
        int count = 0;
        for (int fd = 0; fd < 1024; ++fd) count += ::fcntl(fd, F_GETFD) != -1;
        return count;
    };
    const int before = open_descriptors();
    for (const json& script : {json{{"go", 1}}, json{{"go", "x"}}, json::object()}) play(script);
    EXPECT_EQ(open_descriptors(), before);
}

TEST_F(MatchTest, AnInterruptIsNoVerdict) {
    ASSERT_TRUE(stage().open().ok());
    set_interrupted_for_test(true);
    const Result<Evaluation> evaluation = play_match("{}");
    ASSERT_FALSE(evaluation.ok());
    EXPECT_EQ(evaluation.error().kind, ErrorKind::cancelled);
}

TEST_F(MatchTest, WithoutAFolderForTemporaryFilesTheMachineIsAtFault) {
    const char* old = std::getenv("TMPDIR");
    const std::string kept = old == nullptr ? "" : old;
    ::setenv("TMPDIR", "/no/such/folder", 1);
    const Result<void> opened = stage().open();
    if (old == nullptr)
        ::unsetenv("TMPDIR");
    else
        ::setenv("TMPDIR", kept.c_str(), 1);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().kind, ErrorKind::environment);
    EXPECT_NE(opened.error().message.find("TMPDIR"), std::string::npos);
}

}  // namespace
}  // namespace kforge
