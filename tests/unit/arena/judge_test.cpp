#include "kforge/arena/judge.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

namespace kforge {
namespace {

const std::string k_doing = "running forward on case 'given'";

Fault refusal(std::string stage, std::string message, std::vector<std::string> types = {}) {
    return Fault{.kind = Fault::Kind::refusal,
                 .stage = std::move(stage),
                 .message = std::move(message),
                 .types = std::move(types)};
}

Fault death(int code, int signal) {
    return Fault{.kind = Fault::Kind::death, .status = ExitStatus{code, signal}};
}

Verdict judge(const Fault& fault, const std::string& printed = "") {
    return judge_fault(fault, k_doing, printed, "import torch\nclass NewModel: pass\n");
}

testing::AssertionResult says(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "no '" << part << "' in: " << text;
}

TEST(JudgeFault, WhatADriverSaysOfAKernelIsAFaultOfTheDevice) {
    for (const char* message :
         {"torch.AcceleratorError: CUDA error: an illegal memory access was encountered",
          "RuntimeError: CUDA error: misaligned address",
          "RuntimeError: CUDA error: unspecified launch failure",
          "RuntimeError: Triton Error [CUDA]: an illegal memory access was encountered",
          "RuntimeError: HIP error: an illegal memory access was encountered"}) {
        const Verdict verdict = judge(refusal("forward", message));
        EXPECT_EQ(verdict.reason, Reason::device_fault) << message;
        EXPECT_TRUE(says(verdict.evidence, message));
    }
    EXPECT_EQ(judge(refusal("forward", "RuntimeError: CUDA error: out of memory")).reason,
              Reason::out_of_memory);
}

TEST(JudgeFault, ARefusalIsNamedByItsStage) {
    const struct {
        const char* stage;
        Reason reason;
    } rows[] = {{"syntax", Reason::syntax},          {"missing", Reason::import},
                {"import", Reason::import},          {"construct", Reason::exception},
                {"weights", Reason::exception},      {"forward", Reason::exception},
                {"output", Reason::integrity},       {"exception", Reason::exception},
                {"no such stage", Reason::exception}};
    for (const auto& row : rows) {
        const Verdict verdict = judge(refusal(row.stage, "ValueError: of the message"));
        EXPECT_EQ(verdict.reason, row.reason) << row.stage;
        EXPECT_EQ(verdict.state, state_of(row.reason)) << row.stage;
        EXPECT_TRUE(says(verdict.evidence, "of the message")) << row.stage;
    }
}

TEST(JudgeFault, AnExceptionSaysWhatWasGoingOnAndWhatWasPrinted) {
    const Verdict verdict = judge(refusal("forward", "ValueError: no"), "step 1\nstep 2\n");
    EXPECT_TRUE(says(verdict.evidence, k_doing));
    EXPECT_TRUE(says(verdict.evidence, "It printed:\nstep 1\nstep 2"));
    EXPECT_FALSE(says(judge(refusal("forward", "ValueError: no"), " \n").evidence, "It printed"));
}

TEST(JudgeFault, RunningOutOfMemoryIsToldFromOtherExceptions) {
    EXPECT_EQ(judge(refusal("forward", "boom", {"MemoryError"})).reason, Reason::out_of_memory);
    EXPECT_EQ(judge(refusal("import", "boom", {"OutOfMemoryError", "RuntimeError"})).reason,
              Reason::out_of_memory);
    EXPECT_EQ(
        judge(refusal("forward", "RuntimeError: [enforce fail] DefaultCPUAllocator: can't allocate memory"))
            .reason,
        Reason::out_of_memory);
}

TEST(JudgeFault, ACompilerMayFailAtAnyStage) {
    const std::string gcc =
        "kernel.cpp:3:5: error: 'foo' was not declared in this scope\n    3 |     foo();\n";
    for (const char* stage : {"import", "construct", "forward"}) {
        const Verdict verdict = judge(refusal(stage, "RuntimeError: Error building extension 'k'\n" + gcc));
        EXPECT_EQ(verdict.reason, Reason::toolchain) << stage;
        EXPECT_TRUE(says(verdict.evidence, "'foo' was not declared")) << stage;
    }
    EXPECT_EQ(judge(refusal("import", "boom", {"CompilationError"})).reason, Reason::toolchain);
    const Fault called =
        refusal("import", "subprocess.CalledProcessError: Command 'g++' returned 1", {"CalledProcessError"});
    EXPECT_EQ(judge(called, gcc).reason, Reason::toolchain);
    EXPECT_TRUE(says(judge(called, gcc).evidence, "was not declared"));
    EXPECT_EQ(judge(called, "nothing of a compiler").reason, Reason::import);
    EXPECT_EQ(judge(refusal("forward", "ValueError: no"), gcc).reason, Reason::exception)
        << "what a compiler printed before is no reason for a later exception";
}

TEST(JudgeFault, WhatCuteRefusesIsToldFromWhatItsKernelsDo) {
    const Verdict refused = judge(
        refusal("forward", "cutlass.base_dsl.common.DSLUserCodeError: `total` has type `Int32` on one path",
                {"DSLUserCodeError", "DSLBaseError", "Exception"}));
    EXPECT_EQ(refused.reason, Reason::toolchain);
    EXPECT_TRUE(says(refused.evidence, "on one path"));
    EXPECT_EQ(judge(refusal("forward", "CUDA launch failed: cudaErrorInvalidValue (1)",
                            {"DSLCudaRuntimeError", "DSLBaseError", "Exception"}))
                  .reason,
              Reason::device_fault);
    EXPECT_EQ(judge(refusal("forward", "cudaErrorMemoryAllocation (error code: 2)",
                            {"DSLCudaRuntimeError", "DSLBaseError", "Exception"}))
                  .reason,
              Reason::out_of_memory);
    EXPECT_EQ(
        judge(refusal("forward", "Runtime Crash", {"DSLRuntimeError", "DSLBaseError", "Exception"})).reason,
        Reason::exception);
}

TEST(JudgeFault, ADeathIsACrashWithItsSignalOrStatus) {
    const Verdict killed = judge(death(0, SIGSEGV), "last words");
    EXPECT_EQ(killed.reason, Reason::crash);
    EXPECT_TRUE(says(killed.evidence, "SIGSEGV"));
    EXPECT_TRUE(says(killed.evidence, k_doing));
    EXPECT_TRUE(says(killed.evidence, "last words"));
    for (const int code : {0, 1}) {
        const Verdict left = judge(death(code, 0));
        EXPECT_EQ(left.reason, Reason::crash);
        EXPECT_TRUE(says(left.evidence, "exit status " + std::to_string(code)));
        EXPECT_TRUE(says(left.evidence, "must not end its own process"));
    }
}

TEST(JudgeFault, KilledForItsMemoryIsNoCrash) {
    Fault fault = death(0, SIGKILL);
    fault.out_of_memory = true;
    EXPECT_EQ(judge(fault).reason, Reason::out_of_memory);
    EXPECT_TRUE(says(judge(fault).evidence, "more memory than they may while " + k_doing));
}

TEST(JudgeFault, KilledForItsOpenFilesIsToldInWordsOfItsOwn) {
    Fault fault = death(0, SIGKILL);
    fault.out_of_files = true;
    EXPECT_EQ(judge(fault).reason, Reason::out_of_memory);
    EXPECT_TRUE(says(judge(fault).evidence, "more open files and mappings of files than they may"));
}

TEST(JudgeFault, ATimeoutSaysTheLimit) {
    const Verdict verdict = judge(Fault{.kind = Fault::Kind::timeout, .limit_s = 20}, "still at it");
    EXPECT_EQ(verdict.reason, Reason::timeout);
    EXPECT_TRUE(says(verdict.evidence, "within 20 s while " + k_doing));
    EXPECT_TRUE(says(verdict.evidence, "still at it"));
}

TEST(JudgeFault, ABrokenProtocolIsAMatterOfIntegrity) {
    const Verdict verdict = judge(Fault{.kind = Fault::Kind::nonsense, .message = "not JSON"});
    EXPECT_EQ(verdict.reason, Reason::integrity);
    EXPECT_TRUE(says(verdict.evidence, "not JSON"));
}

TEST(JudgeFault, EvidenceStaysShortWhateverThePlayerSays) {
    const std::string huge(3 << 20, 'x');
    for (const char* stage : {"syntax", "missing", "weights", "output", "import", "forward", "exception"})
        EXPECT_LT(judge(refusal(stage, huge), huge).evidence.size(), 10'000u) << stage;
    EXPECT_LT(judge(death(1, 0), huge).evidence.size(), 10'000u);
}

Comparison passing() {
    return Comparison{.outcome = "pass", .error = 1e-7, .eager_error = 1e-7, .epsilon = 1.2e-7};
}

TEST(ErrorLimit, StrictIsFourTimesEagersOwnError) {
    Comparison c = passing();
    c.eager_error = 1e-4;
    EXPECT_DOUBLE_EQ(error_limit(c, Precision::strict), 4e-4);
    c.eager_error = 0;  // eager may be exact by luck
    EXPECT_DOUBLE_EQ(error_limit(c, Precision::strict), 64 * c.epsilon);
}

TEST(ErrorLimit, AccurateIsEagersErrorWithAnAllowanceForNoise) {
    const double epsilon = passing().epsilon;
    EXPECT_DOUBLE_EQ(usual_limit(1e-4, epsilon), 1.25e-4);
    EXPECT_DOUBLE_EQ(usual_limit(0, epsilon), 8 * epsilon);
    EXPECT_DOUBLE_EQ(usual_limit(1e-5, 9.77e-4), 0.5 * 9.77e-4);
}

TEST(ErrorLimit, OnceAccurateMayBeAsFarOffAsStrict) {
    Comparison c = passing();
    c.eager_error = 1e-4;
    EXPECT_DOUBLE_EQ(error_limit(c, Precision::accurate), 4e-4);
    c.bound = true;  // nobody has looked yet
    EXPECT_DOUBLE_EQ(error_limit(c, Precision::accurate), 1.25e-4);
}

TEST(Comparison, TellsHowFarOffEachOutputIsForItself) {
    const nlohmann::json reply = {
        {"outcome", "pass"},
        {"errors",
         {{{"error", 1e-4}, {"eager_error", 9e-4}, {"eager_alone", 2e-4}, {"epsilon", 1.2e-7}},
          {{"error", 5e-4}, {"eager_error", 2e-4}, {"epsilon", 1.2e-7}}}}};
    const Comparison c = comparison_from_json(reply, Precision::accurate);
    ASSERT_EQ(c.shares.size(), 2u);
    EXPECT_DOUBLE_EQ(c.shares[0], 1e-4 / 2.5e-4);
    EXPECT_DOUBLE_EQ(c.shares[1], 2);
}

TEST(Judge, InHalfPrecisionTheFloorIsLower) {
    const Comparison c{.outcome = "pass", .eager_error = 1e-5, .epsilon = 9.77e-4};
    EXPECT_DOUBLE_EQ(error_limit(c, Precision::strict), 4 * c.epsilon);
}

TEST(ErrorLimit, MixedFollowsAutocast) {
    Comparison c = passing();
    c.half_error = 1e-3;
    EXPECT_DOUBLE_EQ(error_limit(c, Precision::mixed), 4e-3);
    c.half_error = 0;  // autocast was not possible
    EXPECT_DOUBLE_EQ(error_limit(c, Precision::mixed), 1e-3);
    c.eager_error = 1e-2;
    EXPECT_DOUBLE_EQ(error_limit(c, Precision::mixed), 4e-2);
}

TEST(SpreadLimit, FollowsEagerAboveAFloorOfTheDtype) {
    Spread s{.share = 0.9, .eager_error = 1e-4, .half_error = 1e-3, .epsilon = 1.2e-7};
    EXPECT_DOUBLE_EQ(spread_limit(s, Precision::strict), 4e-4);
    EXPECT_DOUBLE_EQ(spread_limit(s, Precision::accurate), 2e-4);
    EXPECT_DOUBLE_EQ(spread_limit(s, Precision::mixed), 4e-3);
    s.eager_error = 0;
    EXPECT_DOUBLE_EQ(spread_limit(s, Precision::strict), 64 * s.epsilon);
    EXPECT_DOUBLE_EQ(spread_limit(s, Precision::accurate), 8 * s.epsilon);
    s.epsilon = 7.8e-3;
    EXPECT_DOUBLE_EQ(spread_limit(s, Precision::strict), s.epsilon);
    EXPECT_DOUBLE_EQ(spread_limit(s, Precision::accurate), s.epsilon / 2);
}

TEST(ErrorLimit, AccurateIsNeverLooserThanStrict) {
    for (const double eager : {0.0, 1e-8, 1e-6, 1e-3}) {
        Comparison c = passing();
        c.eager_error = eager;
        EXPECT_LE(error_limit(c, Precision::accurate), error_limit(c, Precision::strict));
    }
}

TEST(JudgeComparison, FormAndNaNAreWrongInEveryCase) {
    for (const bool by_policy : {true, false}) {
        for (const auto& [outcome, reason] : std::vector<std::pair<const char*, Reason>>{
                 {"shape", Reason::shape}, {"dtype", Reason::dtype}, {"non_finite", Reason::non_finite}}) {
            const auto found = judge_comparison({.outcome = outcome, .evidence = "see here"}, "ties",
                                                by_policy, Precision::strict);
            ASSERT_TRUE(found.has_value()) << outcome;
            EXPECT_EQ(found->reason, reason);
            EXPECT_EQ(found->evidence, "case 'ties': see here");
        }
    }
}

TEST(JudgeComparison, ByPolicyValuesMustBeWithinTheTolerance) {
    Comparison c = passing();
    EXPECT_FALSE(judge_comparison(c, "given", true, Precision::strict));
    c.outcome = "values";
    c.evidence = "3 of 10 values differ";
    const auto found = judge_comparison(c, "given", true, Precision::strict);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->reason, Reason::values);
    EXPECT_TRUE(says(found->evidence, "3 of 10 values differ"));
    EXPECT_TRUE(says(found->evidence, "eager: 1e-07"));
}

TEST(JudgeComparison, ByPolicyTheErrorAgainstFp64IsLimited) {
    Comparison c = passing();
    c.error = 1e-4;
    for (const Precision precision : {Precision::strict, Precision::accurate}) {
        const auto found = judge_comparison(c, "normal", true, precision);
        ASSERT_TRUE(found) << to_string(precision);
        EXPECT_EQ(found->reason, Reason::values);
        EXPECT_TRUE(says(found->evidence, to_string(precision).data()));
        EXPECT_TRUE(says(found->evidence, "lower precision"));
    }
    EXPECT_FALSE(judge_comparison(c, "normal", true, Precision::mixed));
    c.error = error_limit(c, Precision::strict);
    EXPECT_FALSE(judge_comparison(c, "normal", true, Precision::strict)) << "the limit itself is allowed";
}

TEST(JudgeComparison, UnderMixedWhatIsAllowedIsNotSuspected) {
    Comparison c = passing();
    c.error = 1e-2;
    for (const bool most : {false, true}) {
        if (most) {
            c.error = 1e-4;
            c.spread = Spread{.share = 0.5, .error = 1e-2, .eager_error = 1e-7, .epsilon = 1.2e-7};
        }
        const auto found = judge_comparison(c, "normal", true, Precision::mixed);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->reason, Reason::values);
        EXPECT_TRUE(says(found->evidence, "in bf16 (8 times as coarse as fp16"));
        EXPECT_FALSE(says(found->evidence, "lower precision than the reference's"));
    }
}

TEST(JudgeComparison, ElsewhereOnlyStabilityIsAskedFor) {
    Comparison c = passing();
    c.error = 1e-4;
    c.outcome = "values";
    EXPECT_FALSE(judge_comparison(c, "large", false, Precision::strict));
    c.stable = false;
    const auto found = judge_comparison(c, "large", false, Precision::strict);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->reason, Reason::values);
    EXPECT_TRUE(says(found->evidence, "case 'large'"));
}

TEST(JudgeComparison, IntegersThatDifferAreWrongInEveryCase) {
    const Comparison c = comparison_from_json(
        {{"outcome", "values"}, {"stable", false}, {"evidence", "integers"}}, Precision::strict);
    EXPECT_TRUE(judge_comparison(c, "given", true, Precision::strict));
    EXPECT_TRUE(judge_comparison(c, "ties", false, Precision::strict));
}

TEST(JudgeComparison, EachOutputIsHeldToItsOwnLimit) {
    const nlohmann::json rough = {{"error", 1e-4}, {"eager_error", 5e-4}, {"epsilon", 1e-3}};
    const nlohmann::json fine = {{"error", 1e-4}, {"eager_error", 1e-7}, {"epsilon", 1.2e-7}};
    const auto judged = [](const nlohmann::json& errors) {
        const Comparison c =
            comparison_from_json({{"outcome", "pass"}, {"errors", errors}}, Precision::strict);
        return judge_comparison(c, "given", true, Precision::strict).has_value();
    };
    EXPECT_FALSE(judged(nlohmann::json::array({rough})));
    EXPECT_TRUE(judged(nlohmann::json::array({fine})));
    EXPECT_TRUE(judged(nlohmann::json::array({rough, fine})));
    EXPECT_TRUE(judged(nlohmann::json::array({fine, rough})));
}

TEST(JudgeComparison, MostValuesAreHeldToALimitWhereThePolicyApplies) {
    const nlohmann::json largest = {{"error", 1e-7}, {"eager_error", 1e-7}, {"epsilon", 1.2e-7}};
    const nlohmann::json fine = {{"share", 0.5}, {"error", 1e-7}, {"eager_error", 1e-7}, {"epsilon", 1.2e-7}};
    const nlohmann::json rough = {
        {"share", 0.9}, {"error", 1e-4}, {"eager_error", 1e-7}, {"epsilon", 1.2e-7}};
    for (const nlohmann::json& spread :
         {nlohmann::json::array({fine, rough}), nlohmann::json::array({rough, fine})}) {
        const Comparison c = comparison_from_json(
            {{"outcome", "pass"}, {"errors", nlohmann::json::array({largest})}, {"spread", spread}},
            Precision::strict);
        const auto found = judge_comparison(c, "given", true, Precision::strict);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->reason, Reason::values);
        EXPECT_NE(found->evidence.find("10 % of the values"), std::string::npos) << found->evidence;
        EXPECT_FALSE(judge_comparison(c, "large", false, Precision::strict));
        EXPECT_FALSE(judge_comparison(c, "given", true, Precision::mixed));
    }
}

}  // namespace
}  // namespace kforge
