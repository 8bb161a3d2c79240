#include "kforge/arena/provenance.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "kforge/arena/sampler.hpp"
#include "kforge/arena/tracing.hpp"
#include "kforge/util/fd.hpp"
#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

// More than these is no kernel's library, but a way to keep us busy.
constexpr off_t k_largest_file = off_t{256} << 20;
constexpr size_t k_most_symbols = 100'000;
constexpr uint64_t k_most_parts = 64;
// Of all processes together. A candidate has a few dozen libraries, in each a few hundred functions.
constexpr size_t k_most_ranges = 4096;
constexpr off_t k_most_bytes = off_t{1} << 30;
constexpr size_t k_most_functions = 400'000;
constexpr size_t k_between_looks = 1024;  // writes

#if defined(__x86_64__)
std::array<uint8_t, 6> return_at_once(uint8_t value) {
    return {0xb8, value, 0, 0, 0, 0xc3};  // mov eax, value; ret
}
#elif defined(__aarch64__)
std::array<uint8_t, 8> return_at_once(uint8_t value) {
    const uint32_t move = 0x52800000u | uint32_t{value} << 5;  // mov w0, value; ret
    return {uint8_t(move), uint8_t(move >> 8), uint8_t(move >> 16), uint8_t(move >> 24), 0xc0, 0x03, 0x5f,
            0xd6};
}
#else
#error "how does a function of this processor return?"
#endif

// The candidate wrote the file: no number in it is believed.
template <typename T>
std::optional<T> read_at(std::string_view image, uint64_t offset) {
    if (offset > image.size() || image.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, image.data() + offset, sizeof value);
    return value;
}

std::optional<uint64_t> file_offset(std::string_view image, const Elf64_Ehdr& header, uint64_t address) {
    for (uint64_t i = 0; i < header.e_phnum && i < k_most_parts; ++i) {
        const auto part = read_at<Elf64_Phdr>(image, header.e_phoff + i * sizeof(Elf64_Phdr));
        if (!part) break;
        if (part->p_type == PT_LOAD && address >= part->p_vaddr && address - part->p_vaddr < part->p_filesz)
            return address - part->p_vaddr + part->p_offset;
    }
    return std::nullopt;
}

Result<void> may_go_on(Deadline deadline) {
    if (interrupted()) return interrupted_error();
    if (seconds_until(deadline) <= 0)
        return Error{ErrorKind::timeout, "the candidate's own libraries take too long to look through"};
    return {};
}

// What the own libraries of a candidate's processes offer. Each file is read once, in however many places it
// is mapped.
class OwnLibraries {
  public:
    OwnLibraries(std::string scratch, Deadline deadline)
        : m_scratch(std::move(scratch)), m_deadline(deadline) {}

    bool beyond_bounds() const { return m_beyond_bounds; }

    // Where the functions of that process lie, of which each takes `size` bytes at least.
    Result<std::vector<uint64_t>> addresses(pid_t pid, size_t size) {
        TRY(may_go_on(m_deadline));
        std::vector<uint64_t> addresses;
        const CodeMap map = read_code_map(pid, m_scratch);
        for (const CodeMap::Range& range : map.ranges()) {
            if (range.code != Code::own || range.end - range.begin < size) continue;
            m_beyond_bounds |= ++m_ranges > k_most_ranges;
            if (m_beyond_bounds) break;
            TRY(may_go_on(m_deadline));
            const uint64_t last = range.end - range.begin - size;
            for (const uint64_t offset : functions(fmt::format("/proc/{}/root{}", pid, range.path))) {
                if (offset < range.offset || offset - range.offset > last) continue;
                m_beyond_bounds |= ++m_functions > k_most_functions;
                if (m_beyond_bounds) break;
                addresses.push_back(range.begin + (offset - range.offset));
            }
        }
        return addresses;
    }

  private:
    using File = std::pair<dev_t, ino_t>;

    const std::vector<uint64_t>& functions(const std::string& path) {
        // Without waiting and without following: the candidate may have put anything in its place.
        const Fd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
        struct stat status {};
        if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return m_none;
        const auto [known, is_new] = m_files.try_emplace(File(status.st_dev, status.st_ino));
        if (!is_new || status.st_size > k_largest_file) return known->second;
        m_bytes += status.st_size;
        m_beyond_bounds |= m_bytes > k_most_bytes;
        if (m_beyond_bounds) return m_none;
        known->second = offered_functions(read_image(fd, static_cast<size_t>(status.st_size)));
        m_offered += known->second.size();
        m_beyond_bounds |= m_offered > k_most_functions;
        return known->second;
    }

    static std::string read_image(const Fd& fd, size_t size) {
        std::string image(size, '\0');
        const ssize_t n = ::pread(fd.get(), image.data(), image.size(), 0);
        image.resize(n > 0 ? static_cast<size_t>(n) : 0);
        return image;
    }

    std::string m_scratch;
    Deadline m_deadline;
    std::map<File, std::vector<uint64_t>> m_files;
    const std::vector<uint64_t> m_none;
    size_t m_ranges = 0, m_functions = 0, m_offered = 0;
    off_t m_bytes = 0;
    bool m_beyond_bounds = false;
};

}  // namespace

std::vector<uint64_t> offered_functions(std::string_view image) {
    std::vector<uint64_t> functions;
    const auto header = read_at<Elf64_Ehdr>(image, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64)
        return functions;
    size_t left = k_most_symbols;
    for (uint64_t i = 0; i < header->e_shnum; ++i) {
        const auto section = read_at<Elf64_Shdr>(image, header->e_shoff + i * sizeof(Elf64_Shdr));
        if (!section || section->sh_type != SHT_DYNSYM) continue;
        for (uint64_t at = 0; at < section->sh_size && left > 0; at += sizeof(Elf64_Sym)) {
            const auto symbol = read_at<Elf64_Sym>(image, section->sh_offset + at);
            if (!symbol) break;
            --left;
            // One that is too short to be overwritten does no work.
            if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
                symbol->st_size < return_at_once(0).size())
                continue;
            if (const auto offset = file_offset(image, *header, symbol->st_value))
                functions.push_back(*offset);
        }
    }
    return functions;
}

Result<Disabled> disable_own_functions(const std::vector<pid_t>& pids, const std::string& scratch,
                                       uint8_t value, Deadline deadline) {
    const auto code = return_at_once(value);
    OwnLibraries libraries(scratch, deadline);
    Disabled disabled;
    for (const pid_t pid : pids) {
        TRY_ASSIGN(const std::vector<uint64_t> addresses, libraries.addresses(pid, code.size()));
        disabled.beyond_bounds = libraries.beyond_bounds();
        if (disabled.beyond_bounds) return disabled;
        if (addresses.empty()) continue;
        Result<void> in_time;
        // Some kernels let only a tracer write to code.
        while_stopped_apart(pid, [&] {
            const Fd memory(::open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDWR | O_CLOEXEC));
            for (size_t i = 0; memory && i < addresses.size() && in_time.ok(); ++i) {
                if (i % k_between_looks == 0) in_time = may_go_on(deadline);
                if (::pwrite(memory.get(), code.data(), code.size(), static_cast<off_t>(addresses[i])) ==
                    static_cast<ssize_t>(code.size()))
                    ++disabled.functions;
            }
        });
        TRY(in_time);
    }
    return disabled;
}

}  // namespace kforge
