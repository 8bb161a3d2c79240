#include "kforge/arena/samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kforge/arena/statistics.hpp"

namespace kforge {
namespace {

constexpr double k_resolution = 0.25;
constexpr double k_gpu_resolution =
    0.01;                              // an empty call takes half a millisecond there, but always the same
constexpr double k_least_left = 0.01;  // of a baseline's call, once doubts are taken off
constexpr double k_hopeless = 1.25;    // times slower than the fastest baseline, for certain
constexpr double k_light = 0.5;        // of the median: no noise is as short
constexpr double k_even = 0.9;         // of the median: what the mean of calls that are alike is, at least

double quickest_answer_ms(const Samples& walls, double empty_ms) {
    double least_ms = empty_ms;
    for (const auto& [side, values] : walls)
        if (side.starts_with(k_echo)) least_ms = std::min(least_ms, median(values));
    return least_ms;
}

// Of the interval of a speedup, relative to it: what the overhead leaves open.
double open_width(double baseline_ms, const Overhead& overhead) {
    return 2 * overhead.doubt_ms / baseline_ms;
}

}  // namespace

std::vector<double> plus(std::vector<double> values, double difference_ms) {
    for (double& ms : values) ms = std::max(ms + difference_ms, k_least_left * ms);
    return values;
}

std::vector<double> as_in_the_mean(std::vector<double> values) {
    const double median_ms = median(values);
    double total_ms = 0;
    for (const double ms : values) total_ms += std::min(ms, median_ms);
    if (median_ms <= 0) return values;
    const auto size = static_cast<double>(values.size());
    double share = total_ms / (median_ms * size);
    // Of what is met once in a few rounds there may be several times as much.
    const auto light = static_cast<double>(
        std::count_if(values.begin(), values.end(), [&](double ms) { return ms < k_light * median_ms; }));
    const double most_light = std::min(1.0, (light + 2 * std::sqrt(light) + 1) / size);
    if (light > 0) share = std::min(share, 1 - (1 - k_light) * most_light);
    if (share > k_even) return values;
    for (double& ms : values) ms *= share;
    return values;
}

std::string fastest(const Samples& samples, const std::function<bool(const std::string&)>& allowed) {
    std::string best;
    double best_ms = 0;
    for (const auto& [name, values] : samples) {
        if (name == k_candidate || !allowed(name)) continue;
        if (values.size() != samples.at(k_candidate).size()) continue;
        const double ms = median(values);
        if (best.empty() || ms < best_ms) {
            best = name;
            best_ms = ms;
        }
    }
    return best;
}

bool is_plain(const std::string& side) {
    return !side.starts_with("half_");
}

bool is_any(const std::string&) {
    return true;
}

void retire_hopeless(const Samples& samples, std::vector<std::string>& sides, uint64_t seed) {
    std::erase_if(sides, [&](const std::string& side) {
        if (side == k_candidate) return false;
        const std::string best = fastest(samples, is_plain(side) ? is_plain : is_any);
        if (best.empty() || best == side) return false;
        return ratio_interval(samples.at(side), samples.at(best), seed, 200).low > k_hopeless;
    });
}

double net_ms(double wall_ms, const Overhead& overhead) {
    const double resolution = overhead.on_gpu ? k_gpu_resolution : k_resolution;
    return std::max(wall_ms - overhead.least_ms, resolution * overhead.least_ms);
}

Overhead overhead_of(const Samples& walls) {
    const double empty_ms = median(walls.at(k_nothing));
    const double least_ms = quickest_answer_ms(walls, empty_ms);
    return {least_ms, empty_ms - least_ms, false};
}

Overhead overhead_on_gpu(const Samples& walls, double empty_kernel_ms) {
    const double empty_ms = median(walls.at(k_nothing)) - empty_kernel_ms;
    return {empty_ms, empty_ms - quickest_answer_ms(walls, empty_ms), true};
}

Samples net(const Samples& walls, const Overhead& overhead) {
    Samples samples;
    for (const auto& [side, values] : walls)
        if (side != k_nothing && !side.starts_with(k_echo))
            for (const double wall_ms : values) samples[side].push_back(net_ms(wall_ms, overhead));
    return samples;
}

Interval allowing_for(const Interval& interval, double slowed) {
    return {interval.value / slowed, std::min(interval.low / slowed, 1.0), interval.high};
}

double slowed_alone(double raced_ms, double alone_ms, double baseline_raced_ms, double baseline_alone_ms) {
    return alone_ms / raced_ms * baseline_raced_ms / baseline_alone_ms;
}

Samples without(const Samples& samples, const std::string& side, const std::vector<double>& waited_ms,
                double most_ms) {
    const double total_ms = std::accumulate(waited_ms.begin(), waited_ms.end(), 0.0);
    const double share = total_ms > most_ms ? most_ms / total_ms : 1;
    Samples rest = samples;
    std::vector<double>& values = rest.at(side);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = std::max(values[i] - share * waited_ms.at(i), k_least_left * values[i]);
    return rest;
}

Interval speedup_over(const std::string& baseline, const Samples& samples, const Overhead& overhead,
                      uint64_t seed) {
    const std::vector<double>&candidate = samples.at(k_candidate), &other = samples.at(baseline);
    const double doubt_ms = overhead.doubt_ms;
    const Interval certain = ratio_interval(other, candidate, seed);
    // Of a call that is told without the interpreter's work none can be taken off: the candidate may have had
    // none.
    const Interval least = overhead.on_gpu ? ratio_interval(other, plus(candidate, doubt_ms), seed)
                                           : ratio_interval(plus(other, -doubt_ms), candidate, seed);
    return {certain.value, least.low, ratio_interval(plus(other, doubt_ms), candidate, seed).high};
}

Interval agreed(const Interval& by_clock, const std::string& baseline, const Samples& samples,
                const Samples& device_ms, const Overhead& overhead, uint64_t seed) {
    const std::vector<double>&candidate = device_ms.at(k_candidate), &other = device_ms.at(baseline);
    const auto told = [](const std::vector<double>& values) {
        return std::all_of(values.begin(), values.end(), [](double ms) { return ms > 0; });
    };
    if (!told(candidate) || !told(other)) return by_clock;
    const Interval by_events = ratio_interval(other, candidate, seed);
    // A launch may take as much longer by chance as it takes.
    const double launch_ms = overhead.least_ms + overhead.doubt_ms;
    const double host_ms = median(samples.at(k_candidate)) - median(candidate);
    const Interval with_host =
        ratio_interval(other, plus(candidate, std::max(host_ms - launch_ms, 0.0)), seed);
    return {std::min(by_clock.value, by_events.value), std::min(by_clock.low, by_events.low),
            std::max(by_clock.high, with_host.high)};
}

bool timed_enough(const Samples& samples, const Overhead& overhead, uint64_t seed) {
    const std::string name = fastest(samples, is_any);
    if (name.empty()) return true;
    const std::vector<double>&candidate = samples.at(k_candidate), &baseline = samples.at(name);
    return is_timed_enough(ratio_interval(baseline, candidate, seed, 200), candidate.size(),
                           open_width(median(baseline), overhead));
}

bool is_in_doubt(double baseline_ms, const Overhead& overhead) {
    return open_width(baseline_ms, overhead) > k_all_in_doubt;
}

std::vector<Series> series_of(const Samples& samples) {
    std::vector<Series> series;
    for (const auto& [name, values] : samples) series.push_back(Series{name, median(values), values, 0});
    return series;
}

}  // namespace kforge
