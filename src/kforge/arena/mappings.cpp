#include "kforge/arena/mappings.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <utility>

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

}  // namespace

Shown what_is_shown(pid_t pid, uint64_t address, size_t size, const std::vector<int>& files) {
    const std::vector<File> wanted = identities(files);
    Shown shown = Shown::own_memory;
    const Result<std::string> maps = read_file(fmt::format("/proc/{}/maps", pid));
    if (!maps.ok()) return shown;
    for (const std::string& line : split_lines(*maps)) {
        uint64_t begin = 0, end = 0, inode = 0;
        unsigned int major = 0, minor = 0;
        char rights[5] = {};
        if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %*x %x:%x %" SCNu64, &begin, &end, rights,
                        &major, &minor, &inode) != 6 ||
            begin >= address + size || address >= end)
            continue;
        const File file(makedev(major, minor), inode);
        if (std::find(wanted.begin(), wanted.end(), file) != wanted.end()) return Shown::files;
        if (inode != 0 && rights[3] == 'p' && !is_zeros(file)) shown = Shown::copy_to_be_made;
    }
    return shown;
}

}  // namespace kforge
