#include "kforge/arena/processors.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <thread>

#include "kforge/arena/statistics.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_line = 64;
constexpr size_t k_most_swept = size_t{128} << 20;
constexpr size_t k_swept_where_unknown = size_t{32} << 20;
// Two 64-byte loads and a 64-byte store per cycle at six gigahertz: no processor of today does more.
constexpr double k_bytes_per_cycle = 192;
constexpr double k_cycles_per_ms = 6e6;
constexpr pid_t k_parent_of_kernel_threads = 2;  // in a container there is another process of that number
constexpr double k_clearly_better = 0.8;         // of the time that calls take apart

std::string first_line(const fs::path& path) {
    const Result<std::string> text = read_file(path);
    return text.ok() ? text->substr(0, text->find('\n')) : "";
}

std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words = split(line, ' ');
    std::erase(words, "");
    return words;
}

// What /proc tells of a process or a thread, from its state on: parent in 1, ticks in 11 and 12, those of its
// ended children in 13 and 14. Empty when it is gone.
std::vector<std::string> stat_fields(const fs::path& folder) {
    const std::string line = first_line(folder / "stat");
    const size_t name_end = line.rfind(") ");
    if (name_end == std::string::npos) return {};
    std::vector<std::string> fields = words_of(line.substr(name_end + 2));
    return fields.size() < 15 ? std::vector<std::string>() : fields;
}

bool set_processors(pid_t tid, const std::vector<int>& processors) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : processors) CPU_SET(cpu, &set);
    return ::sched_setaffinity(tid, sizeof set, &set) == 0;
}

pid_t number_of(const fs::directory_entry& entry) {
    return std::atoi(entry.path().filename().c_str());
}

// "32768K" as bytes.
size_t read_size(const std::string& text) {
    char* unit = nullptr;
    const size_t number = std::strtoull(text.c_str(), &unit, 10);
    return number << (*unit == 'M' ? 20 : *unit == 'K' ? 10 : 0);
}

// All caches of a processor together, those that it shares with others included.
size_t cache_bytes(int processor) {
    size_t sum = 0;
    for (int level = 0; level < 8; ++level)
        sum += read_size(
            first_line(fmt::format("/sys/devices/system/cpu/cpu{}/cache/index{}/size", processor, level)));
    return sum > 0 ? sum : k_swept_where_unknown;
}

double tick_s() {
    static const double k_tick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return k_tick;
}

// Processor seconds that the whole machine has spent on work.
double busy_s() {
    const std::vector<std::string> fields = words_of(first_line("/proc/stat"));
    double ticks = 0;
    // user, nice, system, (idle, iowait), irq, softirq, steal
    for (const size_t i : {1u, 2u, 3u, 6u, 7u, 8u})
        if (i < fields.size()) ticks += std::strtod(fields[i].c_str(), nullptr);
    return ticks * tick_s();
}

// Of a process with one thread. Ticks, the other account, may be longer than all calls of a race together.
double precisely_spent_s(pid_t pid, double otherwise_s) {
    const std::string account = first_line(fmt::format("/proc/{}/schedstat", pid));
    return account.empty() ? otherwise_s : std::strtod(account.c_str(), nullptr) / 1e9;
}

// Processor seconds of a process and all that descends from it, the ended ones included.
Spent spent_by(pid_t root) {
    struct Entry {
        pid_t parent = 0;
        double ticks = 0;
    };
    std::map<pid_t, Entry> entries;
    std::error_code ignored;
    for (const fs::directory_entry& folder : fs::directory_iterator("/proc", ignored)) {
        const pid_t pid = number_of(folder);
        if (pid <= 0) continue;
        const std::vector<std::string> fields = stat_fields(folder.path());
        if (fields.empty()) continue;
        Entry& entry = entries[pid];
        entry.parent = std::atoi(fields[1].c_str());
        for (const size_t i : {11u, 12u, 13u, 14u}) entry.ticks += std::strtod(fields[i].c_str(), nullptr);
    }
    Spent spent;
    const auto kernel = entries.find(k_parent_of_kernel_threads);
    spent.kernel_is_seen = kernel != entries.end() && kernel->second.parent == 0;
    for (const auto& [pid, entry] : entries) {
        pid_t ancestor = pid;
        while (ancestor != root && ancestor > 1 && entries.contains(ancestor))
            ancestor = entries[ancestor].parent;
        if (ancestor == root) spent.family_s += entry.ticks * tick_s();
        if (spent.kernel_is_seen && entry.parent == k_parent_of_kernel_threads)
            spent.kernel_s += precisely_spent_s(pid, entry.ticks * tick_s());
    }
    return spent;
}

void pin_threads(pid_t pid, const std::vector<int>& processors) {
    std::vector<std::pair<double, pid_t>> threads;  // by the time that they have used
    std::error_code ignored;
    for (const fs::directory_entry& task :
         fs::directory_iterator(fmt::format("/proc/{}/task", pid), ignored)) {
        const std::vector<std::string> fields = stat_fields(task.path());
        if (fields.empty() || number_of(task) == pid) continue;
        threads.emplace_back(
            std::strtod(fields[11].c_str(), nullptr) + std::strtod(fields[12].c_str(), nullptr),
            number_of(task));
    }
    std::sort(threads.rbegin(), threads.rend());
    threads.insert(threads.begin(), {0, pid});
    for (size_t i = 0; i < processors.size() && i < threads.size(); ++i)
        set_processors(threads[i].second, {processors[i]});
}

}  // namespace

std::vector<int> choose_processors(int threads) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {};
    std::vector<int> firsts, others;
    std::set<std::string> cores;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed)) continue;
        const std::string core =
            first_line(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
        const bool is_first = core.empty() || cores.insert(core).second;
        (is_first ? firsts : others).push_back(cpu);
    }
    firsts.insert(firsts.end(), others.begin(), others.end());
    if (firsts.size() > static_cast<size_t>(std::max(threads, 1))) firsts.resize(std::max(threads, 1));
    std::sort(firsts.begin(), firsts.end());
    return firsts;
}

bool confine(pid_t pid, const std::vector<int>& processors) {
    if (processors.empty()) return false;
    bool all = true;
    std::error_code failure;
    for (const fs::directory_entry& task : fs::directory_iterator(fmt::format("/proc/{}/task", pid), failure))
        all = set_processors(number_of(task), processors) && all;
    return all && !failure;
}

void place(pid_t pid, Placement placement, const std::vector<int>& processors) {
    if (processors.size() < 2) return;
    const bool together = placement == Placement::together;
    confine(pid, together ? std::vector<int>{processors.front()} : processors);
    if (placement == Placement::apart) pin_threads(pid, processors);
}

Placement best_placement(const std::map<Placement, std::vector<double>>& calls_ms) {
    Placement best = Placement::apart;
    for (const auto& [placement, took_ms] : calls_ms) {
        const double advantage = best == Placement::apart ? k_clearly_better : 1;
        if (median(took_ms) < advantage * median(calls_ms.at(best))) best = placement;
    }
    return best;
}

double most_bytes_per_ms(size_t processors) {
    return static_cast<double>(processors) * k_bytes_per_cycle * k_cycles_per_ms;
}

OtherLoad::OtherLoad(pid_t own)
    : m_own(own), m_start(std::chrono::steady_clock::now()), m_busy_s(busy_s()), m_spent(spent_by(own)) {}

double OtherLoad::processors() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_start;
    if (elapsed.count() <= 0) return 0;
    return std::max(0.0, others_s(spent_by(m_own)) / elapsed.count());
}

double OtherLoad::of_kernel_ms() const {
    const Spent now = spent_by(m_own);
    return 1e3 * std::max(0.0, now.kernel_is_seen ? now.kernel_s - m_spent.kernel_s : others_s(now));
}

double OtherLoad::others_s(const Spent& now) const {
    return (busy_s() - m_busy_s) - (now.family_s - m_spent.family_s);
}

CacheSweep::CacheSweep(std::vector<int> processors) : m_processors(std::move(processors)) {
    size_t most = 0;
    for (const int cpu : m_processors) most = std::max(most, cache_bytes(cpu));
    m_data.resize(std::min(most + most / 2, k_most_swept));
}

void CacheSweep::run() {
    std::vector<std::jthread> threads;
    const size_t share = m_data.size() / std::max<size_t>(1, m_processors.size());
    for (size_t i = 0; i < m_processors.size(); ++i)
        threads.emplace_back([this, i, share] {
            set_processors(0, {m_processors[i]});
            volatile char* data = m_data.data() + i * share;
            for (size_t at = 0; at < share; at += k_line) data[at] = static_cast<char>(data[at] + 1);
        });
}

}  // namespace kforge
