#include "kforge/arena/build_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

namespace kforge {
namespace {

class BuildCacheTest : public ::testing::Test {
  protected:
    void SetUp() override {
        Result<TemporaryDirectory> made = TemporaryDirectory::create("/tmp", "kforge-builds-");
        ASSERT_TRUE(made.ok());
        m_folder.emplace(std::move(*made));
        scratch = m_folder->path() / "scratch";
        fs::create_directories(scratch);
    }
    fs::path cache() const { return m_folder->path() / "cache"; }
    void write(const fs::path& name, const std::string& text) const {
        fs::create_directories((scratch / name).parent_path());
        std::ofstream(scratch / name) << text;
    }
    fs::path scratch;

  private:
    std::optional<TemporaryDirectory> m_folder;
};

TEST_F(BuildCacheTest, FilesComeBackWithTheirTimes) {
    write("ext/kernel.so", "code");
    write("candidate.py", "left out");
    const fs::file_time_type time = fs::file_time_type::clock::now() - std::chrono::hours(3);
    fs::last_write_time(scratch / "ext/kernel.so", time);
    const BuildCache builds(cache());
    EXPECT_TRUE(builds.find("key").empty());
    builds.keep("key", scratch);
    const fs::path found = builds.find("key");
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(*read_file(found / "ext/kernel.so"), "code");
    EXPECT_EQ(fs::last_write_time(found / "ext/kernel.so"), time);
    EXPECT_FALSE(fs::exists(found / "candidate.py"));
    EXPECT_TRUE(builds.find("other").empty());
}

// A candidate makes what it likes in its scratch: nothing of it may lead us elsewhere, or block us.
TEST_F(BuildCacheTest, LinksAndPipesAreLeftOut) {
    write("kernel.so", "code");
    fs::create_symlink("/etc/passwd", scratch / "link");
    fs::create_directory_symlink("/etc", scratch / "folder");
    ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
    const BuildCache builds(cache());
    builds.keep("key", scratch);
    const fs::path found = builds.find("key");
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(std::distance(fs::directory_iterator(found), fs::directory_iterator()), 1);
    fs::create_directory_symlink(scratch, scratch.parent_path() / "elsewhere");
    builds.keep("through a link", scratch.parent_path() / "elsewhere");
    EXPECT_TRUE(builds.find("through a link").empty());
}

TEST_F(BuildCacheTest, WhatIsTooMuchIsNotKept) {
    write("kernel.so", "code");
    fs::resize_file(scratch / "kernel.so", size_t{300} << 20);
    const BuildCache builds(cache());
    builds.keep("key", scratch);
    EXPECT_TRUE(builds.find("key").empty());
}

TEST_F(BuildCacheTest, NothingBuiltNothingKept) {
    const BuildCache builds(cache());
    builds.keep("key", scratch);
    EXPECT_TRUE(builds.find("key").empty());
    BuildCache("").keep("key", scratch);
    EXPECT_TRUE(BuildCache("").find("key").empty());
}

}  // namespace
}  // namespace kforge
