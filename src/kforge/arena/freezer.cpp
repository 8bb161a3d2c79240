#include "kforge/arena/freezer.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "kforge/util/fd.hpp"
#include "kforge/util/process.hpp"

namespace kforge {
namespace {

// Giving back gigabytes is one long system call, out of which nothing can be stopped.
constexpr auto k_patience = std::chrono::seconds(2);
// Adding up the memory of many processes takes that long where a candidate sees to it.
constexpr auto k_patience_with_root = std::chrono::seconds(10);
// Waking up takes a tenth of that; what sleeps on shall not hold up the start.
constexpr auto k_awake = std::chrono::microseconds(500);

// Each is an open file of ours, and candidates are many: whoever starts more processes than this is timed
// until all of them have been found.
constexpr size_t k_most_known = 64;
constexpr size_t k_most_threads = 64;

// Of what was started meanwhile: with more of it some will have ended.
constexpr long k_most_looked_for = 64;

// Too short to start so much that the numbers of processes begin anew, and the last one is what it was.
constexpr double k_too_short_ms = 10;

// After that it is time to see what there is, and then again whenever so much time has passed.
constexpr auto k_soon = std::chrono::milliseconds(2);
constexpr useconds_t k_nap_us = 100;

template <typename Visit>
void each_thread(pid_t pid, Visit visit) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR* folder = ::opendir(path);
    if (folder == nullptr) return;
    while (const dirent* entry = ::readdir(folder)) {
        const std::string_view name(entry->d_name);
        pid_t tid = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), tid).ec == std::errc()) visit(tid);
    }
    ::closedir(folder);
}

Fd open_stat(pid_t pid, pid_t tid) {
    char path[80];
    std::snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
    return Fd(::open(path, O_RDONLY | O_CLOEXEC));
}

// The kernel's letter for what a thread does; X, dead, when it is gone meanwhile.
char state_in(const Fd& stat) {
    char buffer[512];
    const ssize_t n = stat ? ::pread(stat.get(), buffer, sizeof buffer, 0) : -1;
    const std::string_view text(buffer, n > 0 ? static_cast<size_t>(n) : 0);
    const size_t name_end = text.rfind(") ");
    return name_end == std::string_view::npos ? 'X' : text[name_end + 2];
}

char state_of(pid_t pid, pid_t tid) {
    return state_in(open_stat(pid, tid));
}

// Stopped, or dead.
bool cannot_run(char state) {
    return state == 'T' || state == 't' || state == 'Z' || state == 'X';
}

// Whether no thread of it can run.
bool is_still(pid_t pid) {
    bool still = true;
    each_thread(pid, [&](pid_t tid) { still = still && cannot_run(state_of(pid, tid)); });
    return still;
}

// Processor time that a process has used. Nothing when it is gone.
std::optional<int64_t> cpu_of(pid_t pid) {
    clockid_t clock;
    timespec time{};
    if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return std::nullopt;
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::vector<std::optional<int64_t>> cpu_of_each(const std::vector<pid_t>& pids) {
    std::vector<std::optional<int64_t>> times;
    for (const pid_t pid : pids) times.push_back(cpu_of(pid));
    return times;
}

bool all_there(const std::vector<std::optional<int64_t>>& times) {
    return std::all_of(times.begin(), times.end(), [](const auto& time) { return time.has_value(); });
}

bool all_still(const std::vector<pid_t>& pids) {
    return std::all_of(pids.begin(), pids.end(), is_still);
}

// False when it is gone.
bool tell_to_stop(const Fd& process) {
    return ::syscall(SYS_pidfd_send_signal, process.get(), SIGSTOP, nullptr, 0) == 0;
}

}  // namespace

Freezer::Freezer(pid_t root, Root kind)
    : m_root(root),
      m_kind(kind),
      m_root_stops(kind == Root::jail && heads_a_namespace(root)),
      m_counter(::open("/proc/loadavg", O_RDONLY | O_CLOEXEC)),
      // Where it is not the kernel's own it lags behind; where it has begun anew, this does no harm.
      m_counter_is_alive(last_started().value_or(0) >= root) {}

// The number that was given to the last process or thread, of a namespace below as well. Nothing where the
// machine does not tell.
std::optional<long> Freezer::last_started() const {
    char buffer[128];
    const ssize_t n = m_counter ? ::pread(m_counter.get(), buffer, sizeof buffer - 1, 0) : -1;
    if (n <= 0) return std::nullopt;
    buffer[n] = '\0';
    const char* last = std::strrchr(buffer, ' ');
    return last != nullptr ? std::optional(std::strtol(last, nullptr, 10)) : std::nullopt;
}

std::vector<pid_t> Freezer::members() const {
    std::vector<pid_t> found;
    if (m_kind != Root::jail) found.push_back(m_root);
    std::vector<pid_t> open = {m_root};
    while (!open.empty()) {
        const pid_t pid = open.back();
        open.pop_back();
        for (const pid_t child : children_of(pid)) {
            found.push_back(child);
            open.push_back(child);
        }
    }
    return found;
}

void Freezer::halt() {
    m_halted.clear();
    for (const auto& [pid, handle] : m_known)
        if (tell_to_stop(handle)) m_halted[pid] = 0;
    for (auto& [pid, cpu_ns] : m_halted) cpu_ns = cpu_of(pid).value_or(0);
}

std::optional<double> Freezer::worked_on_ms() const {
    int64_t total = 0;
    for (const auto& [pid, before] : m_halted) {
        const std::optional<int64_t> now = cpu_of(pid);
        if (!now) return std::nullopt;
        total += *now - before;
    }
    return static_cast<double>(total) / 1e6;
}

void Freezer::remember() {
    std::map<pid_t, Fd> known;
    m_met_new = m_stopped.size() > k_most_known;
    const auto is_there = [&](const auto& one) { return std::ranges::count(m_stopped, one.first) > 0; };
    m_missed_some = !std::all_of(m_known.begin(), m_known.end(), is_there);
    for (const pid_t pid : m_stopped) {
        if (known.size() == k_most_known) break;
        const auto before = m_known.find(pid);
        m_met_new = m_met_new || before == m_known.end();
        Fd handle = before != m_known.end() ? std::move(before->second)
                                            : Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
        if (handle) known.emplace(pid, std::move(handle));
    }
    m_known = std::move(known);
}

// It looks at the memory once more, after all calls that were too short for that, and stops when it sleeps
// again.
bool Freezer::rest_root() {
    if (!m_root_stops || (!m_root_awake && m_unwatched_ms < k_unwatched_ms)) return true;
    m_root_awake = false;
    m_unwatched_ms = 0;
    const auto limit = std::chrono::steady_clock::now() + k_patience_with_root;
    const auto await = [&](std::string_view states) {
        while (states.find(state_of(m_root, m_root)) == std::string_view::npos) {
            if (std::chrono::steady_clock::now() > limit) return false;
            ::sched_yield();
        }
        return true;
    };
    ::kill(m_root, SIGCONT);
    if (!await("SZX")) return false;
    ::kill(m_root, SIGSTOP);
    return await("TZX");
}

// With the numbers of last time: whoever has ended since is no longer there, but its number may be.
void Freezer::list_threads() {
    std::map<std::pair<pid_t, pid_t>, Fd> listed;
    bool all = m_counter_is_alive && m_known.size() == m_stopped.size();
    for (const pid_t pid : m_stopped)
        each_thread(pid, [&](pid_t tid) {
            all = all && listed.size() < k_most_threads;
            if (!all) return;
            const auto before = m_listed.find({pid, tid});
            const bool known = before != m_listed.end() && state_in(before->second) != 'X';
            Fd stat = known ? std::move(before->second) : open_stat(pid, tid);
            all = static_cast<bool>(stat);  // or there are no more files for us
            listed.emplace(std::pair(pid, tid), std::move(stat));
        });
    if (!all) listed.clear();
    m_listed_at = all ? last_started() : std::nullopt;
    m_listed = std::move(listed);
}

bool Freezer::are_listed_still() const {
    return std::all_of(m_listed.begin(), m_listed.end(),
                       [](const auto& thread) { return cannot_run(state_in(thread.second)); });
}

// They are looked at one after the other, and each could be awake whenever another one is looked at: they can
// continue each other, and one that ends can wake up its parent or its group. So a look at all of them counts
// only where none has had a processor from before it until after it: then nobody was there to continue one
// that had been looked at. One that is gone by then may have been.
template <typename Look>
bool Freezer::have_not_run(Look look) const {
    const auto before = cpu_of_each(m_stopped);
    return all_there(before) && look() && cpu_of_each(m_stopped) == before;
}

// Whether those were all. What was about to start something when it was told to stop has done so when it
// stands still: nothing new by then means that there is nothing else.
bool Freezer::stop_those_listed() {
    const auto start = std::chrono::steady_clock::now();
    const bool in_time = m_kind == Root::worker || milliseconds_between(m_thawed_at, start) < k_too_short_ms;
    if (!m_listed_at || !in_time) return false;
    for (const auto& [pid, handle] : m_known) tell_to_stop(handle);
    // Not at once: a thread that is seen to stop may be on its way to do so.
    while (!have_not_run([&] { return are_listed_still(); })) {
        const bool soon = std::chrono::steady_clock::now() < start + k_soon;
        if (!soon || !all_there(cpu_of_each(m_stopped))) return false;
        ::sched_yield();
    }
    return last_started() == m_listed_at;
}

bool Freezer::stop_all() {
    const auto start = std::chrono::steady_clock::now(), limit = start + k_patience;
    // A process may fork before it is stopped: look again until all that is there stands still.
    do {
        m_stopped = members();
        for (const pid_t pid : m_stopped) ::kill(pid, SIGSTOP);
        if (all_still(m_stopped) &&
            have_not_run([&] { return members() == m_stopped && all_still(m_stopped); }))
            return true;
        // A thread needs a processor to stop, perhaps this one; where others have them all it takes a while.
        if (std::chrono::steady_clock::now() < start + k_soon)
            ::sched_yield();
        else
            ::usleep(k_nap_us);
    } while (std::chrono::steady_clock::now() < limit);
    return false;
}

bool Freezer::freeze() {
    const bool those_listed = stop_those_listed();
    if (!those_listed && !stop_all()) return false;
    m_still_since = std::chrono::steady_clock::now();
    m_unwatched_ms += milliseconds_between(m_thawed_at, m_still_since);
    m_last_met = last_started();
    m_others_started = !m_last_started || m_last_met != m_last_started;
    m_met_new = m_missed_some = false;
    if (!those_listed) {
        remember();
        list_threads();
    }
    return rest_root();
}

// Numbers are given one after the other. Those of the machine's other processes are mostly still there.
bool Freezer::some_came_and_went() const {
    if (!m_others_started) return false;
    const long first = m_last_started.value_or(0) + 1, last = m_last_met.value_or(0);
    if (!m_counter_is_alive || last < first || last - first > k_most_looked_for) return true;
    for (long id = first; id <= last; ++id)
        if (::kill(static_cast<pid_t>(id), 0) != 0 && errno == ESRCH) return true;
    return false;
}

void Freezer::thaw() {
    m_last_started = last_started();
    m_thawed_at = std::chrono::steady_clock::now();
    for (const pid_t pid : m_stopped) ::kill(pid, SIGCONT);
}

void Freezer::thaw_root() {
    if (!m_root_stops) return;
    m_root_awake = true;
    ::kill(m_root, SIGCONT);
}

void Freezer::await_running() const {
    const auto used = [&] {
        int64_t total = 0;
        for (const auto& [pid, handle] : m_known) total += cpu_of(pid).value_or(0);
        return total;
    };
    const int64_t before = used();
    const auto limit = std::chrono::steady_clock::now() + k_awake;
    while (used() == before && std::chrono::steady_clock::now() < limit) {
    }
}

int64_t Freezer::cpu_ns() const {
    const bool listed = m_listed_at && last_started() == m_listed_at;
    int64_t total = 0;
    for (const pid_t pid : listed ? m_stopped : members()) total += cpu_of(pid).value_or(0);
    return total;
}

pid_t Freezer::player() const {
    if (m_kind != Root::jail) return m_root;
    const std::vector<pid_t> children = children_of(m_root);
    return children.empty() ? 0 : children.front();
}

std::vector<pid_t> children_of(pid_t pid) {
    std::vector<pid_t> children;
    each_thread(pid, [&](pid_t tid) {
        char path[80];
        std::snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, tid);
        // To the end: half a number would be the pid of somebody else.
        Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
        char buffer[4096];
        pid_t child = 0;
        for (ssize_t n = 0; fd && (n = ::read(fd.get(), buffer, sizeof buffer)) > 0;)
            for (const char letter : std::string_view(buffer, static_cast<size_t>(n))) {
                if (letter >= '0' && letter <= '9') {
                    child = child * 10 + (letter - '0');
                } else if (child > 0) {
                    children.push_back(std::exchange(child, 0));
                }
            }
    });
    return children;
}

std::vector<pid_t> threads_of(pid_t pid) {
    std::vector<pid_t> threads;
    each_thread(pid, [&](pid_t tid) { threads.push_back(tid); });
    return threads;
}

bool is_at_work(pid_t pid, pid_t tid) {
    return state_of(pid, tid) == 'R';
}

bool read_memory(pid_t pid, uint64_t address, size_t size, void* into) {
    constexpr size_t k_at_once = size_t{64} << 20;
    char* to = static_cast<char*>(into);
    while (size > 0) {
        const size_t part = std::min(size, k_at_once);
        iovec local{to, part};
        iovec remote{reinterpret_cast<void*>(address), part};
        const ssize_t n = ::process_vm_readv(pid, &local, 1, &remote, 1, 0);
        if (n == 0) errno = EFAULT;
        if (n <= 0) return false;
        to += n;
        address += static_cast<uint64_t>(n);
        size -= static_cast<size_t>(n);
    }
    return true;
}

}  // namespace kforge
