// Match: one candidate against the arena, step by step: load, check, time, vary. The first step that finds a
// fault ends it with a verdict.
#pragma once

#include "kforge/arena/stage.hpp"

namespace kforge {

Result<Evaluation> play_match(Stage& stage, const std::string& candidate,
                              const std::vector<fs::path>& auxiliary);

// The check alone, with new seeds: correct, or what was found this time.
Result<Verdict> play_confirmation(Stage& stage, const std::string& candidate,
                                  const std::vector<fs::path>& auxiliary);

// Runs a candidate under PyTorch's profiler: the table, and the share of time outside the library's
// operators.
struct PlayerProfile {
    std::string table;
    double own_share = 0;
};
Result<PlayerProfile> profile_in_player(Stage& stage, const std::string& candidate,
                                        const std::vector<fs::path>& auxiliary);

}  // namespace kforge
