#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <thread>

#include "kforge/util/text.hpp"
#include "process_support.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

TEST(Child, GetsTheInheritedDescriptorsInOrder) {
    Pipe first, second, third;
    // Ascending numbers handed over in descending order, one of them twice.
    auto child = start_shell("echo three >&3; echo two >&4; echo one >&5; echo again >&6",
                             {third.write.get(), second.write.get(), first.write.get(), third.write.get()});
    ASSERT_TRUE(child.ok()) << child.error().message;
    for (Pipe* pipe : {&first, &second, &third}) pipe->write.reset();
    std::string one, two, three;
    EXPECT_TRUE(read_to_end(first.read.get(), &one));
    EXPECT_TRUE(read_to_end(second.read.get(), &two));
    EXPECT_TRUE(read_to_end(third.read.get(), &three));
    EXPECT_EQ(one, "one\n");
    EXPECT_EQ(two, "two\n");
    EXPECT_EQ(three, "three\nagain\n");
}

TEST(Child, SwapsDescriptorsThatSitInEachOthersPlace) {
    Pipe first, second;
    // Only a process of its own may rearrange its low descriptors.
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
        const int one = ::fcntl(first.write.get(), F_DUPFD, 20);
        const int two = ::fcntl(second.write.get(), F_DUPFD, 20);
        ::dup2(two, 3);
        ::dup2(one, 4);
        auto child = start_shell("echo one >&3; echo two >&4", {4, 3});
        const bool good = child.ok() && child->wait(10s).value_or(ExitStatus{1, 0}).success();
        ::_exit(good ? 0 : 1);
    }
    first.write.reset();
    second.write.reset();
    std::string one, two;
    EXPECT_TRUE(read_to_end(first.read.get(), &one));
    EXPECT_TRUE(read_to_end(second.read.get(), &two));
    EXPECT_EQ(one, "one\n");
    EXPECT_EQ(two, "two\n");
    ::waitpid(pid, nullptr, 0);
}

TEST(Child, HasNoOtherDescriptors) {
    Fd leaked(::open("/dev/null", O_RDONLY));  // without O_CLOEXEC on purpose
    Fd high(::fcntl(leaked.get(), F_DUPFD, 200));
    ASSERT_TRUE(high);
    Pipe pipe;
    auto child = start_shell("ls /proc/$$/fd >&3", {pipe.write.get()});
    ASSERT_TRUE(child.ok());
    pipe.write.reset();
    std::string listed;
    EXPECT_TRUE(read_to_end(pipe.read.get(), &listed));
    for (const std::string& fd : split_lines(listed)) EXPECT_TRUE(fd == "10" || std::stoi(fd) <= 3) << fd;
}

TEST(Child, LeadsItsOwnSessionWithDefaultSignals) {
    const auto old = ::signal(SIGPIPE, SIG_IGN);
    sigset_t blocked, before;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGUSR1);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
    Pipe pipe;
    auto child =
        start_shell("exec grep -E '^(NSsid|SigBlk|SigIgn):' /proc/self/status >&3", {pipe.write.get()});
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::signal(SIGPIPE, old);
    ASSERT_TRUE(child.ok());
    pipe.write.reset();
    std::string status;
    EXPECT_TRUE(read_to_end(pipe.read.get(), &status));
    EXPECT_NE(status.find("SigBlk:\t0000000000000000"), std::string::npos) << status;
    EXPECT_NE(status.find("SigIgn:\t0000000000000000"), std::string::npos) << status;
    EXPECT_NE(status.find("NSsid:\t" + std::to_string(child->pid())), std::string::npos) << status;
}

TEST(Child, WritesBothStreamsToTheLog) {
    Pipe pipe;
    ChildSpec spec;
    spec.argv = {"sh", "-c", "echo out; echo err >&2"};
    spec.environment = k_test_environment;
    spec.log_fd = pipe.write.get();
    auto child = Child::start(spec);
    ASSERT_TRUE(child.ok());
    pipe.write.reset();
    std::string log;
    EXPECT_TRUE(read_to_end(pipe.read.get(), &log));
    EXPECT_EQ(log, "out\nerr\n");
}

TEST(Child, TellsHowItEndedAsOftenAsAsked) {
    auto child = start_shell("exit 5", {});
    ASSERT_TRUE(child.ok());
    EXPECT_TRUE(child->started());
    for (int i = 0; i < 2; ++i) {
        const auto status = child->wait(10s);
        ASSERT_TRUE(status.has_value());
        EXPECT_EQ(status->code, 5);
    }
    Child moved = std::move(*child);
    EXPECT_EQ(moved.wait(0ms)->code, 5);
    EXPECT_FALSE(child->started());
    EXPECT_FALSE(child->wait(0ms).has_value());
}

TEST(Child, IsStillRunningWhenTheWaitEnds) {
    auto child = start_shell("exec sleep 1000", {});
    ASSERT_TRUE(child.ok());
    EXPECT_FALSE(child->wait(0ms).has_value());
    EXPECT_FALSE(child->wait(20ms).has_value());
    child->kill_tree();
    EXPECT_EQ(child->wait(0ms)->signal, SIGKILL);
}

TEST(Child, LeavesNothingOfItsSessionBehindWhenItEnds) {
    Pipe pipe;
    auto child = start_shell("sleep 1000 & exit 0", {pipe.write.get()});
    ASSERT_TRUE(child.ok());
    pipe.write.reset();
    EXPECT_TRUE(child->wait(10s).has_value());
    EXPECT_TRUE(read_to_end(pipe.read.get()));
}

TEST(Child, IsKilledWithItsTreeWhenForgottenOrReplaced) {
    Pipe first, second;
    {
        auto child = start_shell("sleep 1000 & setsid sleep 1000 & wait", {first.write.get()});
        ASSERT_TRUE(child.ok());
        auto other = start_shell("sleep 1000 & wait", {second.write.get()});
        ASSERT_TRUE(other.ok());
        first.write.reset();
        second.write.reset();
        *child = std::move(*other);
        EXPECT_TRUE(read_to_end(first.read.get()));
        EXPECT_TRUE(is_running(child->pid()));
    }
    EXPECT_TRUE(read_to_end(second.read.get()));
}

TEST(Child, OutlivesTheThreadThatStartedIt) {
    Pipe question, answer;
    Child child;
    std::thread([&] {
        auto started =
            start_shell("read line <&3; echo $line >&4", {question.read.get(), answer.write.get()});
        if (started.ok()) child = std::move(*started);
    }).join();
    ASSERT_TRUE(child.started());
    ASSERT_EQ(::write(question.write.get(), "alive\n", 6), 6);
    EXPECT_EQ(read_line(answer.read.get()), "alive");
}

TEST(Child, DiesWithTheProcessThatStartedIt) {
    Pipe pipe;
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
        auto child = start_shell("echo up >&3; exec sleep 1000", {pipe.write.get()});
        ::raise(SIGSTOP);
        ::_exit(child.ok() ? 0 : 1);
    }
    pipe.write.reset();
    EXPECT_EQ(read_line(pipe.read.get()), "up");
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    EXPECT_TRUE(read_to_end(pipe.read.get()));
}

}  // namespace
}  // namespace kforge
