#include "kforge/arena/mappings.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "kforge/util/fd.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using File = std::pair<dev_t, ino_t>;

std::vector<File> identities(const std::vector<int>& files) {
    std::vector<File> found;
    for (const int file : files)
        if (struct stat facts{}; ::fstat(file, &facts) == 0) found.emplace_back(facts.st_dev, facts.st_ino);
    return found;
}

// A file to the kernel, but what is mapped of it is memory like any other. Not by its name: a candidate gives
// files names.
bool is_zeros(const File& file) {
    struct stat facts {};
    return ::stat("/dev/zero", &facts) == 0 && file == File(facts.st_dev, facts.st_ino);
}

struct Mapping {
    uint64_t begin = 0, end = 0;
    bool is_private = false;
    dev_t device = 0;
    ino_t inode = 0;  // 0: of no file
};

// As linux/fs.h of Linux 6.11 has it: a mapping by an address in it. The text of all mappings takes as long
// as to compare a result.
struct Query {
    uint64_t size = sizeof(Query), flags = 0, address = 0;
    uint64_t begin = 0, end = 0, rights = 0, page_size = 0, offset = 0, inode = 0;
    uint32_t major = 0, minor = 0, name_size = 0, build_id_size = 0;
    uint64_t name_address = 0, build_id_address = 0;
};
constexpr unsigned long k_query = _IOWR('f', 17, Query);
constexpr uint64_t k_or_the_next = 0x10, k_is_shared = 0x08;

// Nothing where the kernel does not know such questions.
std::optional<std::vector<Mapping>> ask_for_mappings(int maps, uint64_t address, uint64_t end) {
    std::vector<Mapping> found;
    while (address < end) {
        Query query;
        query.flags = k_or_the_next;
        query.address = address;
        if (::ioctl(maps, k_query, &query) != 0) return errno == ENOENT ? std::optional(found) : std::nullopt;
        if (query.begin >= end) break;
        found.push_back({query.begin, query.end, (query.rights & k_is_shared) == 0,
                         makedev(query.major, query.minor), query.inode});
        address = query.end;
    }
    return found;
}

std::vector<Mapping> read_mappings(const std::string& path, uint64_t address, uint64_t end) {
    std::vector<Mapping> found;
    const Result<std::string> maps = read_file(path);
    if (!maps.ok()) return found;
    for (const std::string& line : split_lines(*maps)) {
        Mapping mapping;
        unsigned int major = 0, minor = 0;
        char rights[5] = {};
        if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %*x %x:%x %" SCNu64, &mapping.begin,
                        &mapping.end, rights, &major, &minor, &mapping.inode) != 6 ||
            mapping.begin >= end || address >= mapping.end)
            continue;
        mapping.is_private = rights[3] == 'p';
        mapping.device = makedev(major, minor);
        found.push_back(mapping);
    }
    return found;
}

std::vector<Mapping> mappings_of(pid_t pid, uint64_t address, uint64_t end, bool ask) {
    const std::string path = fmt::format("/proc/{}/maps", pid);
    const Fd maps(ask ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1);
    std::optional<std::vector<Mapping>> asked = ask_for_mappings(maps.get(), address, end);
    return asked ? std::move(*asked) : read_mappings(path, address, end);
}

}  // namespace

Shown what_is_shown(pid_t pid, uint64_t address, size_t size, const std::vector<int>& files, bool ask) {
    const std::vector<File> wanted = identities(files);
    Shown shown = Shown::own_memory;
    for (const Mapping& mapping : mappings_of(pid, address, address + size, ask)) {
        const File file(mapping.device, mapping.inode);
        if (std::find(wanted.begin(), wanted.end(), file) != wanted.end()) return Shown::files;
        if (mapping.inode != 0 && mapping.is_private && !is_zeros(file)) shown = Shown::copy_to_be_made;
    }
    return shown;
}

std::vector<std::pair<uint64_t, uint64_t>> private_memory(pid_t pid, uint64_t address, uint64_t end) {
    std::vector<std::pair<uint64_t, uint64_t>> found;
    for (const Mapping& mapping : mappings_of(pid, address, end, true))
        if (mapping.is_private && (mapping.inode == 0 || is_zeros({mapping.device, mapping.inode})))
            found.emplace_back(mapping.begin, mapping.end);
    return found;
}

}  // namespace kforge
