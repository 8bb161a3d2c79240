// GpuMonitor: what the driver tells of a GPU beside what is computed there: which one it is, its device
// files, clocks, heat, throttling, and who uses it. Where it cannot be asked nothing is known and nothing
// fails.
#pragma once

#include <sys/types.h>

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kforge/util/fs.hpp"

namespace kforge {

// By the names of nvidia-smi -L.
struct GpuIdentity {
    std::string gpu;       // "GPU-6eb3d336-...": the whole
    std::string instance;  // "MIG-...": the part of it that is used; empty: all of it
};

// `uuid` is what the driver calls the device that it has opened, without the word before it.
GpuIdentity identify_gpu(const std::string& uuid);

// What a process needs to see of /dev in order to use it, and as little of other GPUs and instances as can be
// told: what runs there is not seen from here, and would take no time. `proc` is the driver's own folder.
std::vector<std::string> gpu_files(const GpuIdentity& identity, const fs::path& dev = "/dev",
                                   const fs::path& proc = "/proc/driver/nvidia");

struct GpuConditions {
    bool known = false;
    // Nothing: this GPU does not tell. Of the whole GPU, which is what its instances share.
    std::optional<unsigned> sm_mhz, memory_mhz, celsius;
    std::optional<double> watts;
    std::vector<std::string> throttled;  // "power cap", "heat"
    struct User {
        pid_t pid = 0;
        size_t bytes = 0;  // of its memory
    };
    // Processes that have a context there; nothing: it is not told.
    std::optional<std::vector<User>> users;
};

GpuConditions gpu_conditions(const GpuIdentity& identity);
// Nothing else of it: the rest takes the driver milliseconds.
GpuConditions gpu_users(const GpuIdentity& identity);
nlohmann::json to_json(const GpuConditions& conditions);

// Who uses it besides us.
struct GpuCompany {
    enum class Others { none, some, unclear } others = Others::unclear;
    std::string why;  // it is unclear
};
// `self` has a context there: where the driver does not name it, its numbers are those of another pid
// namespace (drivers before 535.113, in a container) and mean nothing here. Later ones leave out whoever is
// outside ours: unless it is the outermost (`sees_all`) nobody can say that there are no others.
GpuCompany company_on(const GpuConditions& conditions, pid_t self, bool sees_all);
// Whether this process is in the outermost pid namespace.
bool sees_all_processes();

// Memory of the GPU that `root` and its descendants hold; nothing where that is not told.
std::optional<size_t> gpu_bytes_of(const GpuConditions& conditions, pid_t self, pid_t root);

}  // namespace kforge
