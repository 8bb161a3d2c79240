#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <thread>

#include "kforge/util/interrupt.hpp"
#include "kforge/util/text.hpp"
#include "process_support.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

ProcessOutcome run(const ProcessSpec& spec) {
    auto outcome = run_process(spec);
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    return outcome.ok() ? *outcome : ProcessOutcome{};
}

Error failure_of(const ProcessSpec& spec) {
    const auto outcome = run_process(spec);
    EXPECT_FALSE(outcome.ok());
    return outcome.ok() ? Error{ErrorKind::internal, "it ran"} : outcome.error();
}

TEST(ExitStatus, IsDescribedInWords) {
    EXPECT_EQ((ExitStatus{1, 0}.describe()), "exit status 1");
    EXPECT_EQ((ExitStatus{0, SIGSEGV}.describe()), "signal 11 (SIGSEGV)");
    EXPECT_FALSE((ExitStatus{0, SIGKILL}.success()));
    EXPECT_TRUE((ExitStatus{0, 0}.success()));
}

TEST(InheritEnvironment, TakesNamesAndPrefixes) {
    ::setenv("KFT_ONE", "1", 1);
    ::setenv("KFT_TWO", "a=b", 1);
    ::setenv("KFX", "no", 1);
    EXPECT_EQ(inherit_environment({"KFT_ONE"}), (Environment{"KFT_ONE=1"}));
    EXPECT_EQ(inherit_environment({"KFT_*"}).size(), 2u);
    EXPECT_EQ(inherit_environment({"KFT_TWO", "KFT"}), (Environment{"KFT_TWO=a=b"}));
}

TEST(RunProcess, KeepsBothStreamsAndTheStatusApart) {
    const auto outcome = run(shell("echo out; echo err >&2; exit 7"));
    EXPECT_EQ(outcome.out, "out\n");
    EXPECT_EQ(outcome.err, "err\n");
    EXPECT_EQ(outcome.status.code, 7);
    EXPECT_FALSE(outcome.timed_out);
}

TEST(RunProcess, ReportsTheSignalThatKilled) {
    EXPECT_EQ(run(shell("kill -SEGV $$")).status.signal, SIGSEGV);
}

TEST(RunProcess, GivesExactlyTheEnvironmentAndFolderNamed) {
    ProcessSpec spec;
    spec.argv = {"/usr/bin/env"};
    spec.environment = {"A=1", "B=two words"};
    EXPECT_EQ(run(spec).out, "A=1\nB=two words\n");
    spec = shell("pwd");
    spec.directory = "/usr";
    EXPECT_EQ(run(spec).out, "/usr\n");
}

TEST(RunProcess, LooksProgramsUpInThePathOfTheChild) {
    auto folder = TemporaryDirectory::create(::testing::TempDir(), "kf");
    ASSERT_TRUE(folder.ok());
    const fs::path tool = folder->path() / "kf-tool";
    ASSERT_TRUE(write_file_durable(tool, "#!/bin/sh\necho tool\n").ok());
    ProcessSpec spec;
    spec.argv = {"kf-tool"};
    spec.environment = {"PATH=/usr/bin:" + folder->path().string()};
    EXPECT_EQ(failure_of(spec).message, "cannot start kf-tool: the file found in PATH is not executable");
    ::chmod(tool.c_str(), 0755);
    EXPECT_EQ(run(spec).out, "tool\n");
}

TEST(RunProcess, SaysWhyAProgramCannotBeStarted) {
    auto folder = TemporaryDirectory::create(::testing::TempDir(), "kf");
    ASSERT_TRUE(folder.ok());
    const auto script = [&](const std::string& name, const std::string& content) {
        const fs::path path = folder->path() / name;
        EXPECT_TRUE(write_file_durable(path, content).ok());
        ::chmod(path.c_str(), 0755);
        ProcessSpec spec;
        spec.argv = {path.string()};
        return failure_of(spec);
    };
    ProcessSpec spec;
    spec.argv = {"kforge-no-such-program"};
    EXPECT_EQ(failure_of(spec).kind, ErrorKind::environment);
    EXPECT_EQ(failure_of(spec).message, "cannot start kforge-no-such-program: not found in PATH");
    spec.argv = {"/no/such/program"};
    EXPECT_EQ(failure_of(spec).message, "cannot start /no/such/program: No such file or directory");
    EXPECT_NE(script("bare", "echo hello\n").message.find("#!/bin/sh"), std::string::npos);
    EXPECT_NE(script("lost", "#!/no/such/shell\n").message.find("interpreter"), std::string::npos);
    spec = shell("true");
    spec.directory = "/no/such/folder";
    EXPECT_NE(failure_of(spec).message.find("cannot enter the folder /no/such/folder"), std::string::npos);
    spec.argv.clear();
    EXPECT_EQ(failure_of(spec).kind, ErrorKind::environment);
}

TEST(RunProcess, SendsMegabytesOfInput) {
    ProcessSpec spec = shell("cat");
    for (int i = 0; spec.input.size() < 3'000'000; ++i) spec.input += std::to_string(i) + "\n";
    EXPECT_EQ(run(spec).out, spec.input);
}

TEST(RunProcess, DoesNotMindInputThatIsNotRead) {
    ProcessSpec spec = shell("exit 0");
    spec.input.assign(1 << 20, 'x');
    EXPECT_TRUE(run(spec).status.success());
    EXPECT_EQ(run(shell("cat")).out, "");
}

TEST(RunProcess, DropsOutputBeyondTheLimitButLetsTheProcessFinish) {
    ProcessSpec spec = shell("head -c 9000000 /dev/zero; head -c 9000000 /dev/zero >&2; exit 3");
    spec.output_limit = 1000;
    const auto outcome = run(spec);
    EXPECT_EQ(outcome.out.size(), 1000u);
    EXPECT_EQ(outcome.err.size(), 1000u);
    EXPECT_EQ(outcome.status.code, 3);
}

TEST(RunProcess, WaitsForTheProcessNotForItsOutput) {
    EXPECT_EQ(run(shell("exec >&- 2>&-; read line < /dev/null; exit 4")).status.code, 4);
}

TEST(RunProcess, ATimeoutKillsTheWholeTree) {
    // A child, one in another session, and one that lost its parent as well.
    ProcessSpec spec = shell(
        "sleep 1000 & echo $!; setsid sleep 1000 & echo $!; (setsid sh -c 'echo $$; exec sleep 1000' &); "
        "wait");
    spec.timeout = 700ms;
    const auto outcome = run(spec);
    EXPECT_TRUE(outcome.timed_out);
    EXPECT_EQ(outcome.status.signal, SIGKILL);
    const auto pids = split_lines(outcome.out);
    ASSERT_EQ(pids.size(), 3u);
    for (const std::string& pid : pids) EXPECT_FALSE(is_running(std::stoi(pid)));
}

TEST(RunProcess, AGrandchildThatHoldsThePipesDoesNotHangIt) {
    const auto outcome = run(shell("sleep 1000 & echo $!; exit 2"));
    EXPECT_FALSE(outcome.timed_out);
    EXPECT_EQ(outcome.status.code, 2);
    EXPECT_FALSE(is_running(std::stoi(outcome.out)));
}

TEST(RunProcess, ADaemonisedGrandchildDoesNotOutliveIt) {
    const ScopedSubreaper subreaper;
    // An orphan in a session of its own, which `head` has heard from before the shell ends.
    const auto outcome = run(shell("(setsid sh -c 'echo $$; exec sleep 1000' &) | head -n 1"));
    EXPECT_TRUE(outcome.status.success());
    EXPECT_FALSE(is_running(std::stoi(outcome.out)));
}

TEST(RunProcess, AnInterruptKillsTheTreeAndCancels) {
    auto folder = TemporaryDirectory::create(::testing::TempDir(), "kf");
    ASSERT_TRUE(folder.ok());
    const std::string fifo = (folder->path() / "fifo").string();
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    std::string pid;
    std::thread user([&] {
        Fd started(::open(fifo.c_str(), O_RDONLY | O_CLOEXEC));
        pid = read_line(started.get());
        set_interrupted_for_test(true);
    });
    ProcessSpec spec = shell("sleep 1000 & echo $! > " + fifo + "; wait");
    const auto start = std::chrono::steady_clock::now();
    const auto outcome = run_process(spec);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
    user.join();
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().kind, ErrorKind::cancelled);
    EXPECT_FALSE(is_running(std::stoi(pid)));
    EXPECT_EQ(failure_of(shell("true")).kind, ErrorKind::cancelled);  // nothing is started after it
    set_interrupted_for_test(false);
    EXPECT_TRUE(run(shell("true")).status.success());
}

TEST(RunProcess, ManyThreadsMayRunProcessesAtOnce) {
    const ScopedSubreaper subreaper;
    std::vector<std::thread> threads;
    std::vector<int> good(8);
    for (size_t t = 0; t < good.size(); ++t)
        threads.emplace_back([&good, t] {
            for (int i = 0; i < 10; ++i) {
                ProcessSpec spec = shell("cat");
                spec.input = std::to_string(t) + "." + std::to_string(i);
                const auto outcome = run_process(spec);
                good[t] += outcome.ok() && outcome->status.success() && outcome->out == spec.input;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(good, std::vector<int>(8, 10));
}

}  // namespace
}  // namespace kforge
