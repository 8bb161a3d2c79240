// Statistics on paired samples: medians, ratios and their bootstrap intervals. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kforge/arena/evaluation.hpp"

namespace kforge {

double median(std::vector<double> values);       // values must not be empty
double mean(const std::vector<double>& values);  // likewise

// The median ratio of baseline[i] / candidate[i], with a 95 % bootstrap interval. Samples are paired: taken
// in the same round on the same inputs. Deterministic for a given seed.
Interval ratio_interval(const std::vector<double>& baseline, const std::vector<double>& candidate,
                        uint64_t seed, int resamples = 1000);

// What may be said of a speedup, given the ratio that equals showed in the same session: "faster" or "slower"
// only where the whole interval is outside the noise, otherwise "no difference".
std::string claim(const Interval& speedup, const Interval& noise);

// Of an `open_width`: what a call takes is shorter than what is not known of it.
inline constexpr double k_all_in_doubt = 1;

// Whether more rounds would tell less than they cost: the interval is narrow, or the candidate is clearly
// slower than its baseline, and nobody asks how much. `open_width`: what no number of rounds would make
// narrower, as a share of the ratio.
bool is_timed_enough(const Interval& ratio, size_t rounds, double open_width = 0);

}  // namespace kforge
