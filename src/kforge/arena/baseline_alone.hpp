// What a baseline takes by itself, outside of the rounds of a race: against itself, which is noise, and while
// the candidate stands still all the while.
#pragma once

#include "kforge/arena/rounds.hpp"

namespace kforge {

// What differs between equals. Apart from the race, where it would give the baseline's process twice the
// calls, and so the warmer caches. The latest calls of earlier races count as well, and are `enough` where
// nothing can be claimed.
Result<Interval> measure_noise(Stage& stage, Rounds& rounds, const std::string& baseline,
                               const Overhead& overhead, bool enough);

// A stopped player may slow down the baselines, with what it has set going before: for so many rounds there
// is nobody to set it going again. Milliseconds.
Result<double> time_alone(const Stage& stage, Rounds& rounds, const std::string& baseline,
                          const Overhead& overhead);

}  // namespace kforge
