#include "kforge/arena/waiting.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "kforge/arena/freezer.hpp"
#include "kforge/util/fd.hpp"

namespace kforge {
namespace {

std::map<pid_t, int64_t> waited_ns(pid_t pid) {
    std::map<pid_t, int64_t> waited;
    for (const pid_t tid : threads_of(pid)) {
        char path[80], account[128];
        std::snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", pid, tid);
        const Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
        const ssize_t n = fd ? ::read(fd.get(), account, sizeof account - 1) : 0;
        account[std::max<ssize_t>(n, 0)] = '\0';
        int64_t ns = 0;
        if (std::sscanf(account, "%*d %" SCNd64, &ns) == 1) waited[tid] = ns;
    }
    return waited;
}

}  // namespace

Waiting::Waiting(pid_t pid) : m_pid(pid), m_before_ns(waited_ns(pid)) {}

double Waiting::ms() const {
    int64_t most_ns = 0;
    for (const auto& [tid, ns] : waited_ns(m_pid)) {
        const auto before = m_before_ns.find(tid);
        most_ns = std::max(most_ns, ns - (before != m_before_ns.end() ? before->second : 0));
    }
    return static_cast<double>(most_ns) / 1e6;
}

double for_others_ms(double waited_ms, double had_ms, double used_ms) {
    return std::clamp(had_ms - used_ms, 0.0, waited_ms);
}

}  // namespace kforge
