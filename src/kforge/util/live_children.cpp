#include "kforge/util/live_children.hpp"

#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <mutex>
#include <set>

namespace kforge {
namespace {

struct List {
    std::mutex mutex;
    std::set<pid_t> pids;
};

List& list() {
    static List& instance = *new List;  // outlives every static Child
    return instance;
}

}  // namespace

pid_t start_listed(const std::function<pid_t()>& fork_child) {
    const std::lock_guard lock(list().mutex);
    const pid_t pid = fork_child();
    if (pid > 0) list().pids.insert(pid);
    return pid;
}

void list_child(pid_t pid) {
    const std::lock_guard lock(list().mutex);
    list().pids.insert(pid);
}

bool is_listed(pid_t pid) {
    const std::lock_guard lock(list().mutex);
    return list().pids.count(pid) != 0;
}

std::optional<int> reap_listed(pid_t pid) {
    const std::lock_guard lock(list().mutex);
    int status = 0;
    pid_t ended = 0;
    do ended = ::waitpid(pid, &status, WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended == 0) return std::nullopt;
    list().pids.erase(pid);
    return ended == pid ? status : SIGKILL;
}

}  // namespace kforge
