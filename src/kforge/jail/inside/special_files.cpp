#include "kforge/jail/inside/special_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <map>

namespace kforge::jail {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t k_most_entries = 200000;  // of a folder and all below it: some tenths of a second
constexpr std::chrono::seconds k_kept{60};

class Walk {
  public:
    explicit Walk(const std::string& folder) { look_through(folder, AT_FDCWD, folder.c_str()); }
    std::vector<std::string> found;

  private:
    // No links are followed, and no other file system is entered: what is mounted there is another's to name.
    void look_through(const std::string& path, int at, const char* name) {
        const int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0) return;
        DIR* folder = fdopendir(fd);
        if (folder == nullptr) {
            close(fd);
            return;
        }
        while (const dirent* entry = readdir(folder)) {
            const std::string child = entry->d_name;
            if (child == "." || child == "..") continue;
            if (++m_entries > k_most_entries) break;
            const unsigned char type = type_of(dirfd(folder), *entry);
            if (type == DT_SOCK || type == DT_FIFO) found.push_back(path + "/" + child);
            if (type == DT_DIR) look_through(path + "/" + child, dirfd(folder), child.c_str());
        }
        closedir(folder);
    }

    // Some file systems leave it to others to ask.
    static unsigned char type_of(int folder, const dirent& entry) {
        if (entry.d_type != DT_UNKNOWN) return entry.d_type;
        struct stat info;
        if (fstatat(folder, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
        return static_cast<unsigned char>(IFTODT(info.st_mode));
    }

    size_t m_entries = 0;
};

const std::vector<std::string>& found_in(const std::string& folder) {
    struct Kept {
        Clock::time_point since;
        std::vector<std::string> found;
    };
    static std::map<std::string, Kept> all;
    const auto now = Clock::now();
    const auto [kept, is_new] = all.try_emplace(folder);
    if (is_new || now - kept->second.since > k_kept) kept->second = {now, Walk(folder).found};
    return kept->second.found;
}

}  // namespace

std::vector<std::string> special_files(const std::vector<std::string>& folders) {
    std::vector<std::string> found;
    for (const std::string& folder : folders) {
        char real[PATH_MAX];
        if (realpath(folder.c_str(), real) == nullptr) continue;
        const std::vector<std::string>& there = found_in(real);
        found.insert(found.end(), there.begin(), there.end());
    }
    // What has begun to listen since.
    std::ifstream table("/proc/net/unix");
    for (std::string line; std::getline(table, line);)
        if (const size_t name = line.find(" /"); name != std::string::npos)
            found.push_back(line.substr(name + 1));
    return found;
}

}  // namespace kforge::jail
