// Landlock: reading what is visible, writing in the scratch, and nothing else, whatever the mounts allow.
// Where mounting is not possible this is what hides the user's files.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "kforge/jail/inside/state.hpp"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

namespace kforge::jail {
namespace {

// By hand: the headers of many systems know the first versions of the interface only.
constexpr uint64_t k_execute = 1 << 0;
constexpr uint64_t k_write_file = 1 << 1;
constexpr uint64_t k_read_file = 1 << 2;
constexpr uint64_t k_read_dir = 1 << 3;
constexpr uint64_t k_version_1 = (1 << 13) - 1;
constexpr uint64_t k_refer = 1 << 13;     // version 2
constexpr uint64_t k_truncate = 1 << 14;  // version 3
constexpr uint64_t k_tcp = 3;             // version 4: bind and connect
constexpr uint64_t k_scopes = 3;          // version 6: abstract unix sockets, signals
constexpr uint64_t k_of_files = k_execute | k_write_file | k_read_file | k_truncate;
constexpr uint64_t k_read = k_execute | k_read_file | k_read_dir;

struct RulesetAttributes {
    uint64_t files = 0;
    uint64_t net = 0;
    uint64_t scoped = 0;
};

struct __attribute__((packed)) PathRule {
    uint64_t allowed;
    int32_t parent;
};

class Ruleset {
  public:
    Ruleset() {
        constexpr unsigned k_get_version = 1;
        const long version =
            check(syscall(SYS_landlock_create_ruleset, nullptr, 0, k_get_version), "not in this kernel");
        RulesetAttributes attributes;
        attributes.files = k_version_1 | (version >= 2 ? k_refer : 0) | (version >= 3 ? k_truncate : 0);
        if (version >= 4) attributes.net = k_tcp;
        if (version >= 6) attributes.scoped = k_scopes;
        const size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
        m_handled = attributes.files;
        m_scopes = version >= 6;
        m_fd = static_cast<int>(
            check(syscall(SYS_landlock_create_ruleset, &attributes, size, 0), "landlock_create_ruleset"));
    }
    ~Ruleset() { close(m_fd); }
    Ruleset(const Ruleset&) = delete;
    Ruleset& operator=(const Ruleset&) = delete;

    void allow(const std::string& path, uint64_t rights) {
        const int fd = open(path.c_str(), O_PATH | O_CLOEXEC);
        if (fd < 0) return;  // what is not there needs no permission
        struct stat info;
        const bool folder = fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
        const PathRule rule = {rights & m_handled & (folder ? ~uint64_t{0} : k_of_files), fd};
        constexpr int k_path_beneath = 1;
        const long result = syscall(SYS_landlock_add_rule, m_fd, k_path_beneath, &rule, 0);
        close(fd);
        check(result, "landlock_add_rule " + path);
    }

    // Keeps signals and abstract sockets inside.
    bool scopes() const { return m_scopes; }

    void enforce() { check(syscall(SYS_landlock_restrict_self, m_fd, 0), "landlock_restrict_self"); }

  private:
    int m_fd = -1;
    uint64_t m_handled = 0;
    bool m_scopes = false;
};

}  // namespace

void restrict_files(Jail& jail) {
    jail.report.set_missing("landlock_scopes", "no Landlock");
    Ruleset rules;
    for (const auto& path : jail.visible) rules.allow(path, k_read);
    // The driver of a GPU names its threads, by a file in /proc, and gives up where it cannot.
    const uint64_t naming = jail.config.devices.empty() ? 0 : k_write_file | k_truncate;
    rules.allow("/proc", k_read_file | k_read_dir | naming);
    for (const char* device : {"/dev/null", "/dev/zero", "/dev/full"})
        rules.allow(device, k_read_file | k_write_file);
    for (const char* device : {"/dev/random", "/dev/urandom"}) rules.allow(device, k_read_file);
    for (const auto& device : jail.config.devices) rules.allow(device, k_read_file | k_write_file);
    const uint64_t everything = ~uint64_t{0};
    if (!jail.scratch().empty()) rules.allow(jail.scratch(), everything);
    if (jail.mounted) {
        rules.allow("/dev", k_read_dir);
        rules.allow("/dev/shm", everything);
    } else {
        jail.report.note("without a /dev/shm of its own the player cannot use Python's multiprocessing");
    }
    rules.enforce();
    jail.report.attempt("landlock_scopes", [&] {
        if (!rules.scopes()) throw Missing("this kernel's Landlock is older than version 6");
    });
}

}  // namespace kforge::jail
