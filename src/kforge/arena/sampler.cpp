#include "kforge/arena/sampler.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <random>

#include "kforge/arena/tracing.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/random.hpp"

namespace kforge {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int k_most_refusals = 50;
constexpr useconds_t k_ending_us = 1000;
constexpr double k_shortest_pause_us = 30;
constexpr double k_longest_pause_us = 700;
constexpr size_t k_stack_words = 512;

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

std::vector<uint64_t> read_stack(pid_t pid, uint64_t from) {
    std::vector<uint64_t> words(k_stack_words);
    // The stack may end earlier: what can be read of it will do.
    iovec local{words.data(), words.size() * sizeof(uint64_t)};
    iovec remote{reinterpret_cast<void*>(from), local.iov_len};
    const ssize_t n = ::process_vm_readv(pid, &local, 1, &remote, 1, 0);
    words.resize(n > 0 ? static_cast<size_t>(n) / sizeof(uint64_t) : 0);
    return words;
}

std::function<bool(const std::string&)> own_files(pid_t pid, const std::string& scratch) {
    const std::string root = fmt::format("/proc/{}/root", pid);
    struct stat folder {};
    const bool known = ::stat((root + scratch).c_str(), &folder) == 0;
    return [=](const std::string& path) {
        if (!path.starts_with(scratch + "/")) return false;
        // What is mounted below the scratch folder, such as a Python that lies there, is not the candidate's.
        struct stat file {};
        return !known || ::stat((root + path).c_str(), &file) != 0 || file.st_dev == folder.st_dev;
    };
}

}  // namespace

bool may_sample(pid_t pid) {
    bool seen = false;
    while_stopped_apart(pid, [&] { seen = read_registers(pid).has_value(); });
    return seen;
}

void Sampler::start(const Freezer& processes) {
    stop();
    m_done = false;
    m_ready = false;
    m_maps.clear();
    m_threads.clear();
    find_threads(processes);
    m_thread = std::thread([this, &processes] {
        while (!m_done && !m_refused) std::thread([&] { look(processes); }).join();
    });
    while (!m_ready) std::this_thread::yield();
    m_started = Clock::now();
}

void Sampler::stop() {
    if (!m_thread.joinable()) return;
    m_done = true;
    m_call_us = std::chrono::duration<double, std::micro>(Clock::now() - m_started).count();
    m_thread.join();
}

void Sampler::look(const Freezer& processes) {
    ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    Lots random(SeedSource("").next());
    // Short calls are met at any moment of theirs, long ones often.
    std::uniform_real_distribution<double> pause_us(
        0, std::clamp(m_call_us, k_shortest_pause_us, k_longest_pause_us));
    while (!m_done) {
        const auto pause = static_cast<useconds_t>(pause_us(random));
        m_ready = true;
        ::usleep(pause);
        for (const auto& [pid, tid] : m_threads) {
            if (m_done) return;
            if (is_at_work(pid, tid) && !sample(pid, tid)) return;
        }
        find_threads(processes);
    }
}

void Sampler::find_threads(const Freezer& processes) {
    m_threads.clear();
    for (const pid_t pid : processes.members())
        for (const pid_t tid : threads_of(pid)) m_threads.emplace_back(pid, tid);
}

bool Sampler::sample(pid_t pid, pid_t tid) {
    std::optional<Registers> registers;
    std::vector<uint64_t> stack;
    const Stop stop = while_stopped(tid, [&] {
        registers = read_registers(tid);
        if (registers && !registers->in_system_call) stack = read_stack(pid, registers->stack);
    });
    if (stop == Stop::pending) return false;
    if (stop == Stop::refused) {
        // The same error tells of a thread that is just ending, and may seem to be at work still.
        if (!is_at_work(pid, tid)) return true;
        m_refused = ++m_refusals >= k_most_refusals;
        if (!m_refused) ::usleep(k_ending_us);
        return !m_refused;
    }
    m_refusals = 0;
    if (!registers || registers->in_system_call) return true;
    const uint64_t address = registers->instruction;
    auto map = m_maps.find(pid);
    if (map == m_maps.end() || map->second.at(address) == Code::unknown)
        map = m_maps.insert_or_assign(pid, read_code_map(pid, m_scratch)).first;
    switch (map->second.credit(address, stack)) {
        case Credit::own:
            ++m_work.own;
            break;
        case Credit::library:
            ++m_work.library;
            break;
        case Credit::none:
            ++m_work.nobody;
            break;
    }
    return true;
}

CodeMap read_code_map(pid_t pid, const std::string& scratch) {
    const Result<std::string> maps = read_file(fmt::format("/proc/{}/maps", pid));
    return maps.ok() ? CodeMap(*maps, own_files(pid, scratch)) : CodeMap();
}

}  // namespace kforge
