#include "kforge/arena/absent_pages.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "kforge/arena/freezer.hpp"
#include "kforge/arena/mappings.hpp"
#include "kforge/util/fd.hpp"

namespace kforge {
namespace {

// In /proc/PID/pagemap. A page of zeros that is shared by all who have only looked is in memory, but neither
// anybody's own nor of a file; so is what a child shares until one of both writes.
constexpr uint64_t k_in_memory = uint64_t{1} << 63, k_swapped_out = uint64_t{1} << 62;
constexpr uint64_t k_of_a_file = uint64_t{1} << 61, k_its_own = uint64_t{1} << 56;
constexpr size_t k_pages_at_once = 1024;  // as many places as one system call takes

class Pages {
  public:
    Pages(pid_t pid, uint64_t address, uint64_t end) : m_pid(pid), m_address(address), m_end(end) {}

    bool is_made(uint64_t entry, uint64_t address) {
        if ((entry & k_swapped_out) != 0) return true;
        if ((entry & k_in_memory) == 0) return false;
        return (entry & k_of_a_file) == 0 ? (entry & k_its_own) != 0 : !is_large_zeros(address);
    }

  private:
    // A large page of zeros is said to be of a file, in memory that is of none.
    bool is_large_zeros(uint64_t address) {
        if (!m_of_no_file) m_of_no_file = private_memory(m_pid, m_address, m_end);
        return std::any_of(m_of_no_file->begin(), m_of_no_file->end(), [&](const auto& memory) {
            return memory.first <= address && address < memory.second;
        });
    }

    pid_t m_pid;
    uint64_t m_address, m_end;
    std::optional<std::vector<std::pair<uint64_t, uint64_t>>> m_of_no_file;
};

}  // namespace

std::optional<double> absent_pages_ms(pid_t pid, uint64_t address, size_t size) {
    const Fd map(::open(fmt::format("/proc/{}/pagemap", pid).c_str(), O_RDONLY | O_CLOEXEC));
    const uint64_t page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    if (map.get() < 0 || size == 0 || address + size < address) return 0;
    std::vector<uint64_t> entries(k_pages_at_once);
    std::string bytes(k_pages_at_once, '\0');
    Pages pages(pid, address, address + size);
    double ms = 0;
    const uint64_t end = (address + size - 1) / page + 1;
    for (uint64_t first = address / page; first < end; first += k_pages_at_once) {
        const size_t wanted = std::min<uint64_t>(k_pages_at_once, end - first) * sizeof(uint64_t);
        const ssize_t got =
            ::pread(map.get(), entries.data(), wanted, static_cast<off_t>(first * sizeof(uint64_t)));
        if (got != static_cast<ssize_t>(wanted)) break;
        std::vector<iovec> absent;
        for (size_t i = 0; i < wanted / sizeof(uint64_t); ++i)
            if (!pages.is_made(entries[i], (first + i) * page))
                absent.push_back({reinterpret_cast<void*>((first + i) * page), 1});
        if (absent.empty()) continue;
        // What is there is written once more: nothing but a write makes a page.
        const iovec here{bytes.data(), absent.size()};
        const auto all = static_cast<ssize_t>(absent.size());
        const auto start = std::chrono::steady_clock::now();
        for (const auto pass_on : {::process_vm_readv, ::process_vm_writev}) {
            const ssize_t passed = pass_on(pid, &here, 1, absent.data(), absent.size(), 0);
            if (passed < 0 && errno != EFAULT) return ms;
            if (passed != all) return std::nullopt;
        }
        ms += milliseconds_between(start, std::chrono::steady_clock::now());
    }
    return ms;
}

}  // namespace kforge
