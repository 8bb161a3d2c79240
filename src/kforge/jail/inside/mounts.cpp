// The root of a player: an empty tmpfs into which only what may be seen is bound, read-only, and the old root
// detached. Paths keep their names, so that what the caller has imported goes on working.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "kforge/jail/inside/mount_calls.hpp"
#include "kforge/jail/inside/state.hpp"

namespace kforge::jail {
namespace {

constexpr const char* k_system_paths[] = {"/usr",   "/bin",       "/sbin",      "/lib",
                                          "/lib32", "/lib64",     "/libx32",    "/etc",
                                          "/opt",   "/nix/store", "/gnu/store", "/sys/devices/system"};
constexpr const char* k_devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
// What stands in for /proc where none of our own can be mounted.
constexpr const char* k_proc_files[] = {"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg"};

enum class What { bind, device, hide, folder, scratch, shm, link };

struct Entry {
    std::string path;
    What what;
    std::string target = {};  // of a link
    int tree = -1;            // of a bind or device: the detached copy of the source
    bool folder = true;       // the source is one
};

bool below(const std::string& path, const std::string& folder) {
    return path.size() > folder.size() && path.compare(0, folder.size(), folder) == 0 &&
           path[folder.size()] == '/';
}

// The path without symbolic links; nothing when it does not exist.
std::string real_path(const std::string& path) {
    char resolved[PATH_MAX];
    return realpath(path.c_str(), resolved) != nullptr ? resolved : "";
}

class RootBuilder {
  public:
    explicit RootBuilder(Jail& jail) : m_jail(jail) {}

    void build() {
        check(mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "private mounts");
        plan();
        // All sources are taken before the first mount, which may cover some of them.
        for (auto& entry : m_entries)
            if (entry.what == What::bind || entry.what == What::device) take(entry);
        m_stage = stage_folder();
        mount_bare("");
        for (auto& entry : m_entries) attach(entry);
        make_folders("/proc");
        m_jail.report.attempt("proc", [&] { mount_proc(); });
        if (!m_jail.report.has("proc")) stand_in_for_proc();
        for (const auto& folder : m_to_seal) seal(folder);
        check(chdir(m_stage.c_str()), "chdir to the new root");
        check(syscall(SYS_pivot_root, ".", "."), "pivot_root");
        check(umount2(".", MNT_DETACH), "umount of the old root");
        check(chdir("/"), "chdir to /");
    }

    void abandon() {
        if (!m_stage.empty()) umount2(m_stage.c_str(), MNT_DETACH);
    }

  private:
    void plan() {
        m_entries.push_back({"/dev", What::folder});
        m_entries.push_back({"/dev/shm", What::shm});
        m_entries.push_back({m_jail.config.scratch, What::scratch});
        for (const char* device : k_devices) m_entries.push_back({device, What::device});
        for (const auto& device : m_jail.config.devices) m_entries.push_back({device, What::device});
        m_entries.push_back({"/dev/fd", What::link, "/proc/self/fd"});
        m_entries.push_back({"/dev/stdin", What::link, "/proc/self/fd/0"});
        m_entries.push_back({"/dev/stdout", What::link, "/proc/self/fd/1"});
        m_entries.push_back({"/dev/stderr", What::link, "/proc/self/fd/2"});
        for (const auto& path : m_jail.visible) {
            const auto real = real_path(path);
            if (real != path) m_entries.push_back({path, What::link, real});
            m_entries.push_back({real, What::bind});
        }
        for (const auto* paths : {&m_jail.config.hidden, &m_jail.special_files})
            for (const auto& path : *paths)
                if (const auto real = real_path(path); !real.empty()) m_entries.push_back({real, What::hide});
        // Parents first; of two for one path the one that shows less wins.
        std::stable_sort(m_entries.begin(), m_entries.end(), [](const Entry& a, const Entry& b) {
            return a.path != b.path ? a.path < b.path : rank(a.what) < rank(b.what);
        });
        const auto same = [](const Entry& a, const Entry& b) { return a.path == b.path; };
        m_entries.erase(std::unique(m_entries.begin(), m_entries.end(), same), m_entries.end());
        std::vector<Entry> needed;
        for (const auto& entry : m_entries)
            if (is_needed(entry, needed)) needed.push_back(entry);
        m_entries = needed;
    }

    static int rank(What what) { return what == What::hide ? 1 : what == What::bind ? 2 : 0; }

    static bool is_needed(const Entry& entry, const std::vector<Entry>& so_far) {
        const Entry* nearest = nullptr;
        for (const auto& other : so_far)
            if (below(entry.path, other.path) && (nearest == nullptr || below(other.path, nearest->path)))
                nearest = &other;
        const bool already_seen = nearest != nullptr && nearest->what == What::bind;
        if (entry.what == What::bind || entry.what == What::link) return !already_seen;
        if (entry.what == What::hide) return already_seen;
        return true;
    }

    void take(Entry& entry) {
        struct stat info;
        if (stat(entry.path.c_str(), &info) != 0) {
            if (entry.what == What::bind) missing("stat " + entry.path);
            m_jail.report.note("no device " + entry.path);
            return;
        }
        entry.folder = S_ISDIR(info.st_mode);
        entry.tree = static_cast<int>(check(open_tree_copy(entry.path.c_str()), "open_tree " + entry.path));
        // Devices work all the same where they are mounted read-only; the times of their files stay what they
        // are.
        const uint64_t attributes =
            k_mount_rdonly | k_mount_nosuid | (entry.what == What::device ? k_mount_noexec : k_mount_nodev);
        check(set_mount_attributes(entry.tree, "", k_at_empty_path | k_at_recursive, attributes),
              "mount_setattr " + entry.path);
    }

    // A folder that exists in every system, to build upon: what lies below it has been taken already.
    static std::string stage_folder() {
        for (const char* folder : {"/tmp", "/mnt", "/var", "/usr"}) {
            struct stat info;
            if (lstat(folder, &info) == 0 && S_ISDIR(info.st_mode)) return folder;
        }
        throw Missing("no folder to build the new root upon");
    }

    void mount_tmpfs(const std::string& path, const std::string& options) {
        check(mount("kforge", (m_stage + path).c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()),
              "tmpfs for " + path + "/");
    }

    // Empty but for what is mounted below it, and read-only once everything is.
    void mount_bare(const std::string& path) {
        mount_tmpfs(path, "size=4m,mode=0755");
        m_to_seal.push_back(m_stage + path);
    }

    void mount_scratch(const std::string& path, uint64_t bytes, uint64_t files, const char* mode) {
        const auto options = "size=" + std::to_string(bytes) + ",nr_inodes=" + std::to_string(files) +
                             ",mode=" + mode + ",uid=" + std::to_string(m_jail.uid) +
                             ",gid=" + std::to_string(m_jail.gid);
        mount_tmpfs(path, options);
    }

    void make_folders(const std::string& path) {
        for (size_t slash = 1; slash != std::string::npos;) {
            slash = path.find('/', slash + 1);
            const auto folder = m_stage + path.substr(0, slash);
            if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST)
                missing("mkdir " + path.substr(0, slash));
        }
    }

    void make_mount_point(const Entry& entry) {
        if (entry.folder) return make_folders(entry.path);
        if (const auto slash = entry.path.rfind('/'); slash > 0) make_folders(entry.path.substr(0, slash));
        const int fd = open((m_stage + entry.path).c_str(), O_CREAT | O_RDONLY | O_CLOEXEC, 0444);
        if (fd < 0) missing("create " + entry.path);
        close(fd);
    }

    void attach(Entry& entry) {
        switch (entry.what) {
            case What::bind:
            case What::device:
                if (entry.tree < 0) return;
                make_mount_point(entry);
                check(move_mount_to(entry.tree, (m_stage + entry.path).c_str()), "mount of " + entry.path);
                close(entry.tree);
                return;
            case What::hide:
                return hide(entry.path);
            case What::folder:
                make_folders(entry.path);
                return mount_bare(entry.path);
            case What::scratch:
                make_folders(entry.path);
                return mount_scratch(entry.path, m_jail.config.scratch_bytes, m_jail.config.scratch_files,
                                     "0700");
            case What::shm:
                make_folders(entry.path);
                return mount_scratch(entry.path, m_jail.config.shm_bytes, 4096, "01777");
            case What::link:
                make_folders(entry.path.substr(0, entry.path.rfind('/')));
                if (symlink(entry.target.c_str(), (m_stage + entry.path).c_str()) != 0 && errno != EEXIST)
                    missing("link " + entry.path);
        }
    }

    void hide(const std::string& path) {
        struct stat info;
        if (stat((m_stage + path).c_str(), &info) != 0 && errno == ENOENT) return;  // gone by now
        check(stat((m_stage + path).c_str(), &info), "stat " + path);
        if (S_ISDIR(info.st_mode)) return mount_bare(path);
        const int empty = static_cast<int>(check(open_tree_copy("/dev/null"), "empty file"));
        check(move_mount_to(empty, (m_stage + path).c_str()), "cover " + path);
        close(empty);
    }

    void mount_proc() {
        if (!m_jail.report.has("pid")) throw Missing("needs a pid namespace");
        const auto target = m_stage + "/proc";
        // See landlock.cpp: with devices a process must be able to write to what is its own there.
        const unsigned long read_only = m_jail.config.devices.empty() ? MS_RDONLY : 0;
        check(mount("proc", target.c_str(), "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | read_only, nullptr),
              "mount of proc");
    }

    void stand_in_for_proc() {
        mount_bare("/proc");
        for (const char* file : k_proc_files) {
            Entry entry{file, What::bind, {}, -1, false};
            take(entry);
            attach(entry);
        }
    }

    void seal(const std::string& folder) {
        check(set_mount_attributes(AT_FDCWD, folder.c_str(), 0, k_mount_rdonly), "read-only " + folder);
    }

    Jail& m_jail;
    std::vector<Entry> m_entries;
    std::string m_stage;
    std::vector<std::string> m_to_seal;
};

}  // namespace

std::vector<std::string> readable_paths(const Config& config) {
    std::vector<std::string> all(std::begin(k_system_paths), std::end(k_system_paths));
    all.insert(all.end(), config.readable.begin(), config.readable.end());
    std::vector<std::string> existing;
    for (const auto& path : all)
        if (const auto real = real_path(path); !real.empty() && real != "/") existing.push_back(path);
    return existing;
}

void build_root(Jail& jail) {
    RootBuilder builder(jail);
    try {
        builder.build();
    } catch (const Missing&) {
        builder.abandon();
        jail.report.set_missing("proc", "the root could not be built");
        throw;
    }
    jail.mounted = true;
}

void check_nothing_to_hide(const Jail& jail) {
    for (const auto& hidden : jail.config.hidden)
        for (const auto& seen : jail.visible)
            if (const auto real = real_path(hidden); real == real_path(seen) || below(real, real_path(seen)))
                throw Missing(hidden + " lies below " + seen + ", which is readable");
}

}  // namespace kforge::jail
