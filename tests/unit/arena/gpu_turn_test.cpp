#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "kforge/arena/gpu.hpp"
#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

class GpuTurnTest : public ::testing::Test {
  protected:
    void TearDown() override {
        set_interrupted_for_test(false);
        std::filesystem::remove(path);
    }
    const std::string uuid = fmt::format("test-{}", ::getpid());
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / fmt::format("kforge-{}.lock", uuid);
};

TEST_F(GpuTurnTest, IsForOneAtATime) {
    std::optional<GpuTurn> first;
    {
        Result<GpuTurn> turn = GpuTurn::take(uuid);
        ASSERT_TRUE(turn.ok());
        first = std::move(turn).value();
    }
    set_interrupted_for_test(true);  // or it would wait
    const Result<GpuTurn> second = GpuTurn::take(uuid);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().kind, ErrorKind::cancelled);
    first.reset();
    EXPECT_TRUE(GpuTurn::take(uuid).ok());
}

TEST_F(GpuTurnTest, CanBeTakenByEveryUser) {
    const mode_t before = ::umask(077);
    EXPECT_TRUE(GpuTurn::take(uuid).ok());
    ::umask(before);
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0666u);
    EXPECT_TRUE(GpuTurn::take(uuid).ok()) << "the file is there already";
}

TEST_F(GpuTurnTest, FollowsNoLinkThatAnotherUserHasPutThere) {
    std::filesystem::create_symlink("/dev/null", path);
    const Result<GpuTurn> turn = GpuTurn::take(uuid);
    ASSERT_FALSE(turn.ok());
    EXPECT_EQ(turn.error().kind, ErrorKind::environment);
    EXPECT_NE(turn.error().message.find(path.string()), std::string::npos);
}

}  // namespace
}  // namespace kforge
