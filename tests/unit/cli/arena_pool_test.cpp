#include "kforge/cli/arena_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace kforge {
namespace {

struct Counts {
    std::atomic<int> opened{0};
    std::atomic<int> closed{0};
    std::atomic<int> at_work{0};
    std::atomic<int> most_at_work{0};
    std::atomic<int> rested{0};
};

class CountingArena final : public Arena {
  public:
    CountingArena(Counts& counts, bool fails) : m_counts(counts), m_fails(fails) { ++m_counts.opened; }
    ~CountingArena() override { ++m_counts.closed; }
    Result<VetReport> vet() override { return VetReport{}; }
    Result<ProblemFacts> facts() override { return ProblemFacts{}; }
    Result<void> prepare() override { return Error{ErrorKind::internal, "in the background of others"}; }
    Result<void> rest() override {
        ++m_counts.rested;
        return {};
    }
    Result<Evaluation> evaluate(const Submission&) override {
        m_counts.most_at_work = std::max<int>(m_counts.most_at_work, ++m_counts.at_work);
        std::this_thread::yield();
        --m_counts.at_work;
        if (m_fails) return Error{ErrorKind::process, "it died"};
        return Evaluation{};
    }
    Result<Verdict> confirm(const Submission&) override { return Verdict{}; }
    Result<std::string> profile(const Submission&) override { return std::string(); }
    Result<std::string> render(const RenderRequest&) override { return std::string(); }

  private:
    Counts& m_counts;
    const bool m_fails;
};

class ArenaPoolTest : public ::testing::Test {
  protected:
    std::unique_ptr<Arena> lease(const std::string& key, bool fails = false) {
        return pool.lease(key, [this, fails] { return std::make_unique<CountingArena>(counts, fails); });
    }
    Counts counts;
    ArenaPool pool{1};
};

TEST_F(ArenaPoolTest, StaysWarmForTheNextRunOfTheSameProblem) {
    lease("p");
    lease("p");
    EXPECT_EQ(counts.opened, 1);
    EXPECT_EQ(counts.closed, 0);
    lease("q");
    EXPECT_EQ(counts.opened, 2);
    EXPECT_EQ(counts.closed, 1) << "one idle arena is kept, the one used last";
    lease("q");
    EXPECT_EQ(counts.opened, 2);
}

TEST_F(ArenaPoolTest, IsSharedByRunsAtOnce) {
    const auto one = lease("p");
    const auto other = lease("p");
    EXPECT_EQ(counts.opened, 1);
}

TEST_F(ArenaPoolTest, NothingIsEvaluatedBesideAnotherEvaluation) {
    std::vector<std::jthread> runs;
    for (int i = 0; i < 4; ++i)
        runs.emplace_back([this, i] {
            const auto arena = lease(std::to_string(i % 2));
            for (int round = 0; round < 50; ++round) {
                EXPECT_TRUE(arena->prepare().ok());
                EXPECT_TRUE(arena->evaluate({}).ok());
                EXPECT_TRUE(arena
                                ->alone([this]() -> Result<void> {
                                    EXPECT_EQ(counts.at_work, 0);
                                    return {};
                                })
                                .ok());
            }
        });
    runs.clear();  // joins
    EXPECT_EQ(counts.most_at_work, 1);
    EXPECT_EQ(counts.rested, 200) << "nothing goes on in the background when the next one has its turn";
}

TEST_F(ArenaPoolTest, OneThatFailedIsGivenToNobodyElse) {
    {
        const auto arena = lease("p", true);
        EXPECT_FALSE(arena->evaluate({}).ok());
        EXPECT_TRUE(lease("p")->evaluate({}).ok());
    }
    EXPECT_EQ(counts.opened, 2);
    EXPECT_EQ(counts.closed, 1);
}

}  // namespace
}  // namespace kforge
