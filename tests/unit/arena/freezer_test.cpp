// Real processes: those known from the last time are stopped without being looked for, others are noticed.
#include "kforge/arena/freezer.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "kforge/arena/stage.hpp"

namespace kforge {
namespace {

void work_for_ever() {
    for (volatile long n = 0;;) n = n + 1;
}

// As many calls as it takes to have one during which nothing else was started on this machine.
bool in_a_quiet_moment(Freezer& freezer) {
    for (int i = 0; i < 10'000; ++i) {
        freezer.thaw();
        if (!freezer.freeze()) return false;
        if (!freezer.others_started()) return true;
    }
    return false;
}

TEST(Freezer, StopsTheKnownAtOnceAndNoticesTheNew) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
        char word = 0;
        if (::read(ends[0], &word, 1) == 1) ::fork();
        for (;;) ::pause();
    }
    Freezer freezer(pid, Freezer::Root::player);
    EXPECT_TRUE(freezer.freeze());
    EXPECT_TRUE(freezer.met_new());
    freezer.thaw();
    int status = 0;
    freezer.halt();
    ASSERT_EQ(::waitpid(pid, &status, WUNTRACED), pid);
    EXPECT_TRUE(WIFSTOPPED(status));
    EXPECT_TRUE(freezer.freeze());
    EXPECT_FALSE(freezer.met_new());
    freezer.thaw();
    ASSERT_EQ(::write(ends[1], "x", 1), 1);
    while (freezer.members().size() < 2) ::usleep(1000);
    EXPECT_TRUE(freezer.freeze());
    EXPECT_TRUE(freezer.met_new());
    for (const pid_t member : freezer.members()) ::kill(member, SIGKILL);
    ::waitpid(pid, &status, 0);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(Freezer, NoticesWhatWasStartedAndHasEnded) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::signal(SIGCHLD, SIG_IGN);  // nothing is left of its children
        char word = 0;
        while (::read(ends[0], &word, 1) == 1) {
            const pid_t child = ::fork();
            if (child == 0) ::_exit(0);
            while (::kill(child, 0) == 0) ::usleep(100);
            ::raise(SIGSTOP);  // so that the test sees that the child is gone
        }
        ::_exit(0);
    }
    Freezer freezer(pid, Freezer::Root::player);
    EXPECT_TRUE(freezer.freeze());
    // Others start processes as well: it takes a quiet moment to see that nothing was started.
    EXPECT_TRUE(in_a_quiet_moment(freezer));
    freezer.thaw();
    ASSERT_EQ(::write(ends[1], "x", 1), 1);
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, WUNTRACED), pid);
    EXPECT_TRUE(freezer.freeze());
    EXPECT_FALSE(freezer.met_new());
    EXPECT_TRUE(freezer.others_started());
    ::kill(pid, SIGKILL);
    ::waitpid(pid, &status, 0);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(Freezer, ThreadsThatAreKnownStandStillWithoutBeingLookedFor) {
    const pid_t pid = ::fork();
    if (pid == 0) {
        std::vector<std::thread> threads;
        for (int i = 0; i < 3; ++i) threads.emplace_back(work_for_ever);
        for (;;) ::pause();
    }
    while (threads_of(pid).size() < 4) ::usleep(1000);
    Freezer freezer(pid, Freezer::Root::player);
    ASSERT_TRUE(freezer.freeze());
    EXPECT_TRUE(in_a_quiet_moment(freezer));
    EXPECT_FALSE(freezer.met_new());
    for (const pid_t tid : threads_of(pid)) EXPECT_FALSE(is_at_work(pid, tid));
    const int64_t used = freezer.cpu_ns();
    ::usleep(20'000);
    EXPECT_EQ(freezer.cpu_ns(), used);
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
}

TEST(Freezer, AThreadThatIsNewStandsStillToo) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
        char word = 0;
        while (::read(ends[0], &word, 1) == 1) std::thread(work_for_ever).detach();
        ::_exit(0);
    }
    Freezer freezer(pid, Freezer::Root::player);
    ASSERT_TRUE(freezer.freeze());
    for (size_t threads = 2; threads < 6; ++threads) {
        EXPECT_TRUE(in_a_quiet_moment(freezer));
        freezer.thaw();
        ASSERT_EQ(::write(ends[1], "x", 1), 1);
        while (threads_of(pid).size() < threads) ::sched_yield();
        ASSERT_TRUE(freezer.freeze());
        EXPECT_TRUE(freezer.others_started());
        for (const pid_t tid : threads_of(pid)) EXPECT_FALSE(is_at_work(pid, tid));
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    ::close(ends[0]);
    ::close(ends[1]);
}

size_t open_files() {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

TEST(Freezer, OpensNoFilesWithoutEnd) {
    constexpr size_t k_processes = 100;
    const pid_t pid = ::fork();
    if (pid == 0) {
        for (size_t i = 1; i < k_processes; ++i)
            if (::fork() == 0) break;
        for (;;) ::pause();
    }
    Freezer freezer(pid, Freezer::Root::player);
    while (freezer.members().size() < k_processes) ::usleep(1000);
    const size_t before = open_files();
    for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(freezer.freeze());
        EXPECT_TRUE(freezer.met_new());  // those that it has no room for are new every time
        EXPECT_LE(open_files(), before + 64);
        freezer.thaw();
    }
    for (const pid_t member : freezer.members()) ::kill(member, SIGKILL);
    ::waitpid(pid, nullptr, 0);
}

char state_of(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    const size_t name_end = text.rfind(") ");
    return name_end == std::string::npos ? 'X' : text[name_end + 2];
}

TEST(Freezer, TheFirstOfANamespaceStandsStillWithTheOthers) {
    for (const bool own_namespace : {true, false}) {
        const auto root = static_cast<pid_t>(
            ::syscall(SYS_clone, SIGCHLD | (own_namespace ? CLONE_NEWPID : 0), 0, 0, 0, 0));
        if (root < 0) GTEST_SKIP() << "needs the right to make a pid namespace";
        if (root == 0) {
            if (::fork() >= 0)
                for (;;) ::pause();
            ::_exit(1);
        }
        Freezer freezer(root, Freezer::Root::jail);
        while (freezer.members().empty()) ::usleep(1000);
        EXPECT_TRUE(freezer.freeze());
        EXPECT_EQ(state_of(root) == 'T', own_namespace);
        EXPECT_EQ(state_of(freezer.player()), 'T');
        freezer.thaw();
        EXPECT_EQ(state_of(root) == 'T', own_namespace);
        freezer.thaw_root();
        EXPECT_NE(state_of(root), 'T');
        for (const pid_t member : freezer.members()) ::kill(member, SIGKILL);
        ::kill(root, SIGKILL);
        ::waitpid(root, nullptr, 0);
    }
}

// Two processes that continue each other, so that each of them stands still when it is looked at: processes
// that have ended lie between them, and looking at those takes time. A third one, which is told to stop last,
// sees to it that one of them is awake by then. The times are those of one machine: others show less.
struct Jugglers {
    std::atomic<bool> begun;
    std::atomic<int> turn;
    std::atomic<int64_t> since;
    std::atomic<pid_t> one, other, third;
    static constexpr int k_ended = 20;  // before one, and between it and the other
    // When they are looked at, how long it takes to look at all, and to look for all.
    static constexpr int k_one_us = 200, k_other_us = 370, k_pass_us = 385, k_search_us = 500;
    static constexpr int k_between_us = (k_one_us + k_other_us) / 2;

    static int64_t now() {
        return std::chrono::duration_cast<std::chrono::microseconds>(
                   std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
    void await(int wanted) const {
        while (turn != wanted) ::usleep(50);
    }
    void sleep_until(int64_t us) const {
        if (const int64_t left = since + us - now(); left > 0) ::usleep(static_cast<useconds_t>(left));
    }
    void pass_on(int next, pid_t to) {
        turn = next;
        ::kill(to, SIGCONT);
        ::raise(SIGSTOP);
    }
    [[noreturn]] void be_one() {
        for (;;) {
            while (!begun) ::usleep(50);
            for (int told = 0; told < 2;) {  // to be told once is not enough: they are looked for after that
                ::usleep(10);
                if (state_of(third) != 'T') continue;
                since = now();
                if (++told < 2) ::kill(third, SIGCONT);
            }
            begun = false;
            pass_on(1, other);
            await(2);
            sleep_until(k_pass_us + k_search_us + k_one_us / 2);
            pass_on(3, other);
            await(4);
        }
    }
    [[noreturn]] void be_other() {
        for (;;) {
            await(1);
            sleep_until(k_between_us);
            pass_on(2, one);
            await(3);
            sleep_until(k_pass_us + k_search_us + k_between_us);
            pass_on(4, one);
        }
    }
    [[noreturn]] void be_third() const {
        for (;;)
            if (begun)
                ::kill(one, SIGCONT);
            else
                ::usleep(50);
    }
};

// Where there is such a processor.
void stay_on(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    ::sched_setaffinity(0, sizeof set, &set);
}

TEST(Freezer, NobodyIsContinuedByOneThatIsNotLookedAt) {
    void* memory =
        ::mmap(nullptr, sizeof(Jugglers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    Jugglers& jugglers = *new (memory) Jugglers();
    const pid_t pid = ::fork();
    if (pid == 0) {
        stay_on(1);
        const auto start = [](const auto& role) {
            const pid_t child = ::fork();
            if (child == 0) {
                ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
                role();
            }
            return child;
        };
        const auto end = [] { ::_exit(0); };
        for (int i = 0; i < Jugglers::k_ended; ++i) start(end);
        jugglers.one = start([&] { jugglers.be_one(); });
        for (int i = 0; i < Jugglers::k_ended; ++i) start(end);
        jugglers.other = start([&] { jugglers.be_other(); });
        jugglers.third = start([&] { jugglers.be_third(); });
        for (;;) ::pause();
    }
    while (jugglers.third == 0) ::usleep(1000);
    cpu_set_t before;
    ::sched_getaffinity(0, sizeof before, &before);
    stay_on(0);
    Freezer freezer(pid, Freezer::Root::player);
    ASSERT_TRUE(freezer.freeze());
    for (int i = 0; i < 50; ++i) {
        freezer.thaw();
        ::usleep(5'000);
        jugglers.turn = 0;
        jugglers.begun = true;
        ::usleep(12'000);
        freezer.halt();
        EXPECT_TRUE(freezer.freeze());
        const int64_t used = freezer.cpu_ns();
        ::usleep(2'000);
        EXPECT_EQ(freezer.cpu_ns(), used);
    }
    for (const pid_t member : freezer.members()) ::kill(member, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    ::sched_setaffinity(0, sizeof before, &before);
    ::munmap(memory, sizeof(Jugglers));
}

TEST(OutputForm, TheStrideOfASingleRowMeansNothing) {
    EXPECT_EQ((OutputForm{"float32", {1, 8}, {-1, 1}, 0}.span()), 32u);
    EXPECT_EQ((OutputForm{"float32", {1, 8}, {INT64_MAX, 1}, 0}.span()), 32u);
    EXPECT_FALSE((OutputForm{"float32", {2, 8}, {-1, 1}, 0}.span()));
}

}  // namespace
}  // namespace kforge
