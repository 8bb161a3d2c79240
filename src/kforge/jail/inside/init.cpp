#include "kforge/jail/inside/init.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "kforge/jail/inside/kforge_jail.h"
#include "kforge/jail/inside/open_files.hpp"

namespace kforge::jail {
namespace {

constexpr int k_watch_interval_ms = 20;
constexpr int k_precise_every = 5;  // intervals between two exact sums, or counts, which cost milliseconds
constexpr uint64_t k_usual_sockets = 64;

void send_status(int fd, int reason, int value) {
    const kf_jail_status record = {reason, value};
    while (write(fd, &record, sizeof record) < 0 && errno == EINTR) {
    }
}

// Without a pid namespace: orphans come to us as the subreaper, so killing children until none is left
// reaches every descendant, unless they fork faster than we kill.
void kill_descendants() {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(syscall(SYS_gettid)));
    for (int round = 0; round < 100000; ++round) {
        if (FILE* children = std::fopen(path, "re")) {
            int child = 0;
            while (std::fscanf(children, "%d", &child) == 1) kill(child, SIGKILL);
            std::fclose(children);
        }
        pid_t reaped = 0;
        while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0) {
        }
        if (reaped < 0 && errno == ECHILD) return;
        usleep(200);
    }
}

uint64_t read_number(const std::string& path, const char* format) {
    unsigned long long value = 0;
    if (FILE* f = std::fopen(path.c_str(), "re")) {
        char line[256];
        while (std::fgets(line, sizeof line, f) != nullptr)
            if (std::sscanf(line, format, &value) == 1) break;
        std::fclose(f);
    }
    return value;
}

template <typename See>
void for_each_entry(const std::string& folder, See see) {
    DIR* opened = opendir(folder.c_str());
    if (opened == nullptr) return;
    while (const dirent* entry = readdir(opened))
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') see(std::string(entry->d_name));
    closedir(opened);
}

uint64_t resident_pages(const std::string& folder) {
    return read_number(folder + "/statm", "%*u %llu");
}

// Where the kernel tells what a process has: of one whose first thread has ended, at one of the others.
std::string folder_of(const std::string& pid) {
    std::string folder = "/proc/" + pid;
    if (resident_pages(folder) > 0) return folder;
    for_each_entry("/proc/" + pid + "/task", [&](const std::string& tid) {
        const std::string thread = "/proc/" + pid + "/task/" + tid;
        if (resident_pages(thread) > 0) folder = thread;
    });
    return folder;
}

// What the kernel may keep in the buffers of a socket until somebody reads it. No other account has that.
uint64_t socket_bytes() {
    constexpr uint64_t k_usual_bytes = 212992;
    static const uint64_t k_bytes =
        2 * std::max(k_usual_bytes, read_number("/proc/sys/net/core/wmem_max", "%llu"));
    return k_bytes;
}

// Bytes in use by all processes of the namespace but this one. The quick sum counts pages that several
// processes share once for each of them, and every descriptor as a socket; the exact one divides pages, also
// with the process we come from.
uint64_t memory_in_use(bool exact) {
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    uint64_t sum = 0, descriptors = 0;
    std::set<std::string> sockets;
    for_each_entry("/proc", [&](const std::string& pid) {
        if (pid == "1") return;
        const std::string folder = folder_of(pid);
        uint64_t bytes = exact ? read_number(folder + "/smaps_rollup", "Pss: %llu kB") * 1024 : 0;
        if (bytes == 0) bytes = resident_pages(folder) * page;
        sum += bytes;
        for_each_entry(folder + "/fd", [&](const std::string& fd) {
            ++descriptors;
            if (!exact) return;
            char target[64];
            const ssize_t n = readlink((folder + "/fd/" + fd).c_str(), target, sizeof target);
            const std::string name(target, static_cast<size_t>(std::max<ssize_t>(n, 0)));
            if (name.rfind("socket:", 0) == 0) sockets.insert(name);
        });
    });
    const uint64_t counted = exact ? sockets.size() : descriptors;
    return sum + (counted > k_usual_sockets ? (counted - k_usual_sockets) * socket_bytes() : 0);
}

// Descriptors and mappings of files that all processes of the namespace but this one have, no further than to
// `enough`. Which of them are of the same open file is not told.
uint64_t files_in_use(uint64_t enough) {
    uint64_t sum = 0;
    for_each_entry("/proc", [&](const std::string& pid) {
        if (pid == "1" || sum > enough) return;
        const std::string folder = folder_of(pid);
        for_each_entry(folder + "/fd", [&](const std::string&) { ++sum; });
        if (sum <= enough) sum += mapped_files(folder, enough - sum);
    });
    return sum;
}

class Supervisor {
  public:
    explicit Supervisor(const InitTask& task) : m_task(task), m_open_files(task.file_table) {}

    [[noreturn]] void run() {
        sigset_t child;
        sigemptyset(&child);
        sigaddset(&child, SIGCHLD);
        const int signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
        // Closed ends show as POLLERR (reader of the status gone) or POLLHUP without being asked for.
        pollfd fds[] = {{signals, POLLIN, 0}, {m_task.status_fd, 0, 0}, {m_task.lifeline, 0, 0}};
        const int interval = m_task.total_memory_bytes > 0 ? k_watch_interval_ms : -1;
        for (;;) {
            reap();
            if (poll(fds, 3, interval) < 0 && errno != EINTR) finish(KF_JAIL_FAILED, errno, 127);
            if (fds[1].revents != 0 || fds[2].revents != 0) finish(KF_JAIL_ENDED, SIGKILL, 128 + SIGKILL);
            signalfd_siginfo info;
            while (read(signals, &info, sizeof info) > 0) {
            }
            if (m_task.total_memory_bytes > 0) {
                watch_memory();
                watch_files();
            }
        }
    }

  private:
    [[noreturn]] void finish(int reason, int value, int code) {
        // Before the report: whoever reads it may rely on the end of everything else. With a pid namespace
        // the kernel does that when this process exits.
        if (!m_task.own_pid_namespace) kill_descendants();
        send_status(m_task.status_fd, reason, value);
        _exit(code);
    }

    void reap() {
        int status = 0;
        pid_t pid = 0;
        while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
            if (pid == m_task.player)
                finish(KF_JAIL_ENDED, status,
                       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }

    void watch_memory() {
        if (m_pause > 0) --m_pause;
        if (m_pause > 0 || memory_in_use(false) <= m_task.total_memory_bytes) return;
        if (memory_in_use(true) > m_task.total_memory_bytes)
            finish(KF_JAIL_OUT_OF_MEMORY, SIGKILL, 128 + SIGKILL);
        m_pause = k_precise_every;
    }

    void watch_files() {
        if (m_files_pause > 0) --m_files_pause;
        if (m_files_pause > 0 || !m_open_files.are_filling_up()) return;
        if (files_in_use(m_open_files.share()) > m_open_files.share())
            finish(KF_JAIL_OUT_OF_FILES, SIGKILL, 128 + SIGKILL);
        m_files_pause = k_precise_every;
    }

    InitTask m_task;
    OpenFiles m_open_files;
    int m_pause = 0, m_files_pause = 0;
};

void close_span(int first, int last) {
    if (first > last) return;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
    const long open_max = sysconf(_SC_OPEN_MAX);
    for (int fd = first; fd <= last && fd < open_max; ++fd) close(fd);
}

}  // namespace

void close_all_but(const int* keep, int count) {
    int next = 0;
    for (int i = 0; i < count; ++i) {
        if (keep[i] < next) continue;
        close_span(next, keep[i] - 1);
        next = keep[i] + 1;
    }
    close_span(next, INT_MAX);
}

void fail_init(int status_fd, int error) {
    send_status(status_fd, KF_JAIL_FAILED, error);
    _exit(127);
}

void run_init(const InitTask& task) {
    prctl(PR_SET_NAME, "kforge-init");
    setsid();  // within one session anybody may continue a process that was stopped
    // Signals of its own namespace reach process 1 only where it has handlers: it must not keep the caller's.
    for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
    ::signal(SIGPIPE, SIG_IGN);
    // A player is stopped and continued for every timed call: what we would do then, it would feel.
    struct sigaction ends_only = {};
    ends_only.sa_handler = SIG_DFL;
    ends_only.sa_flags = SA_NOCLDSTOP;
    sigaction(SIGCHLD, &ends_only, nullptr);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    int keep[] = {task.status_fd, task.lifeline};
    std::sort(keep, keep + 2);
    close_all_but(keep, 2);
    Supervisor(task).run();
}

}  // namespace kforge::jail
