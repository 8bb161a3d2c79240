#include "kforge/report/lost_calls.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kforge {
namespace {

Event event(const std::string& type, int iteration, nlohmann::json fields = nlohmann::json::object()) {
    Event made;
    made.type = type;
    made.iteration = iteration;
    made.fields = std::move(fields);
    return made;
}

const nlohmann::json k_worst = {{"tokens", 1000}, {"usd", 0.5}};

TEST(LostCalls, AnsweredAndPendingOnesAreNotLost) {
    EXPECT_EQ(lost_calls({}).calls, 0);
    EXPECT_EQ(lost_calls({event("generation_asked", 1, k_worst), event("generation_answered", 1)}).calls, 0);
    EXPECT_EQ(lost_calls({event("generation_asked", 1, k_worst), event("generation_pending", 1),
                          event("suspended", 0), event("generation_asked", 1, k_worst),
                          event("generation_pending", 1)})
                  .calls,
              0);
}

TEST(LostCalls, OneThatWasSentAgainWasLostBefore) {
    const LostCalls lost =
        lost_calls({event("generation_asked", 1, k_worst), event("analysis_asked", 1, k_worst),
                    event("generation_asked", 1, k_worst), event("generation_answered", 1)});
    EXPECT_EQ(lost.calls, 2) << "the first of the generation agent, and the analysis agent's";
    EXPECT_EQ(lost.tokens, 2000);
    EXPECT_DOUBLE_EQ(lost.usd, 1);
    EXPECT_TRUE(lost.priced);
}

TEST(LostCalls, ASecondRequestOfTheSameCallStandsForBoth) {
    const LostCalls lost =
        lost_calls({event("generation_asked", 1, k_worst),
                    event("generation_asked", 1, {{"tokens", 1500}, {"usd", 0.7}, {"extends", true}})});
    EXPECT_EQ(lost.calls, 1);
    EXPECT_EQ(lost.tokens, 1500);
}

TEST(LostCalls, OneThatCouldNotBeMadeCountsWithWhatItPaid) {
    EXPECT_EQ(lost_calls({event("generation_asked", 1, k_worst),
                          event("generation_released", 1, {{"tokens", 0}, {"usd", 0.0}})})
                  .calls,
              0);
    const LostCalls lost = lost_calls({event("generation_asked", 1, k_worst),
                                       event("generation_released", 1, {{"tokens", 40}, {"usd", 0.01}})});
    EXPECT_EQ(lost.calls, 1);
    EXPECT_EQ(lost.tokens, 40);
}

TEST(LostCalls, AnUnknownPriceIsSaidAndDamageIsNoNumber) {
    const LostCalls lost = lost_calls({event("generation_asked", 1, {{"tokens", "many"}, {"extends", 7}})});
    EXPECT_EQ(lost.calls, 1);
    EXPECT_FALSE(lost.priced);
    EXPECT_NE(lost_text(lost).find("price unknown"), std::string::npos);
}

}  // namespace
}  // namespace kforge
