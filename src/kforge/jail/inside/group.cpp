#include "kforge/jail/inside/group.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "kforge/jail/inside/state.hpp"

namespace kforge::jail {
namespace {

constexpr const char* k_prefix = "kforge-";

// Where groups are made, and by which names of files, which differ between the two versions.
struct Hierarchy {
    std::string folder;
    bool unified = false;
};

std::vector<std::string> lines_of(const std::string& path) {
    std::vector<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

bool has_word(const std::string& text, const std::string& word, char separator) {
    std::istringstream words(text);
    for (std::string one; std::getline(words, one, separator);)
        if (one == word) return true;
    return false;
}

// The path of the caller's group in the hierarchy of the memory controller; empty where there is none.
std::string own_group(bool unified) {
    for (const std::string& line : lines_of("/proc/self/cgroup")) {  // number:controllers:path
        const size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (unified ? controllers.empty() : has_word(controllers, "memory", ','))
            return line.substr(second + 1);
    }
    return "";
}

// Where that hierarchy is mounted, and which of its groups is seen there.
std::pair<std::string, std::string> mount_of(bool unified) {
    for (const std::string& line : lines_of("/proc/self/mountinfo")) {
        std::istringstream words(line);
        std::string skipped, root, point, word, type, source, options;
        words >> skipped >> skipped >> skipped >> root >> point;
        while (words >> word && word != "-") {
        }
        words >> type >> source >> options;
        if (unified ? type == "cgroup2" : type == "cgroup" && has_word(options, "memory", ','))
            return {point, root};
    }
    return {};
}

std::string folder_of_own_group(bool unified) {
    std::string group = own_group(unified);
    const auto [point, root] = mount_of(unified);
    if (group.empty() || point.empty()) return "";
    if (root != "/" && group.rfind(root, 0) == 0) group = group.substr(root.size());
    return point + (group == "/" ? "" : group);
}

bool limits_memory_below(const std::string& folder) {
    for (const std::string& line : lines_of(folder + "/cgroup.subtree_control"))
        if (has_word(line, "memory", ' ')) return true;
    return false;
}

// Of the unified one, a group that has processes has no others: beside it, or beside one that holds it.
Hierarchy find_hierarchy() {
    const std::string own = folder_of_own_group(false);
    if (!own.empty()) return {own, false};
    const std::string point = mount_of(true).first;
    for (std::string folder = folder_of_own_group(true); !folder.empty() && folder.size() >= point.size();
         folder.resize(folder.rfind('/')))
        if (limits_memory_below(folder) && access(folder.c_str(), W_OK) == 0) return {folder, true};
    throw Missing("no control group for memory can be made here");
}

// Of a caller that was killed. Those that are in use cannot be removed.
void remove_left_behind(const std::string& parent) {
    DIR* folder = opendir(parent.c_str());
    if (folder == nullptr) return;
    while (const dirent* entry = readdir(folder)) {
        const std::string name = entry->d_name;
        if (name.rfind(k_prefix, 0) != 0) continue;
        const pid_t maker = std::atoi(name.c_str() + std::string(k_prefix).size());
        if (maker > 0 && kill(maker, 0) != 0 && errno == ESRCH) rmdir((parent + "/" + name).c_str());
    }
    closedir(folder);
}

const Hierarchy& hierarchy() {
    static const Hierarchy k_found = [] {
        const Hierarchy found = find_hierarchy();
        remove_left_behind(found.folder);
        return found;
    }();
    return k_found;
}

bool write_text(const std::string& path, const std::string& text) {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool written = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(fd);
    return written;
}

}  // namespace

MemoryGroup::MemoryGroup(uint64_t limit_bytes) : m_maker(getpid()) {
    static int made = 0;
    const Hierarchy& place = hierarchy();
    m_folder = place.folder + "/" + k_prefix + std::to_string(getpid()) + "-" + std::to_string(++made);
    check(mkdir(m_folder.c_str(), 0755), "a control group for memory");
    const std::string limit = m_folder + (place.unified ? "/memory.max" : "/memory.limit_in_bytes");
    m_members = open((m_folder + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
    if (m_members < 0 || !write_text(limit, std::to_string(limit_bytes))) {
        const int error = errno;
        rmdir(m_folder.c_str());
        errno = error;
        missing("the limit of a control group");
    }
    if (place.unified) write_text(m_folder + "/memory.swap.max", "0");
}

MemoryGroup::MemoryGroup(MemoryGroup&& other) noexcept
    : m_folder(std::exchange(other.m_folder, {})),
      m_maker(other.m_maker),
      m_members(std::exchange(other.m_members, -1)) {}

MemoryGroup::~MemoryGroup() {
    if (m_members >= 0) close(m_members);
    if (m_folder.empty() || getpid() != m_maker) return;
    // What has ended a moment ago may still count as a member.
    for (int tries = 0; rmdir(m_folder.c_str()) != 0 && errno == EBUSY && tries < 50; ++tries) usleep(1000);
}

void MemoryGroup::enter() const {
    check(write(m_members, "0", 1), "to enter a control group");
}

bool MemoryGroup::has_overflowed() const {
    const char* file = hierarchy().unified ? "/memory.events" : "/memory.oom_control";
    for (const std::string& line : lines_of(m_folder + file)) {
        int count = 0;
        if (std::sscanf(line.c_str(), "oom_kill %d", &count) == 1) return count > 0;
    }
    return false;
}

}  // namespace kforge::jail
