// The environment variables of the arena's processes.
#pragma once

#include <nlohmann/json.hpp>

#include "kforge/util/process.hpp"

namespace kforge {

// Of referee and baseline; `cache` is for what torch.compile makes.
Environment trusted_environment(const fs::path& cache);

// What untrusted code sees: enough to compile and run, nothing of the user's. Variables that name a writable
// folder are set by the player, who knows where that is.
Environment player_environment(int threads);

// Of the process that the others are forked from. The number of threads is not in it: the referee tells how
// many PyTorch takes by itself.
Environment nursery_environment();

// {"NAME": "value"}
nlohmann::json environment_json(const Environment& environment);

}  // namespace kforge
