#include "kforge/util/fs.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <thread>

#include "forked.hpp"
#include "kforge/util/failpoint.hpp"

namespace kforge {
namespace {

class Files : public ::testing::Test {
  protected:
    Files() : m_folder(TemporaryDirectory::create(::testing::TempDir(), "kf-fs-")) {}
    fs::path at(const std::string& name) const { return m_folder->path() / name; }
    size_t count() const {
        return static_cast<size_t>(std::distance(fs::directory_iterator(m_folder->path()), {}));
    }

  private:
    Result<TemporaryDirectory> m_folder;
};

TEST_F(Files, WrittenContentComesBackWhole) {
    std::string content("bytes\0\n\xFF", 8);
    content.append(1 << 20, 'x');
    ASSERT_TRUE(write_file_durable(at("file"), content).ok());
    EXPECT_EQ(*read_file(at("file")), content);
    ASSERT_TRUE(write_file_durable(at("file"), "").ok());
    EXPECT_EQ(*read_file(at("file")), "");
    EXPECT_EQ(count(), 1u);  // no temporary stays
}

TEST_F(Files, WritingMakesMissingFolders) {
    ASSERT_TRUE(write_file_durable(at("a/b/c/file"), "x").ok());
    EXPECT_EQ(*read_file(at("a/b/c/file")), "x");
    EXPECT_TRUE(make_directories(at("a/b/c/")).ok());
}

TEST_F(Files, ErrorsNameTheFileAndTheReason) {
    const auto absent = read_file(at("absent"));
    ASSERT_FALSE(absent.ok());
    EXPECT_EQ(absent.error().kind, ErrorKind::io);
    EXPECT_EQ(absent.error().message, "cannot read " + at("absent").string() + ": No such file or directory");
    EXPECT_NE(read_file(at("")).error().message.find("Is a directory"), std::string::npos);
    ASSERT_TRUE(write_file_durable(at("file"), "x").ok());
    EXPECT_NE(write_file_durable(at("file/below"), "x").error().message.find("cannot create"),
              std::string::npos);
    EXPECT_FALSE(write_file_durable("/proc/kforge-test/file", "x").ok());
    EXPECT_EQ(read_file("/proc/self/comm")->empty(), false);  // a file that claims to be empty
}

TEST_F(Files, AFailedWriteLeavesTheOldFileAndNoTemporary) {
    ASSERT_TRUE(write_file_durable(at("folder/file"), "old").ok());
    fs::permissions(at("folder"), fs::perms(0555));
    fs::permissions(at(""), fs::perms(0755));
    const ForkedOutcome result = as_ordinary_user([&]() -> std::string {
        const auto written = write_file_durable(at("folder/file"), "new");
        if (written.ok()) return "it was written";
        return written.error().message.find("Permission denied") == std::string::npos
                   ? written.error().message
                   : "";
    });
    fs::permissions(at("folder"), fs::perms(0755));
    EXPECT_EQ(result.text, "");
    EXPECT_EQ(*read_file(at("folder/file")), "old");
}

TEST_F(Files, ADeathInTheMiddleOfAWriteLeavesTheOldFileOrTheNew) {
    for (const char* point : {"file.write.before", "file.write.rename", "file.write.after"}) {
        ASSERT_TRUE(write_file_durable(at("file"), "old").ok());
        const ForkedOutcome result = in_forked_process([&]() -> std::string {
            set_failpoint_handler([&](std::string_view reached, std::string_view subject) {
                if (reached == point && subject == "file") ::raise(SIGKILL);
            });
            (void)write_file_durable(at("file"), "new");
            return "survived";
        });
        EXPECT_EQ(result.text, "") << point;
        EXPECT_EQ(WTERMSIG(result.status), SIGKILL);
        EXPECT_EQ(*read_file(at("file")), std::string(point) == "file.write.after" ? "new" : "old") << point;
    }
}

TEST_F(Files, ThreadsMayWriteTheSameFile) {
    std::vector<std::thread> threads;
    std::atomic<int> failures{0};
    for (const char c : {'a', 'b', 'c', 'd'})
        threads.emplace_back([&, c] {
            for (int i = 0; i < 10; ++i)
                if (!write_file_durable(at("file"), std::string(100'000, c)).ok()) ++failures;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(failures, 0);
    const std::string content = *read_file(at("file"));
    EXPECT_EQ(content, std::string(100'000, content.at(0)));
    EXPECT_EQ(count(), 1u);
}

TEST_F(Files, ATemporaryDirectoryGoesWithEverythingInIt) {
    fs::path path;
    {
        auto folder = TemporaryDirectory::create(at("parent"), "work-");
        ASSERT_TRUE(folder.ok());
        path = folder->path();
        EXPECT_EQ(path.filename().string().rfind("work-", 0), 0u);
        ASSERT_TRUE(write_file_durable(path / "deep/file", "x").ok());
        TemporaryDirectory moved = std::move(*folder);
        EXPECT_EQ(moved.path(), path);
        EXPECT_TRUE(fs::exists(path));
    }
    EXPECT_FALSE(fs::exists(path));
    EXPECT_FALSE(TemporaryDirectory::create("/proc/kforge-test", "x").ok());
}

TEST_F(Files, ATemporaryDirectoryGoesEvenWithUnreadableFoldersInside) {
    fs::permissions(at(""), fs::perms(0777));
    const ForkedOutcome result = as_ordinary_user([&]() -> std::string {
        fs::path path;
        {
            auto folder = TemporaryDirectory::create(at(""), "work-");
            if (!folder.ok()) return folder.error().message;
            path = folder->path();
            if (!write_file_durable(path / "closed/deeper/file", "x").ok()) return "cannot write";
            ::chmod((path / "closed/deeper").c_str(), 0);
            ::chmod((path / "closed").c_str(), 0);
        }
        return fs::exists(path) ? "still there" : "";
    });
    EXPECT_EQ(result.text, "");
}

TEST(ExecutablePath, IsThisProgram) {
    EXPECT_TRUE(executable_path().is_absolute());
    EXPECT_TRUE(fs::exists(executable_path()));
}

TEST(Failpoint, CallsTheHandlerWhileThereIsOne) {
    std::vector<std::string> seen;
    failpoint("nothing", "installed");
    set_failpoint_handler([&](std::string_view point, std::string_view subject) {
        seen.push_back(std::string(point) + " " + std::string(subject));
    });
    failpoint("here", "this");
    set_failpoint_handler({});
    failpoint("nothing", "again");
    EXPECT_EQ(seen, (std::vector<std::string>{"here this"}));
}

TEST(Room, IsRequiredOfTheDiskOfAFolder) {
    EXPECT_TRUE(require_room(::testing::TempDir(), 1).ok());
    const Result<void> none = require_room(::testing::TempDir(), size_t{1} << 62);
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().kind, ErrorKind::io);
    EXPECT_NE(none.error().message.find("No space left on device"), std::string::npos);
    EXPECT_TRUE(require_room("/no/such/folder", 1).ok()) << "who writes there finds out";
}

TEST(KeepNewest, OlderEntriesGoFilesAndFoldersAlike) {
    const Result<TemporaryDirectory> folder = TemporaryDirectory::create("/tmp", "kforge-newest-");
    ASSERT_TRUE(folder.ok());
    const auto now = fs::file_time_type::clock::now();
    for (int age = 0; age < 4; ++age) {
        const fs::path entry = folder->path() / std::to_string(age);
        if (age % 2 == 0) {
            fs::create_directories(entry / "below");
        } else {
            ASSERT_TRUE(write_file_durable(entry, "text").ok());
        }
        fs::last_write_time(entry, now - std::chrono::hours(age));
    }
    keep_newest(folder->path(), 2);
    for (int age = 0; age < 4; ++age)
        EXPECT_EQ(fs::exists(folder->path() / std::to_string(age)), age < 2) << age;
    keep_newest(folder->path() / "not there", 2);
}

}  // namespace
}  // namespace kforge
