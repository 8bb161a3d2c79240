// Samples: what the sides of a race took, round by round, and what follows from it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kforge/arena/evaluation.hpp"

namespace kforge {

inline constexpr const char* k_candidate = "candidate";
inline constexpr const char* k_nothing = "nothing";  // an empty call in the baseline's process

using Samples = std::map<std::string, std::vector<double>>;

bool is_plain(const std::string& side);  // of the baselines without the permissions of `mixed`
bool is_any(const std::string& side);

// The baseline with the smallest median among those that `allowed` accepts and that ran in every round; empty
// when there is none.
std::string fastest(const Samples& samples, const std::function<bool(const std::string&)>& allowed);

// Whether more rounds would tell nothing new.
bool timed_enough(const Samples& samples, uint64_t seed);

// A baseline that another one of its kind beats clearly needs no more samples.
void retire_hopeless(const Samples& samples, std::vector<std::string>& sides, uint64_t seed);

// What is left of a call once an empty one is taken off; known no better than to a share of that.
double net_ms(double wall_ms, double overhead_ms, bool on_gpu);

std::vector<Series> series_of(const Samples& samples);

}  // namespace kforge
