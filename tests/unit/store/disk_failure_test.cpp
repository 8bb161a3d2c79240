// Full and read-only disks, and death at every failpoint.
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "../util/forked.hpp"
#include "kforge/util/failpoint.hpp"
#include "store_support.hpp"

namespace kforge {
namespace {

class DiskFailure : public StoreTest {};

// Appends until the disk is full, makes room with `make_room`, and goes on. Empty when all is as it should
// be.
std::string fill_and_recover(const fs::path& path, const std::function<void()>& make_room) {
    auto created = RunDirectory::create(path, "", "");
    if (!created.ok()) return created.error().message;
    RunDirectory& run = **created;
    std::optional<Error> error;
    for (int i = 0; i < 200 && !error; ++i)
        if (auto appended = run.append("step", 1, {{"text", std::string(5000, 'x')}}); !appended.ok())
            error = appended.error();
    if (!error) return "the disk never filled up";
    if (error->kind != ErrorKind::io) return "wrong kind: " + error->message;
    if (error->message.find("journal.jsonl: No space left") == std::string::npos) return error->message;
    const auto text = read_file(path / "journal.jsonl");
    if (!text.ok() || text->back() != '\n') return "a torn line stayed";
    const size_t kept = run.events().size();
    if (RunDirectory::read_journal(path).value_or({}).size() != kept) return "the journal and the run differ";

    const auto written = run.write(1, "big", std::string(1 << 20, 'x'));
    if (written.ok() || written.error().kind != ErrorKind::io) return "a file too big was no error";
    if (!fs::is_empty(path / "iterations/01")) return "half a file stayed";

    make_room();
    if (const auto appended = run.append("later", 1); !appended.ok()) return appended.error().message;
    created->reset();
    const auto opened = RunDirectory::open(path);
    if (!opened.ok()) return opened.error().message;
    return (*opened)->events().size() == kept + 1 ? "" : "events were lost";
}

bool enter_mount_namespace() {
    const uid_t user = ::getuid();
    const gid_t group = ::getgid();
    if (user == 0) return ::unshare(CLONE_NEWNS) == 0;
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/gid_map") << group << ' ' << group << " 1";
    std::ofstream("/proc/self/uid_map") << user << ' ' << user << " 1";
    return true;
}

TEST_F(DiskFailure, AFullDiskLeavesARunThatGoesOnWhenThereIsRoom) {
    const fs::path mount_point = path();
    fs::create_directories(mount_point);
    constexpr std::string_view no_mount = "no mount";
    const ForkedOutcome result = in_forked_process([&]() -> std::string {
        // In a mount namespace of its own, so that nothing stays mounted whatever happens.
        if (!enter_mount_namespace()) return std::string(no_mount);
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
        if (::mount("none", mount_point.c_str(), "tmpfs", 0, "size=256k,mode=0777") != 0)
            return std::string(no_mount);
        (void)write_file_durable(mount_point / "ballast", std::string(100'000, 'x'));
        return fill_and_recover(mount_point / "run", [&] { fs::remove(mount_point / "ballast"); });
    });
    if (result.text == no_mount) GTEST_SKIP() << "[SKIP] this user may not mount a small file system";
    EXPECT_EQ(result.text, "");
}

TEST_F(DiskFailure, AFileSizeLimitIsHandledLikeAFullDisk) {
    const ForkedOutcome result = in_forked_process([&]() -> std::string {
        ::signal(SIGXFSZ, SIG_IGN);
        rlimit limit{};
        ::getrlimit(RLIMIT_FSIZE, &limit);
        rlimit small = limit;
        small.rlim_cur = 60'000;
        ::setrlimit(RLIMIT_FSIZE, &small);
        return fill_and_recover(path(), [&] { ::setrlimit(RLIMIT_FSIZE, &limit); });
    });
    EXPECT_EQ(result.text, "");
}

TEST_F(DiskFailure, ARunThatCannotBeCreatedLeavesNothing) {
    const ForkedOutcome result = in_forked_process([&]() -> std::string {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{10, 10};
        ::setrlimit(RLIMIT_FSIZE, &small);
        const auto run = RunDirectory::create(path(), "a long configuration", "a problem");
        if (run.ok()) return "it was created";
        return run.error().kind == ErrorKind::io ? "" : run.error().message;
    });
    EXPECT_EQ(result.text, "");
    EXPECT_FALSE(fs::exists(path()));
    EXPECT_EQ(RunDirectory::create("/proc/kforge-run", "", "").error().kind, ErrorKind::io);
}

TEST_F(DiskFailure, AReadOnlyRunCanBeReadButNotContinued) {
    create().reset();
    fs::permissions(path().parent_path(), fs::perms(0755));
    for (const fs::path& file : {path() / ".lock", journal()}) fs::permissions(file, fs::perms(0444));
    fs::permissions(path(), fs::perms(0555));
    const ForkedOutcome result = as_ordinary_user([&]() -> std::string {
        const auto read = RunDirectory::read_journal(path());
        if (!read.ok()) return read.error().message;
        const auto opened = RunDirectory::open(path());
        if (opened.ok()) return "it opened";
        const bool clear = opened.error().kind == ErrorKind::io &&
                           opened.error().message.find("must be writable") != std::string::npos;
        return clear ? "" : opened.error().message;
    });
    EXPECT_EQ(result.text, "");
    fs::permissions(path(), fs::perms(0755));
}

// A little run: what it does is fixed, so its failpoints can be counted.
void little_run(const fs::path& path) {
    auto run = RunDirectory::create(path, "seed = 1\n", "class Model: pass\n");
    if (!run.ok()) return;
    for (int i = 1; i <= 2; ++i) {
        (void)(*run)->write(i, "candidate.py", "candidate\n");
        (void)(*run)->append("evaluated", i);
    }
}

TEST_F(DiskFailure, DeathAtAnyFailpointLeavesAPrefixOfTheRun) {
    std::vector<std::string> points;
    set_failpoint_handler([&](std::string_view point, std::string_view subject) {
        points.push_back(fmt::format("{} {}", point, subject));
    });
    little_run(path());
    set_failpoint_handler({});
    ASSERT_EQ(points.size(), 2u * 3 + 2 + 2 * (3 + 2));
    EXPECT_EQ(points[0], "file.write.before problem.py");
    EXPECT_EQ(points[6], "journal.append.before run_started");
    EXPECT_EQ(points.back(), "journal.append.after evaluated");

    size_t appended = 0;
    for (size_t kill_at = 0; kill_at < points.size(); ++kill_at) {
        fs::remove_all(path());
        const ForkedOutcome killed = in_forked_process([&]() -> std::string {
            size_t hits = 0;
            set_failpoint_handler([&](std::string_view, std::string_view) {
                if (hits++ == kill_at) ::raise(SIGKILL);
            });
            little_run(path());
            return "survived";
        });
        EXPECT_EQ(WTERMSIG(killed.status), SIGKILL);
        if (points[kill_at].rfind("journal.append.after", 0) == 0) ++appended;
        if (appended == 0) {
            EXPECT_EQ(open_error().kind, ErrorKind::config) << points[kill_at];
            continue;
        }
        const auto run = open();
        const auto events = run->events();
        EXPECT_EQ(events.size(), appended) << points[kill_at];
        for (const Event& event : events)
            EXPECT_TRUE(event.iteration == 0 || *run->read(event.iteration, "candidate.py") == "candidate\n");
        for (const auto& entry : fs::recursive_directory_iterator(path()))
            EXPECT_NE(entry.path().extension(), ".tmp") << "an unfinished file stayed";
    }
    EXPECT_EQ(appended, 3u);
}

}  // namespace
}  // namespace kforge
