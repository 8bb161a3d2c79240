// A sweep before people: what they ask for, and what they see on a terminal. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "kforge/cli/status_line.hpp"
#include "kforge/report/sweep.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

// "1,4,8" as it is ordered; a usage error for anything that is no size or comes twice.
Result<std::vector<long>> parse_sizes(const std::string& text);

// "2.31x [2.25, 2.40], faster", or the verdict with its evidence.
std::string outcome_text(const SweepRow& row);

// One row per size: the medians of all sides, speedup, claim or verdict.
std::string sweep_table(const Sweep& sweep, size_t width, Look look);

// A bar per size for the speedup, with a mark at 1x. Empty when there is no speedup at all.
std::string sweep_bars(const Sweep& sweep, size_t width, Look look);

}  // namespace kforge
