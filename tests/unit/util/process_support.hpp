// What the tests of processes share: shell scripts to run, pipes whose end tells that every holder is gone.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <string>

#include "kforge/util/fs.hpp"
#include "kforge/util/process.hpp"

namespace kforge {

inline const Environment k_test_environment = {"PATH=/usr/local/bin:/usr/bin:/bin"};

inline ProcessSpec shell(const std::string& script) {
    ProcessSpec spec;
    spec.argv = {"sh", "-c", script};
    spec.environment = k_test_environment;
    return spec;
}

struct Pipe {
    Fd read;
    Fd write;
    Pipe() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
        read.reset(ends[0]);
        write.reset(ends[1]);
    }
};

// Reads to the end, which comes when the last holder of the other side is gone; fails after ten seconds.
inline bool read_to_end(int fd, std::string* text = nullptr) {
    for (;;) {
        pollfd event{fd, POLLIN, 0};
        if (::poll(&event, 1, 10'000) != 1) return false;
        char buffer[4096];
        const ssize_t n = ::read(fd, buffer, sizeof buffer);
        if (n <= 0) return n == 0;
        if (text != nullptr) text->append(buffer, static_cast<size_t>(n));
    }
}

inline std::string read_line(int fd) {
    std::string line;
    for (;;) {
        pollfd event{fd, POLLIN, 0};
        char c = 0;
        if (::poll(&event, 1, 10'000) != 1 || ::read(fd, &c, 1) != 1 || c == '\n') return line;
        line += c;
    }
}

inline bool is_running(pid_t pid) {
    const auto stat = read_file("/proc/" + std::to_string(pid) + "/stat");
    if (!stat.ok()) return false;
    const char state = (*stat)[stat->rfind(')') + 2];
    return state != 'Z' && state != 'X';
}

// A child that runs `script` with `pipe`'s write end as descriptor 3.
inline Result<Child> start_shell(const std::string& script, const std::vector<int>& inherited) {
    ChildSpec spec;
    spec.argv = {"sh", "-c", script};
    spec.environment = k_test_environment;
    spec.inherited = inherited;
    return Child::start(spec);
}

struct ScopedSubreaper {
    ScopedSubreaper() { become_subreaper(); }
    ~ScopedSubreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }
};

}  // namespace kforge
