// Stretch: calls of a candidate one after the other that all look like timed ones. In a race others come in
// between, which it can tell by their inputs: what does not depend on inputs, or only on a few bits of them,
// such as padding, could be written there, in memory that is returned later. Here there is no such moment.
#pragma once

#include "kforge/arena/contender.hpp"
#include "kforge/arena/race.hpp"

namespace kforge {

// For a candidate that is `faster`. One that takes longer than in the race is less fast by as much, and no
// claim rests on more than it is ahead of the baseline by, where that has a stretch of its own; results that
// never lie where one has been before were prepared.
Result<Finding> hold_to_stretch(Stage& stage, Contender& contender, RaceResult& result);

}  // namespace kforge
