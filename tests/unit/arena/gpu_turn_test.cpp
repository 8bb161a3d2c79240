#include "kforge/arena/gpu_turn.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "kforge/util/fs.hpp"
#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

class GpuTurnTest : public ::testing::Test {
  protected:
    void TearDown() override {
        set_interrupted_for_test(false);
        fs::remove_all(path);
    }
    std::optional<GpuTurn> take() {
        Result<GpuTurn> turn = GpuTurn::take(uuid);
        EXPECT_TRUE(turn.ok()) << turn.error().message;
        if (!turn.ok()) return std::nullopt;
        return std::move(turn).value();
    }
    // Whether another one would have to wait.
    bool is_taken() {
        set_interrupted_for_test(true);  // or it would
        const Result<GpuTurn> turn = GpuTurn::take(uuid);
        set_interrupted_for_test(false);
        EXPECT_TRUE(turn.ok() || turn.error().kind == ErrorKind::cancelled) << turn.error().message;
        return !turn.ok();
    }
    void expect_refused() {
        const Result<GpuTurn> turn = GpuTurn::take(uuid);
        ASSERT_FALSE(turn.ok());
        EXPECT_EQ(turn.error().kind, ErrorKind::environment);
        EXPECT_NE(turn.error().message.find(path.string()), std::string::npos) << turn.error().message;
    }
    const std::string uuid = fmt::format("test-{}", ::getpid());
    const fs::path path = fs::path("/tmp") / fmt::format("kforge-{}.lock", uuid);
};

TEST_F(GpuTurnTest, IsForOneAtATime) {
    std::optional<GpuTurn> first = take();
    EXPECT_TRUE(is_taken());
    first.reset();
    EXPECT_FALSE(is_taken());
}

TEST_F(GpuTurnTest, IsTheSameWhereverTemporaryFilesGo) {
    const std::optional<GpuTurn> first = take();
    const char* before = std::getenv("TMPDIR");
    const std::string kept = before == nullptr ? "" : before;
    ::setenv("TMPDIR", "/var/tmp", 1);
    EXPECT_TRUE(is_taken());
    before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
}

TEST_F(GpuTurnTest, CanBeTakenByEveryUser) {
    const mode_t before = ::umask(077);
    take();
    ::umask(before);
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0666u);
    EXPECT_TRUE(take()) << "the file is there already";
    for (const fs::directory_entry& entry : fs::directory_iterator(path.parent_path()))
        EXPECT_FALSE(entry.path().string().starts_with(path.string() + ".")) << "a draft is left";
}

TEST_F(GpuTurnTest, AnotherUserWaitsForTheSameFile) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
    constexpr uid_t k_other = 65534;
    const auto as_other = [&] {
        const pid_t child = ::fork();
        if (child == 0) {
            set_interrupted_for_test(true);  // or it would wait
            const bool became = ::setgid(k_other) == 0 && ::setuid(k_other) == 0;
            const Result<GpuTurn> turn = GpuTurn::take(uuid);
            ::_exit(!became ? 3 : turn.ok() ? 0 : turn.error().kind == ErrorKind::cancelled ? 1 : 2);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    };
    std::optional<GpuTurn> first = take();
    EXPECT_EQ(as_other(), 1) << "it waits";
    first.reset();
    EXPECT_EQ(as_other(), 0) << "it takes its turn";
}

TEST_F(GpuTurnTest, FollowsNoLinkThatAnotherUserHasPutThere) {
    fs::create_symlink("/dev/null", path);
    expect_refused();
}

TEST_F(GpuTurnTest, WaitsForNothingThatAnotherUserHasPutThere) {
    ASSERT_EQ(::mkfifo(path.c_str(), 0666), 0);
    expect_refused();
    fs::remove(path);
    fs::create_directory(path);
    expect_refused();
}

}  // namespace
}  // namespace kforge
