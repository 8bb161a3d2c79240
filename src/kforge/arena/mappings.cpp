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

bool is_mapped_from(pid_t pid, uint64_t address, size_t size, const std::vector<int>& files) {
    std::vector<std::pair<dev_t, ino_t>> wanted;
    for (const int file : files)
        if (struct stat facts{}; ::fstat(file, &facts) == 0) wanted.emplace_back(facts.st_dev, facts.st_ino);
    const Result<std::string> maps = read_file(fmt::format("/proc/{}/maps", pid));
    if (!maps.ok()) return false;
    for (const std::string& line : split_lines(*maps)) {
        uint64_t begin = 0, end = 0, inode = 0;
        unsigned int major = 0, minor = 0;
        if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*s %*x %x:%x %" SCNu64, &begin, &end, &major,
                        &minor, &inode) != 5)
            continue;
        if (begin < address + size && address < end &&
            std::find(wanted.begin(), wanted.end(), std::pair<dev_t, ino_t>(makedev(major, minor), inode)) !=
                wanted.end())
            return true;
    }
    return false;
}

}  // namespace kforge
