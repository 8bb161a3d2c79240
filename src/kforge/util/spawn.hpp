// Starting one child: program lookup, fork, exec. Internal to process.hpp, which is what everyone else uses.
// Thread-safe.
#pragma once

#include <sys/types.h>

#include <vector>

#include "kforge/util/process.hpp"

namespace kforge {

struct SpawnPlan {
    const std::vector<std::string>& argv;
    const Environment& environment;
    const fs::path& directory;
    int standard[3];             // become 0, 1, 2
    std::vector<int> inherited;  // become 3, 4, ...
    bool keeps_orphans = false;  // its descendants' orphans fall to the child, not to this process
};

// A running, listed child (live_children.hpp) that leads its own session, or Error environment.
Result<pid_t> spawn(const SpawnPlan& plan);

}  // namespace kforge
