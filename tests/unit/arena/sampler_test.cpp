// A process that executes code of this very program: what it counts as depends on whose folder that is.
#include "kforge/arena/sampler.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "kforge/util/fs.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

class Busy {
  public:
    explicit Busy(void (*work)()) : m_pid(::fork()) {
        if (m_pid != 0) return;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        work();
        ::_exit(0);
    }
    ~Busy() {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    pid_t pid() const { return m_pid; }

  private:
    const pid_t m_pid;
};

void spin() {
    std::atomic<uint64_t> count = 0;
    for (;;) count.fetch_add(1, std::memory_order_relaxed);
}

void sleep_for_ever() {
    for (;;) ::pause();
}

// Looks until `enough`, or for ten seconds, which no machine needs.
template <typename Enough>
Work look(Sampler& sampler, const Freezer& processes, Enough enough) {
    for (int i = 0; i < 1000 && !enough(sampler.work()); ++i) {
        sampler.start(processes);
        std::this_thread::sleep_for(10ms);
        sampler.stop();
    }
    return sampler.work();
}

std::string folder_of_this_program() {
    return fs::read_symlink("/proc/self/exe").parent_path().string();
}

class SamplerTest : public ::testing::Test {
  protected:
    void SetUp() override {
        const Busy busy(sleep_for_ever);
        if (!may_sample(busy.pid())) GTEST_SKIP() << "[SKIP] ptrace is not allowed here";
    }
};

TEST_F(SamplerTest, CodeInTheScratchFolderIsOwn) {
    const Busy busy(spin);
    const Freezer processes(busy.pid(), Freezer::Root::player);
    Sampler sampler(folder_of_this_program());
    const Work work = look(sampler, processes, [](const Work& seen) { return seen.own >= 20; });
    EXPECT_GE(work.own, 20u);
    EXPECT_EQ(work.library, 0u);
    EXPECT_EQ(work.own_share(), 1);
    EXPECT_FALSE(sampler.refused());
}

TEST_F(SamplerTest, CodeElsewhereIsALibrarys) {
    const Busy busy(spin);
    const Freezer processes(busy.pid(), Freezer::Root::player);
    Sampler sampler("/no/such/folder");
    const Work work = look(sampler, processes, [](const Work& seen) { return seen.library >= 20; });
    EXPECT_GE(work.library, 20u);
    EXPECT_EQ(work.own, 0u);
    EXPECT_EQ(work.own_share(), 0);
}

TEST_F(SamplerTest, WaitingIsNoWork) {
    const Busy busy(sleep_for_ever);
    while (is_at_work(busy.pid(), busy.pid())) std::this_thread::sleep_for(1ms);  // on its way to sleep
    const Freezer processes(busy.pid(), Freezer::Root::player);
    Sampler sampler(folder_of_this_program());
    int times = 0;
    const Work work = look(sampler, processes, [&](const Work&) { return ++times > 10; });
    EXPECT_EQ(work.counted() + work.nobody, 0u);
    EXPECT_EQ(work.own_share(), 0);
}

TEST_F(SamplerTest, AProcessIsLeftAsItWas) {
    const Busy busy(spin);
    Freezer processes(busy.pid(), Freezer::Root::player);
    ASSERT_TRUE(processes.freeze());
    EXPECT_TRUE(may_sample(busy.pid()));
    // It goes back to where it was stopped by itself, which takes it a moment.
    for (int i = 0; i < 10'000 && is_at_work(busy.pid(), busy.pid()); ++i) std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(is_at_work(busy.pid(), busy.pid()));
    processes.thaw();
    Sampler sampler(folder_of_this_program());
    const Work work = look(sampler, processes, [](const Work& seen) { return seen.own >= 1; });
    EXPECT_GE(work.own, 1u);
    EXPECT_TRUE(processes.freeze());
}

TEST_F(SamplerTest, AProcessThatEndsMeanwhileIsNoTrouble) {
    Sampler sampler(folder_of_this_program());
    {
        const Busy busy(spin);
        const Freezer processes(busy.pid(), Freezer::Root::player);
        sampler.start(processes);
        ::kill(busy.pid(), SIGKILL);
        sampler.stop();
    }
    EXPECT_FALSE(sampler.refused());
}

}  // namespace
}  // namespace kforge
