// Own weights: whether a candidate is right, and a claim holds, with the weights that the problem makes.
// Candidates are timed with others, far from these, where more can be left out for once: units that never
// have a say, for one.
#pragma once

#include "kforge/arena/contender.hpp"
#include "kforge/arena/race.hpp"

namespace kforge {

// After a race: some calls with the problem's own weights, which are compared. Where it ended with a claim, a
// few rounds more: a candidate that is less fast with these is timed again, and that counts. It keeps them.
Result<Finding> hold_to_own_weights(Stage& stage, Contender& contender, const Runner& runner,
                                    RaceResult& result);

}  // namespace kforge
