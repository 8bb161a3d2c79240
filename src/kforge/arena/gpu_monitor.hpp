// GpuMonitor: what the driver tells of a GPU while something is timed there: clocks, heat, throttling, and
// who else uses it. Loaded when it is needed; where it cannot be, nothing is known and nothing fails.
#pragma once

#include <sys/types.h>

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kforge {

struct GpuConditions {
    bool known = false;
    unsigned sm_mhz = 0;
    unsigned memory_mhz = 0;
    unsigned celsius = 0;
    double watts = 0;
    std::vector<std::string> throttled;  // "power cap", "heat"
    struct User {
        pid_t pid = 0;
        size_t bytes = 0;  // of its memory
    };
    std::vector<User> users;  // processes that have a context there
};

// Of the GPU with this UUID, now.
GpuConditions gpu_conditions(const std::string& uuid);

// The number in the name of its device file; nothing where it is not known.
std::optional<unsigned> gpu_minor(const std::string& uuid);

nlohmann::json to_json(const GpuConditions& conditions);

}  // namespace kforge
