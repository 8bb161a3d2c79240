// Waiting that an interrupt ends.
#pragma once

#include <chrono>

#include "kforge/util/result.hpp"

namespace kforge {

// Returns at `when`, or with Error cancelled as soon as the user interrupts.
Result<void> wait_until(std::chrono::steady_clock::time_point when);

}  // namespace kforge
