#include "kforge/arena/sampler.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <random>

#include "kforge/util/fs.hpp"

namespace kforge {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double k_shortest_pause_us = 30;
constexpr double k_longest_pause_us = 700;
constexpr size_t k_stack_words = 512;
// A thread that runs stops within microseconds of its next turn; one in a long system call does not.
constexpr auto k_patience = std::chrono::milliseconds(50);

struct Registers {
    uint64_t instruction = 0;
    uint64_t stack = 0;
    bool in_system_call = false;
};

bool read_set(pid_t tid, unsigned long type, void* into, size_t size) {
    iovec part{into, size};
    return ::ptrace(PTRACE_GETREGSET, tid, type, &part) == 0;
}

std::optional<Registers> read_registers(pid_t tid) {
    user_regs_struct set{};
    if (!read_set(tid, NT_PRSTATUS, &set, sizeof set)) return std::nullopt;
#if defined(__x86_64__)
    return Registers{set.rip, set.rsp, static_cast<int64_t>(set.orig_rax) >= 0};
#elif defined(__aarch64__)
    constexpr unsigned long k_system_call_set = 0x404;  // NT_ARM_SYSTEM_CALL
    int number = -1;
    if (!read_set(tid, k_system_call_set, &number, sizeof number)) return std::nullopt;
    return Registers{set.pc, set.sp, number >= 0};
#else
#error "where do this processor's registers say that it is in a system call?"
#endif
}

enum class Stop { done, ended, refused, pending };

// Waits until a thread that was told to stop has stopped; `signal` is to be handed on when it is let go.
Stop await_stop(pid_t tid, int& signal) {
    const Clock::time_point limit = Clock::now() + k_patience;
    do {
        int status = 0;
        const pid_t changed = ::waitpid(tid, &status, __WALL | __WNOTHREAD | WNOHANG);
        if (changed < 0 || (changed == tid && !WIFSTOPPED(status))) return Stop::ended;
        if (changed == tid) {
            signal = status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
            return Stop::done;
        }
        ::usleep(5);  // it may need the processor that we are on
    } while (Clock::now() < limit);
    return Stop::pending;
}

// Stops a thread for the time of `visit`. Where the stop is still pending the calling thread must end: that
// lets the other one go.
template <typename Visit>
Stop while_stopped(pid_t tid, Visit visit) {
    if (::ptrace(PTRACE_SEIZE, tid, nullptr, nullptr) != 0)
        return errno == EPERM || errno == EACCES ? Stop::refused : Stop::ended;
    ::ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr);
    int signal = 0;
    const Stop stop = await_stop(tid, signal);
    if (stop != Stop::done) return stop;
    visit();
    ::ptrace(PTRACE_DETACH, tid, nullptr, static_cast<long>(signal));
    return stop;
}

std::vector<uint64_t> read_stack(pid_t pid, uint64_t from) {
    std::vector<uint64_t> words(k_stack_words);
    // The stack may end earlier: what can be read of it will do.
    iovec local{words.data(), words.size() * sizeof(uint64_t)};
    iovec remote{reinterpret_cast<void*>(from), local.iov_len};
    const ssize_t n = ::process_vm_readv(pid, &local, 1, &remote, 1, 0);
    words.resize(n > 0 ? static_cast<size_t>(n) / sizeof(uint64_t) : 0);
    return words;
}

}  // namespace

bool may_sample(pid_t pid) {
    bool seen = false;
    // In a thread of its own: if it goes wrong the end of the thread lets the other process go.
    std::thread([&] { while_stopped(pid, [&] { seen = read_registers(pid).has_value(); }); }).join();
    return seen;
}

void Sampler::start(const Freezer& processes) {
    stop();
    m_done = false;
    m_maps.clear();
    m_started = Clock::now();
    m_thread = std::thread([this, &processes] {
        while (!m_done && !m_refused) std::thread([&] { look(processes); }).join();
    });
}

void Sampler::stop() {
    if (!m_thread.joinable()) return;
    m_done = true;
    m_call_us = std::chrono::duration<double, std::micro>(Clock::now() - m_started).count();
    m_thread.join();
}

void Sampler::look(const Freezer& processes) {
    ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    std::mt19937_64 random(std::random_device{}());
    // Short calls are met at any moment of theirs, long ones often.
    std::uniform_real_distribution<double> pause_us(
        0, std::clamp(m_call_us, k_shortest_pause_us, k_longest_pause_us));
    while (!m_done) {
        ::usleep(static_cast<useconds_t>(pause_us(random)));
        for (const pid_t pid : processes.members())
            for (const pid_t tid : running_threads(pid)) {
                if (m_done || !sample(pid, tid)) return;
            }
    }
}

bool Sampler::sample(pid_t pid, pid_t tid) {
    std::optional<Registers> registers;
    std::vector<uint64_t> stack;
    const Stop stop = while_stopped(tid, [&] {
        registers = read_registers(tid);
        if (registers && !registers->in_system_call) stack = read_stack(pid, registers->stack);
    });
    if (stop == Stop::pending) return false;
    if (stop == Stop::refused) {  // the same error tells of a thread that is just ending
        const std::vector<pid_t> running = running_threads(pid);
        m_refused = std::find(running.begin(), running.end(), tid) != running.end();
        return !m_refused;
    }
    if (!registers || registers->in_system_call) return true;
    const uint64_t address = registers->instruction;
    auto map = m_maps.find(pid);
    if (map == m_maps.end() || map->second.at(address) == Code::unknown)
        map = m_maps.insert_or_assign(pid, read_map(pid)).first;
    switch (map->second.credit(address, stack)) {
        case Credit::own: ++m_work.own; break;
        case Credit::library: ++m_work.library; break;
        case Credit::none: ++m_work.nobody; break;
    }
    return true;
}

CodeMap Sampler::read_map(pid_t pid) const {
    const Result<std::string> maps = read_file(fmt::format("/proc/{}/maps", pid));
    if (!maps.ok()) return {};
    const std::string root = fmt::format("/proc/{}/root", pid);
    struct stat folder {};
    const bool known = ::stat((root + m_scratch).c_str(), &folder) == 0;
    return CodeMap(*maps, [&](const std::string& path) {
        if (!path.starts_with(m_scratch + "/")) return false;
        // What is mounted below the scratch folder, such as a Python that lies there, is not the candidate's.
        struct stat file {};
        return !known || ::stat((root + path).c_str(), &file) != 0 || file.st_dev == folder.st_dev;
    });
}

}  // namespace kforge
