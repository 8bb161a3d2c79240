#include "kforge/jail/inside/kforge_jail.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

#include "kforge/jail/inside/group.hpp"
#include "kforge/jail/inside/init.hpp"
#include "kforge/jail/inside/namespaces.hpp"
#include "kforge/jail/inside/special_files.hpp"
#include "kforge/jail/inside/state.hpp"

namespace kforge::jail {
namespace {

std::string g_error;
std::unique_ptr<Jail> g_jail;           // set in the player only
std::map<pid_t, MemoryGroup> g_groups;  // in the caller: of those that were started, by their init

template <typename F>
auto guarded(F body) -> decltype(body()) {
    try {
        return body();
    } catch (const std::exception& e) {
        g_error = e.what();
        return -1;
    }
}

// Runs as the parent of the player to be, inside the new namespaces.
void prepare_namespaces(Jail& jail, const Namespaces& namespaces, uid_t outer_uid, gid_t outer_gid,
                        int status_fd) {
    if (namespaces.user) {
        if (const int error = map_user(outer_uid, outer_gid, jail.uid, jail.gid)) fail_init(status_fd, error);
    }
    for (const char* layer : {"pid", "net", "ipc", "uts", "cgroup"}) {
        const auto found = namespaces.missing.find(layer);
        jail.report.attempt(layer, [&] {
            if (found != namespaces.missing.end()) throw Missing(found->second);
        });
    }
    jail.visible = readable_paths(jail.config);
    jail.report.set_missing("proc", "needs a mount namespace and a pid namespace");
    jail.report.attempt("mount", [&] {
        const auto found = namespaces.missing.find("mount");
        if (found != namespaces.missing.end()) throw Missing(found->second);
        build_root(jail);
    });
    jail.report.attempt("hidden", [&] {
        if (!jail.mounted) check_nothing_to_hide(jail);
    });
    jail.report.attempt("total_memory", [&] {
        if (jail.config.total_memory_bytes == 0) throw Missing("no limit was asked for");
        if (!(jail.report.has("pid") && jail.report.has("proc")))
            throw Missing("nothing but a private /proc shows all processes of a player");
    });
}

[[noreturn]] void supervise(Jail& jail, pid_t player, int status_fd) {
    InitTask task;
    task.player = player;
    task.status_fd = status_fd;
    task.lifeline = jail.config.lifeline;
    task.own_pid_namespace = jail.report.has("pid");
    task.total_memory_bytes = jail.report.has("total_memory") ? jail.config.total_memory_bytes : 0;
    task.file_table = jail.config.file_table;
    run_init(task);
}

// A little more than the supervisor allows, which tells what happened: this is for what it does not see.
// Files of the scratch are memory as well.
std::optional<MemoryGroup> make_group(Jail& jail) {
    constexpr uint64_t k_for_the_kernel = 256ULL << 20;
    std::optional<MemoryGroup> group;
    const Config& config = jail.config;
    jail.report.attempt("group", [&] {
        if (config.total_memory_bytes == 0) throw Missing("no limit was asked for");
        group.emplace(config.total_memory_bytes + config.total_memory_bytes / 8 + config.scratch_bytes +
                      config.shm_bytes + k_for_the_kernel);
    });
    return group;
}

// Where all memory of the machine is used up, the kernel ends players first, not those who judge them.
void be_the_first_to_go() {
    if (FILE* score = std::fopen("/proc/self/oom_score_adj", "we")) {
        std::fputs("1000", score);
        std::fclose(score);
    }
}

// From here on in the process that becomes init. Returns in the player only.
void start_inside(Jail& jail, const Namespaces& namespaces, uid_t outer_uid, gid_t outer_gid, int status_fd,
                  const std::optional<MemoryGroup>& group) {
    if (group) jail.report.attempt("group", [&] { group->enter(); });
    // Where there is a pid namespace, death of the caller ends it at once. Where there is none, the
    // supervisor must outlive the caller to clean up: it notices the closed pipe.
    if (namespaces.flags & CLONE_NEWPID) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    } else {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    }
    be_the_first_to_go();
    prepare_namespaces(jail, namespaces, outer_uid, outer_gid, status_fd);
    // The player of an ordinary user has the same user id as init: keep it out of init's memory.
    prctl(PR_SET_DUMPABLE, 0);
    jail.supervisor = getpid();
    // The real fork, with the handlers of the allocator and of libraries: its child goes on as the player.
    const pid_t player = fork();
    if (player < 0) fail_init(status_fd, errno);
    if (player > 0) supervise(jail, player, status_fd);
}

pid_t fork_player(const char* config, int* status_fd) {
    auto jail = std::make_unique<Jail>();
    jail->config = parse_config(config);
    jail->special_files = special_files(jail->config.readable);
    const auto& namespaces = available_namespaces();
    const uid_t outer_uid = geteuid();
    const gid_t outer_gid = getegid();
    jail->own_user_namespace = namespaces.user;
    jail->may_change_user = !namespaces.user && has_capability(CAP_SETUID) && has_capability(CAP_SETGID);
    const bool changes = jail->may_change_user || (namespaces.user && outer_uid == 0);
    jail->uid = changes ? jail->config.uid : outer_uid;
    jail->gid = changes ? jail->config.uid : outer_gid;

    int ends[2];
    check(pipe2(ends, O_CLOEXEC), "pipe");
    std::optional<MemoryGroup> group = make_group(*jail);
    const pid_t init = clone_process(namespaces.flags);
    if (init < 0) {
        const int error = errno;
        close(ends[0]);
        close(ends[1]);
        errno = error;
        missing("clone");
    }
    if (init > 0) {
        close(ends[1]);
        *status_fd = ends[0];
        if (group) g_groups.emplace(init, std::move(*group));
        return init;
    }

    close(ends[0]);
    try {
        start_inside(*jail, namespaces, outer_uid, outer_gid, ends[1], group);
    } catch (...) {
        // This process must never return into the caller's code.
        fail_init(ends[1], ENOMEM);
    }
    close(ends[1]);
    g_jail = std::move(jail);
    return 0;
}

void write_report(const std::string& text, char* report, size_t size) {
    if (report == nullptr) return;
    if (text.size() >= size) throw std::runtime_error("the buffer for the jail's report is too small");
    std::memcpy(report, text.c_str(), text.size() + 1);
}

void settle_in_scratch(Jail& jail) {
    const auto& scratch = jail.scratch();
    jail.report.set_scratch(scratch);
    if (!jail.mounted && jail.may_change_user && !scratch.empty() &&
        chown(scratch.c_str(), jail.uid, jail.gid) != 0)
        jail.report.note(scratch + " cannot be given to the player: " + std::strerror(errno));
    if ((scratch.empty() || chdir(scratch.c_str()) != 0) && chdir("/") != 0)
        throw std::runtime_error("no working directory for the player");
}

int enter(char* report, size_t size) {
    if (!g_jail) throw std::runtime_error("kf_jail_enter is for a process that kf_jail_fork made");
    Jail& jail = *g_jail;
    // Landlock and the dropped privileges hold for the calling thread and what it starts, not for others.
    struct stat tasks;
    if (stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink != 3)
        throw std::runtime_error("a player must enter its jail before it starts a thread");
    // Signals and priorities for a whole group reach whoever is in it, also outside. A session of its own
    // would be a share of the processors of its own, too, and its times no longer those of others.
    setpgid(0, 0);
    jail.report.attempt("descriptors", [&] { close_descriptors(jail); });
    settle_in_scratch(jail);
    limit_resources(jail);
    drop_privileges(jail);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != jail.supervisor)
        throw std::runtime_error("the player has lost its parent");
    jail.report.attempt("landlock", [&] { restrict_files(jail); });
    jail.report.attempt("seccomp", [&] { filter_system_calls(jail.report.has("pid")); });
    write_report(jail.report.json(), report, size);
    if (jail.config.require && !jail.report.keeps_all_promises())
        throw std::runtime_error("the jail is required, and a promise is not kept here");
    return 0;
}

int probe(const char* config, char* report, size_t size) {
    int answer[2];
    check(pipe2(answer, O_CLOEXEC), "pipe");
    int status_fd = -1;
    const pid_t init = fork_player(config, &status_fd);
    if (init == 0) {
        std::string text(size, '\0');
        g_jail->config.descriptors = {answer[1]};
        g_jail->config.require = false;
        const int result = guarded([&] { return enter(text.data(), text.size()); });
        const auto& sent = result == 0 ? text : g_error;
        const ssize_t written = write(answer[1], sent.c_str(), std::strlen(sent.c_str()));
        _exit(result == 0 && written > 0 ? 0 : 1);
    }
    close(answer[1]);
    std::string text;
    char block[4096];
    ssize_t got = 0;
    while ((got = read(answer[0], block, sizeof block)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0) text.append(block, static_cast<size_t>(got));
    close(answer[0]);
    int status = 0;
    while (waitpid(init, &status, 0) < 0 && errno == EINTR) {
    }
    close(status_fd);
    g_groups.erase(init);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw std::runtime_error("a player cannot enter its jail: " + (text.empty() ? "it died" : text));
    write_report(text, report, size);
    return 0;
}

}  // namespace
}  // namespace kforge::jail

extern "C" {

pid_t kf_jail_fork(const char* config, int* status_fd) {
    return kforge::jail::guarded([&] { return kforge::jail::fork_player(config, status_fd); });
}

int kf_jail_forget(pid_t init) {
    const auto found = kforge::jail::g_groups.find(init);
    if (found == kforge::jail::g_groups.end()) return 0;
    const bool overflowed = found->second.has_overflowed();
    kforge::jail::g_groups.erase(found);
    return overflowed ? 1 : 0;
}

int kf_jail_enter(char* report, size_t size) {
    return kforge::jail::guarded([&] { return kforge::jail::enter(report, size); });
}

int kf_jail_probe(const char* config, char* report, size_t size) {
    return kforge::jail::guarded([&] { return kforge::jail::probe(config, report, size); });
}

const char* kf_jail_error(void) {
    return kforge::jail::g_error.c_str();
}
}
