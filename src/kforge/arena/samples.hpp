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

// Answers from a process that does nothing else, on any processor, the first, the last: which is the quickest
// depends on where kforge itself runs, and a player may be on any.
inline constexpr const char* k_echo = "echo";
inline constexpr const char* k_echo_first = "echo first";
inline constexpr const char* k_echo_last = "echo last";

using Samples = std::map<std::string, std::vector<double>>;

bool is_plain(const std::string& side);  // of the baselines without the permissions of `mixed`
bool is_any(const std::string& side);

// The baseline with the smallest median among those that `allowed` accepts and that ran in every round; empty
// when there is none.
std::string fastest(const Samples& samples, const std::function<bool(const std::string&)>& allowed);

// A baseline that another one of its kind beats clearly needs no more samples.
void retire_hopeless(const Samples& samples, std::vector<std::string>& sides, uint64_t seed);

// What of the wall time of a call is conversation. Nobody answers sooner than an echo. What an empty call
// takes beyond that is the interpreter's work, which a candidate may have replaced.
struct Overhead {
    double least_ms = 0;  // taken off every call: an echo, or on a GPU an empty call
    double doubt_ms = 0;  // the interpreter's work; none where there was no echo
    bool on_gpu = false;
};

Overhead overhead_of(const Samples& walls);  // from the calls of k_nothing and k_echo
// There the interpreter launches and waits, which takes as long as a small kernel, always the same: a call is
// told without it. The empty call launches an empty kernel, as every call must launch something: what that
// took by the GPU's own clock is no overhead.
Overhead overhead_on_gpu(const Samples& walls, double empty_kernel_ms);

// What is left of a call once its overhead is taken off; known no better than to a share of that.
double net_ms(double wall_ms, const Overhead& overhead);
Samples net(const Samples& walls, const Overhead& overhead);

// Of what is measured over a baseline that was so many times slower than before: by how much is not known
// well enough for a claim.
Interval allowing_for(const Interval& interval, double slowed);

// How many times as long as by the race the candidate takes, next to the baseline, where each has been called
// without the other: no claim rests on what only the baseline took more in the race. What caches make of it
// that both use is the same for both.
double slowed_alone(double raced_ms, double alone_ms, double baseline_raced_ms, double baseline_alone_ms);

// Longer or shorter by this, but something is left of each.
std::vector<double> plus(std::vector<double> values, double difference_ms);

// Where some inputs are far less work for a side than most: its samples, shorter by as much as its mean is
// below its median. What takes longer for once is noise, and does not count.
std::vector<double> as_in_the_mean(std::vector<double> values);

// The samples with what a side has waited taken off its own, but no more than `most_ms` in all: it may as
// well have waited for its own threads.
Samples without(const Samples& samples, const std::string& side, const std::vector<double>& waited_ms,
                double most_ms);

// How many times as fast as the baseline the candidate is. The interpreter's work around a call may differ by
// as much as it is, by chance or because a candidate has replaced it: that makes the interval wider.
Interval speedup_over(const std::string& baseline, const Samples& samples, const Overhead& overhead,
                      uint64_t seed);

// The same by the GPU's own events in place of the clock. A candidate's process can make these shorter, and
// then the clock counts; where they tell less of a speedup than the clock, so does this. Where they tell
// more, what the host takes beyond a launch counts all the same: a call is no quicker than that.
Interval agreed(const Interval& by_clock, const std::string& baseline, const Samples& samples,
                const Samples& device_ms, const Overhead& overhead, uint64_t seed);

// Whether more rounds would tell nothing new.
bool timed_enough(const Samples& samples, const Overhead& overhead, uint64_t seed);
// Whether a baseline's call is so short that no number of rounds tells how much faster another one is.
bool is_in_doubt(double baseline_ms, const Overhead& overhead);

std::vector<Series> series_of(const Samples& samples);

}  // namespace kforge
