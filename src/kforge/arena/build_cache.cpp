#include "kforge/arena/build_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <vector>

#include "kforge/util/fd.hpp"

namespace kforge {
namespace {

constexpr size_t k_most_builds = 64;
constexpr size_t k_most_kept_bytes = size_t{64}
                                     << 20;  // of one; holes count: a candidate decides what is in there
constexpr int k_deepest = 12;
// The candidate itself is written anew each time, and bytecode is quickly made.
const std::set<std::string> k_left_out = {"candidate.py", "__pycache__"};

// Copies a tree that untrusted code made: nothing is followed, and there is an end to it.
class TreeCopy {
  public:
    bool copy(Fd from, const fs::path& to, int depth = 0) {
        std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(from.release()), ::closedir);
        if (!folder || depth > k_deepest) return false;
        const int at = ::dirfd(folder.get());
        if (struct stat own{}; depth == 0 && ::fstat(at, &own) == 0) m_device = own.st_dev;
        while (const dirent* entry = ::readdir(folder.get())) {
            const std::string name = entry->d_name;
            if (name == "." || name == ".." || k_left_out.contains(name)) continue;
            struct stat facts {};
            if (::fstatat(at, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return false;
            if (facts.st_dev != m_device) continue;  // what the jail mounted there is not the candidate's
            if (S_ISDIR(facts.st_mode)) {
                Fd below(::openat(at, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
                if (!below || !copy(std::move(below), to / name, depth + 1)) return false;
            } else if (S_ISREG(facts.st_mode)) {
                if (!copy_file(at, entry->d_name, to / name, facts)) return false;
            }
        }
        return true;
    }
    size_t files() const { return m_files; }

  private:
    bool copy_file(int at, const char* name, const fs::path& to, const struct stat& facts) {
        ++m_files;
        if (m_files > 2000 || static_cast<size_t>(facts.st_size) > m_room) return false;
        m_room -= static_cast<size_t>(facts.st_size);
        std::error_code failure;
        fs::create_directories(to.parent_path(), failure);  // folders without files are left out
        const Fd in(::openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        const mode_t mode = (facts.st_mode & 0111) != 0 ? 0755 : 0644;
        const Fd out(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
        if (!in || !out) return false;
        char buffer[1 << 16];
        for (ssize_t n = 0; (n = ::read(in.get(), buffer, sizeof buffer)) != 0;)
            if (n < 0 || ::write(out.get(), buffer, static_cast<size_t>(n)) != n) return false;
        // Build tools decide by these times what is up to date.
        const timespec times[2] = {facts.st_atim, facts.st_mtim};
        return ::futimens(out.get(), times) == 0;
    }

    dev_t m_device = 0;
    size_t m_files = 0;
    size_t m_room = k_most_kept_bytes;
};

}  // namespace

fs::path BuildCache::find(const std::string& key) const {
    if (m_folder.empty() || !is_folder(m_folder / key)) return {};
    std::error_code ignored;
    fs::last_write_time(m_folder / key, fs::file_time_type::clock::now(), ignored);
    return m_folder / key;
}

void BuildCache::keep(const std::string& key, const fs::path& scratch) const {
    if (m_folder.empty() || is_folder(m_folder / key) || !make_directories(m_folder).ok()) return;
    const Result<TemporaryDirectory> work = TemporaryDirectory::create(m_folder, ".making-");
    Fd from(::open(scratch.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!work.ok() || !from) return;
    TreeCopy tree;
    if (!tree.copy(std::move(from), work->path() / "files") || tree.files() == 0) return;
    std::error_code ignored;
    fs::rename(work->path() / "files", m_folder / key, ignored);
    keep_newest(m_folder, k_most_builds);
}

}  // namespace kforge
