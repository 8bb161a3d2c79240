#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <thread>

#include "process_support.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

TEST(KillProcessTree, KillsDescendantsThatLeftTheSession) {
    Pipe pipe;
    auto child =
        start_shell("setsid sh -c 'setsid sleep 1000 & echo up >&3; wait' & wait", {pipe.write.get()});
    ASSERT_TRUE(child.ok());
    pipe.write.reset();
    EXPECT_EQ(read_line(pipe.read.get()), "up");
    kill_process_tree(child->pid());
    EXPECT_TRUE(read_to_end(pipe.read.get()));
    EXPECT_EQ(child->wait(0ms)->signal, SIGKILL);
}

TEST(KillProcessTree, StopsATreeThatKeepsGrowing) {
    Pipe pipe;
    auto child = start_shell("echo up >&3; while :; do setsid sleep 1000 & done", {pipe.write.get()});
    ASSERT_TRUE(child.ok());
    pipe.write.reset();
    EXPECT_EQ(read_line(pipe.read.get()), "up");
    child->kill_tree();
    EXPECT_TRUE(read_to_end(pipe.read.get()));
}

TEST(KillProcessTree, IsNotFooledByAFirstThreadThatEnded) {
    Pipe pipe;
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
        if (::fork() != 0) ::_exit(::pause());
        ::setsid();  // so that it is found as a descendant, not as a member of a group
        static int out = pipe.write.get();
        pthread_t thread;
        ::pthread_create(
            &thread, nullptr,
            [](void*) -> void* {
                // Shows as a zombie once the first thread is gone.
                while (is_running(::getpid())) std::this_thread::yield();
                if (::write(out, "up\n", 3) != 3) ::_exit(1);
                for (;;) ::pause();
            },
            nullptr);
        ::syscall(SYS_exit, 0);  // this thread only, without unwinding into the test framework
    }
    pipe.write.reset();
    EXPECT_EQ(read_line(pipe.read.get()), "up");
    kill_process_tree(pid);
    EXPECT_TRUE(read_to_end(pipe.read.get()));
    EXPECT_EQ(::waitpid(pid, nullptr, 0), pid);
}

TEST(KillProcessTree, EndsANamespaceWithItsFirstProcess) {
    Pipe pipe;
    auto child = start_shell(
        "exec unshare --user --map-root-user --pid --fork sh -c 'setsid sleep 1000 & echo up >&3; wait'",
        {pipe.write.get()});
    ASSERT_TRUE(child.ok());
    pipe.write.reset();
    if (read_line(pipe.read.get()) != "up") GTEST_SKIP() << "there are no namespaces for this user";
    const std::string own = std::to_string(child->pid());
    const auto children = read_file("/proc/" + own + "/task/" + own + "/children");
    ASSERT_TRUE(children.ok());
    const pid_t first = std::stoi(*children);
    EXPECT_TRUE(heads_a_namespace(first));
    EXPECT_FALSE(heads_a_namespace(child->pid()));
    kill_process_tree(first);
    EXPECT_FALSE(is_running(first));
    EXPECT_TRUE(read_to_end(pipe.read.get()));
}

TEST(DescendsFrom, ParentsAndTheirParents) {
    EXPECT_TRUE(descends_from(::getpid(), ::getppid()));
    EXPECT_FALSE(descends_from(::getppid(), ::getpid()));
    EXPECT_FALSE(descends_from(::getpid(), ::getpid()));
    EXPECT_FALSE(descends_from(-5, ::getpid()));
}

TEST(KillProcessTree, LeavesOthersAlone) {
    auto child = start_shell("exec sleep 1000", {});
    ASSERT_TRUE(child.ok());
    kill_process_tree(-1);
    kill_process_tree(0);
    kill_process_tree(::getpid());
    kill_process_tree(999'999'999);
    EXPECT_FALSE(child->wait(0ms).has_value());
}

TEST(ReapOrphans, KillsDaemonsOfALivingChildAndLeavesTheChild) {
    const ScopedSubreaper subreaper;
    Pipe daemon, child_pipe;
    // Both daemons lost their parent; the second has a child of its own.
    auto child = start_shell(
        "(setsid sleep 1000 4>&- &); (setsid sh -c 'sleep 1000 & wait' 4>&- &); exec 3>&-; echo up >&4; read "
        "x",
        {daemon.write.get(), child_pipe.write.get()});
    ASSERT_TRUE(child.ok());
    daemon.write.reset();
    child_pipe.write.reset();
    // Standard input is /dev/null, so `read` fails and the shell ends; its own exit is not ours to reap.
    EXPECT_EQ(read_line(child_pipe.read.get()), "up");
    EXPECT_EQ(reap_orphans(), 2);
    EXPECT_TRUE(read_to_end(daemon.read.get()));
    EXPECT_EQ(reap_orphans(), 0);
    EXPECT_EQ(child->wait(10s)->code, 1);
}

TEST(ReapOrphans, LeavesChildrenFromBeforeAlone) {
    Pipe pipe;
    const pid_t before = ::fork();
    ASSERT_GE(before, 0);
    if (before == 0) {
        pipe.write.reset();
        char byte;
        ::_exit(::read(pipe.read.get(), &byte, 1) == 1 ? 42 : 1);
    }
    EXPECT_EQ(reap_orphans(), 0);  // no subreaper: nothing can have fallen to it
    {
        const ScopedSubreaper subreaper;
        EXPECT_EQ(reap_orphans(), 0);
    }
    ASSERT_EQ(::write(pipe.write.get(), "x", 1), 1);
    int status = 0;
    EXPECT_EQ(::waitpid(before, &status, 0), before);
    EXPECT_EQ(WEXITSTATUS(status), 42);
}

}  // namespace
}  // namespace kforge
