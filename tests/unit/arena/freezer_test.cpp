// Real processes: those known from the last time are stopped without being looked for, others are noticed.
#include "kforge/arena/freezer.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "kforge/arena/stage.hpp"

namespace kforge {
namespace {

TEST(Freezer, StopsTheKnownAtOnceAndNoticesTheNew) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
        char word = 0;
        if (::read(ends[0], &word, 1) == 1) ::fork();
        for (;;) ::pause();
    }
    Freezer freezer(pid, false);
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

TEST(OutputForm, TheStrideOfASingleRowMeansNothing) {
    EXPECT_EQ((OutputForm{"float32", {1, 8}, {-1, 1}, 0}.span()), 32u);
    EXPECT_EQ((OutputForm{"float32", {1, 8}, {INT64_MAX, 1}, 0}.span()), 32u);
    EXPECT_FALSE((OutputForm{"float32", {2, 8}, {-1, 1}, 0}.span()));
}

}  // namespace
}  // namespace kforge
