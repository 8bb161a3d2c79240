#include "kforge/arena/code_map.hpp"

#include <algorithm>
#include <charconv>

namespace kforge {
namespace {

constexpr std::string_view k_deleted = " (deleted)";

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return text.starts_with(beginning); });
}

Code code_of_file(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    if (starts_with_any(name, {"libgomp", "libomp", "libiomp5"})) return Code::waiting;
    if (starts_with_any(name, {"libc.so", "libc-", "libm.so", "libm-", "libmvec", "ld-linux", "ld-musl",
                               "libpthread", "libdl.", "librt.", "libstdc++", "libgcc_s"}))
        return Code::basic;
    // Numba and its LLVM call what a candidate has them compile, as the interpreter calls foreign functions.
    for (const std::string_view part : {"/lib-dynload/", "/numba/", "/llvmlite/"})
        if (path.find(part) != std::string_view::npos) return Code::interpreter;
    if (starts_with_any(name, {"python", "libpython", "libffi"})) return Code::interpreter;
    return Code::library;
}

Code code_of(std::string_view path, const std::function<bool(const std::string&)>& is_own) {
    // The kernel's own pages; names that a process gives to its memory begin with "[anon:".
    if (path == "[vdso]" || path == "[vsyscall]") return Code::basic;
    if (path.empty() || path.front() != '/' ||
        starts_with_any(path, {"/memfd:", "/dev/shm/", "/dev/zero", "/SYSV", "/anon_hugepage"}))
        return Code::generated;
    return is_own(std::string(path)) ? Code::own : code_of_file(path);
}

// The next field of a line, and the blanks after it.
std::string_view take_field(std::string_view& line) {
    const std::string_view field = line.substr(0, line.find(' '));
    line.remove_prefix(field.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return field;
}

uint64_t from_hex(std::string_view text) {
    uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return value;
}

}  // namespace

CodeMap::CodeMap(std::string_view maps, const std::function<bool(const std::string&)>& is_own) {
    while (!maps.empty()) {
        std::string_view line = maps.substr(0, maps.find('\n'));
        maps.remove_prefix(std::min(line.size() + 1, maps.size()));
        const std::string_view addresses = take_field(line);
        const std::string_view permissions = take_field(line);
        const std::string_view offset = take_field(line);
        take_field(line);  // device
        take_field(line);  // inode
        const size_t dash = addresses.find('-');
        if (dash == std::string_view::npos || permissions.find('x') == std::string_view::npos) continue;
        if (line.ends_with(k_deleted)) line.remove_suffix(k_deleted.size());
        m_ranges.push_back(Range{from_hex(addresses.substr(0, dash)), from_hex(addresses.substr(dash + 1)),
                                 code_of(line, is_own), from_hex(offset), std::string(line)});
    }
}

Code CodeMap::at(uint64_t address) const {
    const auto after =
        std::upper_bound(m_ranges.begin(), m_ranges.end(), address,
                         [](uint64_t value, const Range& range) { return value < range.begin; });
    if (after == m_ranges.begin() || address >= std::prev(after)->end) return Code::unknown;
    return std::prev(after)->code;
}

Credit CodeMap::credit(uint64_t address, const std::vector<uint64_t>& stack) const {
    const Code here = at(address);
    if (here == Code::own) return Credit::own;
    if (here == Code::library) return Credit::library;
    if (here != Code::basic && here != Code::generated) return Credit::none;
    // oneDNN makes its kernels at run time, and a kernel of the candidate's own calls expf: the caller tells.
    bool generated = here == Code::generated;
    for (const uint64_t word : stack) {
        const Code caller = at(word);
        if (caller == Code::own) return Credit::own;
        if (caller == Code::library) return Credit::library;
        if (caller == Code::interpreter) return generated ? Credit::own : Credit::none;
        if (caller == Code::generated) generated = true;
    }
    return Credit::none;
}

}  // namespace kforge
