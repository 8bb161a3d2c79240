#include "kforge/util/interrupt.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>

#include "forked.hpp"

namespace kforge {
namespace {

bool readable(int fd) {
    pollfd event{fd, POLLIN, 0};
    return ::poll(&event, 1, 0) == 1;
}

TEST(Interrupt, TheFirstSignalSetsTheFlagAndWakesPolls) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const ForkedOutcome result = in_forked_process([&]() -> std::string {
            const int fd = interrupt_fd();
            install_interrupt_handler();
            if (interrupted() || readable(fd)) return "interrupted too early";
            ::raise(signal);
            if (!interrupted() || !readable(fd) || fd != interrupt_fd()) return "not seen";
            return "";
        });
        EXPECT_EQ(result.text, "");
        EXPECT_EQ(result.status, 0);
        set_interrupted_for_test(false);  // the pipe may be older than the child, and then it is ours too
    }
}

TEST(Interrupt, TheSecondSignalEndsTheProcess) {
    const ForkedOutcome result = in_forked_process([]() -> std::string {
        install_interrupt_handler();
        ::raise(SIGINT);
        ::raise(SIGINT);
        return "still here";
    });
    EXPECT_EQ(result.text, "");
    EXPECT_EQ(WEXITSTATUS(result.status), 130);
    set_interrupted_for_test(false);
}

TEST(Interrupt, TestsCanSetAndClearIt) {
    set_interrupted_for_test(true);
    EXPECT_TRUE(interrupted());
    EXPECT_TRUE(readable(interrupt_fd()));
    EXPECT_EQ(interrupted_error().kind, ErrorKind::cancelled);
    set_interrupted_for_test(false);
    EXPECT_FALSE(interrupted());
    EXPECT_FALSE(readable(interrupt_fd()));
}

}  // namespace
}  // namespace kforge
