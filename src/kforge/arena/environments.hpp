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

// On a GPU, for a process that runs this source: one that launches on a single stream needs a single queue,
// and opens and leaves the GPU in a third of the time that eight take.
void limit_queues(Environment& environment, const std::string& source);

// More variables of ours, by name.
void inherit(Environment& environment, const std::vector<std::string>& names);

// {"NAME": "value"}
nlohmann::json environment_json(const Environment& environment);

}  // namespace kforge
