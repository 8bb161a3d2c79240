// What one player's jail is made of: the configuration, and the report that grows layer by layer. Built in
// the caller of kf_jail_fork and inherited by init and the player. A layer fails by throwing Missing.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#pragma GCC visibility push(hidden)
namespace kforge::jail {

struct Config {
    bool require = false;
    std::vector<std::string> readable;
    std::vector<std::string> hidden;
    std::vector<std::string> devices;
    std::string scratch = "/tmp";
    std::string fallback_scratch;
    uint64_t scratch_bytes = 1ULL << 30;
    uint64_t scratch_files = 65536;
    uint64_t shm_bytes = 256ULL << 20;
    uid_t uid = 200000;
    uint64_t memory_bytes = 8ULL << 30;
    uint64_t total_memory_bytes = 8ULL << 30;
    uint64_t processes = 512;
    uint64_t open_files = 1024;
    std::string file_table = "/proc/sys/fs/file-nr";
    uint64_t file_bytes = 1ULL << 30;
    uint64_t cpu_seconds = 0;
    std::vector<int> descriptors;
    int output = -1;
    int lifeline = -1;
};

// Throws std::runtime_error that names the member that is wrong.
Config parse_config(const char* json);

struct Missing : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws Missing with "what: text of errno".
[[noreturn]] void missing(const std::string& what);
// For calls that return a negative number and set errno.
long check(long result, const std::string& what);

class Report {
  public:
    void attempt(const std::string& layer, const std::function<void()>& step);
    void set_missing(const std::string& layer, const std::string& why) { m_layers[layer] = why; }
    void note(const std::string& text) { m_notes.push_back(text); }
    void set_scratch(const std::string& path) { m_scratch = path; }
    bool has(const std::string& layer) const;
    std::string why(const std::string& layer) const;
    std::string json() const;
    bool keeps_all_promises() const;

  private:
    std::map<std::string, std::string> m_layers;  // empty text: ok
    std::vector<std::string> m_notes;
    std::string m_scratch;
};

struct Jail {
    Config config;
    Report report;
    bool own_user_namespace = false;
    bool may_change_user = false;
    bool mounted = false;  // the root of the player is one that we built
    const std::string& scratch() const { return mounted ? config.scratch : config.fallback_scratch; }
    uid_t uid = 0;  // of the player, as it sees itself
    gid_t gid = 0;
    pid_t supervisor = 0;                    // as the player sees it
    std::vector<std::string> visible;        // real paths to be read, for the layers that follow the mounts
    std::vector<std::string> special_files;  // sockets and pipes of other programs, in sight
};

// What a player may read: the system's own folders and the configured ones, where they exist.
std::vector<std::string> readable_paths(const Config& config);  // mounts.cpp

// The layers. Each throws Missing or records what it did in the report.
void build_root(Jail& jail);  // mounts.cpp
void check_nothing_to_hide(const Jail& jail);
void close_descriptors(Jail& jail);  // limits.cpp
void limit_resources(Jail& jail);
void drop_privileges(Jail& jail);  // privileges.cpp
void restrict_files(Jail& jail);   // landlock.cpp
// Where others can be named, because there is no pid namespace, their schedules are out of reach, too.
void filter_system_calls(bool own_pid_namespace);  // seccomp.cpp

}  // namespace kforge::jail
#pragma GCC visibility pop
