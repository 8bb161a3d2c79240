#include "kforge/arena/absent_pages.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "kforge/arena/freezer.hpp"
#include "kforge/util/fd.hpp"

namespace kforge {
namespace {

constexpr uint64_t k_page_is_there = uint64_t{3} << 62;  // in /proc/PID/pagemap: in memory, or swapped out
constexpr size_t k_pages_at_once = 1024;                 // as many places as one system call takes

}  // namespace

double absent_pages_ms(pid_t pid, uint64_t address, size_t size) {
    const Fd map(::open(fmt::format("/proc/{}/pagemap", pid).c_str(), O_RDONLY | O_CLOEXEC));
    const uint64_t page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    if (map.get() < 0 || size == 0 || address + size < address) return 0;
    std::vector<uint64_t> entries(k_pages_at_once);
    std::string bytes(k_pages_at_once, '\0');
    double ms = 0;
    const uint64_t end = (address + size - 1) / page + 1;
    for (uint64_t first = address / page; first < end; first += k_pages_at_once) {
        const size_t wanted = std::min<uint64_t>(k_pages_at_once, end - first) * sizeof(uint64_t);
        const ssize_t got =
            ::pread(map.get(), entries.data(), wanted, static_cast<off_t>(first * sizeof(uint64_t)));
        if (got != static_cast<ssize_t>(wanted)) break;
        std::vector<iovec> absent;
        for (size_t i = 0; i < wanted / sizeof(uint64_t); ++i)
            if ((entries[i] & k_page_is_there) == 0)
                absent.push_back({reinterpret_cast<void*>((first + i) * page), 1});
        if (absent.empty()) continue;
        const iovec into{bytes.data(), absent.size()};
        const auto start = std::chrono::steady_clock::now();
        if (::process_vm_readv(pid, &into, 1, absent.data(), absent.size(), 0) < 0) break;
        ms += milliseconds_between(start, std::chrono::steady_clock::now());
    }
    return ms;
}

}  // namespace kforge
