#include "kforge/arena/provenance.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <optional>

#include "kforge/arena/sampler.hpp"
#include "kforge/arena/tracing.hpp"
#include "kforge/util/fd.hpp"

namespace kforge {
namespace {

// More than these is no kernel's library, but a way to keep us busy.
constexpr off_t k_largest_file = off_t{256} << 20;
constexpr size_t k_most_symbols = 100'000;
constexpr uint64_t k_most_parts = 64;

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

std::string read_image(const std::string& path) {
    // Without waiting and without following: the candidate may have put anything in its place.
    const Fd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > k_largest_file)
        return "";
    std::string image(static_cast<size_t>(status.st_size), '\0');
    const ssize_t n = ::pread(fd.get(), image.data(), image.size(), 0);
    image.resize(n > 0 ? static_cast<size_t>(n) : 0);
    return image;
}

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

size_t disable_own_functions(pid_t pid, const std::string& scratch, uint8_t value) {
    const auto code = return_at_once(value);
    const CodeMap map = read_code_map(pid, scratch);
    std::vector<uint64_t> addresses;
    for (const CodeMap::Range& range : map.ranges()) {
        if (range.code != Code::own) continue;
        const uint64_t size = range.end - range.begin;
        for (const uint64_t offset :
             offered_functions(read_image(fmt::format("/proc/{}/root{}", pid, range.path))))
            if (offset >= range.offset && offset - range.offset <= size - code.size())
                addresses.push_back(range.begin + (offset - range.offset));
    }
    if (addresses.empty()) return 0;
    size_t disabled = 0;
    // Some kernels let only a tracer write to code.
    while_stopped_apart(pid, [&] {
        const Fd memory(::open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDWR | O_CLOEXEC));
        for (const uint64_t address : addresses)
            if (memory && ::pwrite(memory.get(), code.data(), code.size(), static_cast<off_t>(address)) ==
                              static_cast<ssize_t>(code.size()))
                ++disabled;
    });
    return disabled;
}

}  // namespace kforge
