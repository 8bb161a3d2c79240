#include "kforge/arena/kernel_work.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "kforge/arena/freezer.hpp"

namespace kforge {
namespace {

constexpr pid_t k_parent_of_all = 2;
constexpr unsigned k_thread_of_kernel = 0x00200000;  // PF_KTHREAD
constexpr size_t k_most_kernel_threads = 500;        // each is an open file, and a microsecond each time

// In a container there is another process of that number.
bool kernel_is_seen() {
    char text[256];
    const Fd fd(::open("/proc/2/stat", O_RDONLY | O_CLOEXEC));
    const ssize_t n = fd ? ::read(fd.get(), text, sizeof text - 1) : 0;
    text[std::max<ssize_t>(n, 0)] = '\0';
    const char* name_end = std::strrchr(text, ')');
    unsigned flags = 0;
    return name_end != nullptr && std::sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
           (flags & k_thread_of_kernel) != 0;
}

Fd open_account(pid_t pid) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/schedstat", pid);
    return Fd(::open(path, O_RDONLY | O_CLOEXEC));
}

// Nothing when it is gone.
std::optional<int64_t> worked_ns(const Fd& account) {
    char text[128];
    const ssize_t n = account ? ::pread(account.get(), text, sizeof text - 1, 0) : -1;
    if (n <= 0) return std::nullopt;
    text[n] = '\0';
    int64_t ns = 0;
    return std::sscanf(text, "%" SCNd64, &ns) == 1 ? std::optional(ns) : std::nullopt;
}

}  // namespace

KernelWork::KernelWork() : m_is_seen(kernel_is_seen()) {
    ms();
}

std::optional<double> KernelWork::ms() {
    if (!m_is_seen) return std::nullopt;
    const std::vector<pid_t> now = children_of(k_parent_of_all);
    if (now.empty() || now.size() > k_most_kernel_threads) return std::nullopt;
    const bool first = m_threads.empty();
    bool all = true;
    int64_t total = 0;
    std::map<pid_t, Thread> threads;
    for (const pid_t pid : now) {
        const auto known = m_threads.find(pid);
        Thread thread = known != m_threads.end() ? std::move(known->second) : Thread{open_account(pid), 0};
        const std::optional<int64_t> ns = worked_ns(thread.account);
        all = all && ns;
        total += ns.value_or(0) - std::exchange(thread.ns, ns.value_or(0));
        if (known != m_threads.end()) m_threads.erase(known);
        threads.emplace(pid, std::move(thread));
    }
    // Whoever is left there is gone, and nobody knows what it has done.
    all = all && m_threads.empty() && !first;
    m_threads = std::move(threads);
    return all ? std::optional(static_cast<double>(total) / 1e6) : std::nullopt;
}

}  // namespace kforge
