// How long the baselines of a problem take, without a candidate: interleaved calls on fresh inputs, timed as
// in a race. Used by one thread at a time.
#pragma once

#include "kforge/arena/stage.hpp"

namespace kforge {

// All baselines that could be made; the reasons why others could not are among the notes.
Result<BaselineTimes> time_baselines(Stage& stage);

}  // namespace kforge
