// Many candidates at once, against the fake trusted side: each gets its own result, in order.
#include <gtest/gtest.h>

#include "kforge/arena/arena.hpp"

namespace kforge {
namespace {

using nlohmann::json;

ArenaSpec fake_spec() {
    ArenaSpec spec;
    spec.python = "python3";
    spec.python_path = fs::path(KFORGE_SOURCE_DIR) / "tests/unit/arena/fake";
    spec.problem_name = "problem";
    spec.baselines = {"eager"};
    spec.timing_budget_s = 0.01;
    spec.seed = "1";
    return spec;
}

TEST(LocalArena, ManyCandidatesEachGetTheirResultInOrder) {
    const std::unique_ptr<Arena> arena = make_arena(fake_spec());
    std::vector<Submission> submissions;
    for (int i = 0; i < 7; ++i) {
        json script = {{"print", "candidate " + std::to_string(i)}};
        if (i == 2) script["load"] = {{"ok", false}, {"kind", "syntax"}, {"message", "not Python"}};
        if (i == 4) script["go"] = 1;    // dies in its first call
        if (i == 5) script["load"] = 1;  // dies while it is imported, beside others
        submissions.push_back({script.dump(), {}});
    }
    std::vector<Evaluation> made;
    const Result<void> done = arena->evaluate_all(submissions, [&](size_t index, Evaluation evaluation) {
        EXPECT_EQ(index, made.size());
        made.push_back(std::move(evaluation));
        return Result<void>();
    });
    ASSERT_TRUE(done.ok()) << done.error().message;
    ASSERT_EQ(made.size(), submissions.size());
    for (size_t i = 0; i < made.size(); ++i) {
        EXPECT_EQ(made[i].verdict.is_correct(), i != 2 && i != 4 && i != 5) << i;
        EXPECT_EQ(made[i].output, "candidate " + std::to_string(i));
    }
    EXPECT_EQ(made[2].verdict.state, State::compilation_failure);
}

TEST(LocalArena, AnErrorOfTheReceiverEndsTheRest) {
    const std::unique_ptr<Arena> arena = make_arena(fake_spec());
    int received = 0;
    const Result<void> done =
        arena->evaluate_all(std::vector<Submission>(5, Submission{"{}", {}}), [&](size_t, Evaluation) {
            ++received;
            return Result<void>(Error{ErrorKind::io, "no room"});
        });
    EXPECT_FALSE(done.ok());
    EXPECT_EQ(received, 1);
}

}  // namespace
}  // namespace kforge
