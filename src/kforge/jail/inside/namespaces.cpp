#include "kforge/jail/inside/namespaces.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>

namespace kforge::jail {
namespace {

struct Kind {
    const char* layer;
    unsigned flag;
};
constexpr Kind k_kinds[] = {{"pid", CLONE_NEWPID}, {"mount", CLONE_NEWNS}, {"net", CLONE_NEWNET},
                            {"ipc", CLONE_NEWIPC}, {"uts", CLONE_NEWUTS},  {"cgroup", CLONE_NEWCGROUP}};

int write_file(const char* path, const std::string& text) {
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    const int error = write(fd, text.data(), text.size()) < 0 ? errno : 0;
    close(fd);
    return error;
}

// 0 when a process could be cloned with these flags, else an errno.
int trial(unsigned flags) {
    const uid_t uid = geteuid();
    const gid_t gid = getegid();
    const pid_t pid = clone_process(flags);
    if (pid < 0) return errno;
    if (pid == 0) _exit(flags & CLONE_NEWUSER ? map_user(uid, gid, uid, gid) : 0);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

Namespaces all_missing(const std::string& why) {
    Namespaces none;
    for (const auto& kind : k_kinds) none.missing[kind.layer] = why;
    return none;
}

Namespaces try_with(unsigned user_flag) {
    Namespaces found;
    unsigned all = 0;
    for (const auto& kind : k_kinds) all |= kind.flag;
    if (trial(all | user_flag) == 0) {
        found.flags = all | user_flag;
    } else {
        for (const auto& kind : k_kinds) {
            const int error = trial(kind.flag | user_flag);
            if (error == 0) {
                found.flags |= kind.flag | user_flag;
            } else {
                found.missing[kind.layer] = std::string("this namespace is refused: ") + std::strerror(error);
            }
        }
    }
    found.user = (found.flags & CLONE_NEWUSER) != 0;
    return found;
}

Namespaces find_namespaces() {
    if (has_capability(CAP_SYS_ADMIN)) {
        const auto found = try_with(0);
        if (found.flags != 0) return found;
    }
    if (const int error = trial(CLONE_NEWUSER); error != 0)
        return all_missing(std::string("this user may not create user namespaces: ") + std::strerror(error));
    return try_with(CLONE_NEWUSER);
}

}  // namespace

bool has_capability(int capability) {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    if (syscall(SYS_capget, &header, data) != 0) return false;
    return (data[capability / 32].effective >> (capability % 32) & 1) != 0;
}

const Namespaces& available_namespaces() {
    static const Namespaces found = find_namespaces();
    return found;
}

pid_t clone_process(unsigned flags) {
    return static_cast<pid_t>(syscall(SYS_clone, static_cast<unsigned long>(flags) | SIGCHLD, 0, 0, 0, 0));
}

int map_user(uid_t outer_uid, gid_t outer_gid, uid_t uid, gid_t gid) {
    // The kernel lets an unprivileged process map its group only after it gave up setgroups.
    if (const int error = write_file("/proc/self/setgroups", "deny"); error != 0 && error != ENOENT)
        return error;
    const auto line = [](unsigned in, unsigned out) {
        return std::to_string(in) + " " + std::to_string(out) + " 1";
    };
    if (const int error = write_file("/proc/self/uid_map", line(uid, outer_uid))) return error;
    return write_file("/proc/self/gid_map", line(gid, outer_gid));
}

}  // namespace kforge::jail
