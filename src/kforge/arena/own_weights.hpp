// Own weights: whether a claim also holds with the weights that the problem makes. Candidates are timed with
// others, far from these, where more can be left out for once: units that never have a say, for one.
#pragma once

#include "kforge/arena/contender.hpp"
#include "kforge/arena/race.hpp"

namespace kforge {

// After a race that ended with a claim: a few rounds with the problem's own weights. Where the candidate is
// less fast with these it is timed again, and that counts. The candidate keeps them.
Result<Finding> hold_to_own_weights(Stage& stage, Contender& contender, const Runner& runner,
                                    RaceResult& result);

}  // namespace kforge
