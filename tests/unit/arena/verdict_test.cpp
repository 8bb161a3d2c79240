#include "kforge/arena/verdict.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

namespace kforge {
namespace {

// The table of the design: a new reason belongs here, in the prompts and in the documentation.
const std::map<std::string, std::vector<std::string>> k_table = {
    {"generation_failure", {"network", "refused", "truncated", "empty", "no_code"}},
    {"compilation_failure", {"syntax", "toolchain", "import"}},
    {"runtime_error", {"exception", "crash", "timeout", "out_of_memory", "device_fault"}},
    {"mismatch", {"shape", "dtype", "values", "non_finite", "nondeterministic", "generalization"}},
    {"correct", {}},
    {"disqualified", {"guardrail", "integrity"}},
    {"checked", {"compiled", "interpreted"}},
};

TEST(Verdict, EveryReasonBelongsToTheStateOfTheDesign) {
    std::set<Reason> seen;
    for (const auto& [state, reasons] : k_table) {
        ASSERT_TRUE(parse_state(state).ok()) << state;
        EXPECT_EQ(to_string(*parse_state(state)), state);
        for (const std::string& name : reasons) {
            const Result<Reason> reason = parse_reason(name);
            ASSERT_TRUE(reason.ok()) << name;
            EXPECT_EQ(to_string(*reason), name);
            EXPECT_EQ(to_string(state_of(*reason)), state) << name;
            seen.insert(*reason);
        }
    }
    EXPECT_EQ(seen.size(), static_cast<size_t>(Reason::interpreted) + 1)
        << "a reason is missing in this table";
    EXPECT_EQ(k_table.size(), static_cast<size_t>(State::checked) + 1);
}

TEST(Verdict, OtherWordsAreNoStateAndNoReason) {
    for (const char* word : {"", "Correct", "correct ", "ok", "value"}) {
        EXPECT_FALSE(parse_state(word).ok()) << word;
        ASSERT_FALSE(parse_reason(word).ok()) << word;
        EXPECT_NE(parse_reason(word).error().message.find("'" + std::string(word) + "'"), std::string::npos);
    }
}

TEST(Verdict, AReasonBringsItsState) {
    const Verdict verdict = Verdict::because(Reason::crash, "signal 11");
    EXPECT_EQ(verdict.state, State::runtime_error);
    EXPECT_EQ(verdict.reason, Reason::crash);
    EXPECT_FALSE(verdict.is_correct());
    EXPECT_TRUE(Verdict::correct().is_correct());
    EXPECT_FALSE(Verdict::correct().reason.has_value());
    EXPECT_FALSE(Verdict::because(Reason::compiled, "").is_correct());
}

}  // namespace
}  // namespace kforge
