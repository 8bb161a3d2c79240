#include "kforge/arena/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "kforge/util/errors.hpp"

namespace kforge {
namespace {

constexpr size_t k_first_look = 7;
constexpr size_t k_least_rounds = 10;  // of fewer, 95 % intervals hold the truth less often than of many
constexpr size_t k_patient_rounds = 25;
constexpr double k_narrow_width = 0.04;
constexpr double k_share_of_effect = 0.1;
constexpr double k_rough_width = 0.5;
constexpr double k_clearly_slower = 0.9;

}  // namespace

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
    if (values.empty()) throw InternalError("the median of no samples");
    const size_t middle = values.size() / 2;
    std::nth_element(values.begin(), values.begin() + middle, values.end());
    const double upper = values[middle];
    if (values.size() % 2 == 1) return upper;
    return (upper + *std::max_element(values.begin(), values.begin() + middle)) / 2;
}

Interval ratio_interval(const std::vector<double>& baseline, const std::vector<double>& candidate,
                        uint64_t seed, int resamples) {
    if (baseline.size() != candidate.size() || baseline.empty())
        throw InternalError("unpaired timing samples");
    const size_t n = baseline.size();
    std::vector<double> logs(n);
    for (size_t i = 0; i < n; ++i) logs[i] = std::log(baseline[i] / candidate[i]);

    std::mt19937_64 random(seed);
    std::uniform_int_distribution<size_t> pick(0, n - 1);
    std::vector<double> medians(static_cast<size_t>(resamples));
    std::vector<double> draw(n);
    for (double& value : medians) {
        for (double& x : draw) x = logs[pick(random)];
        value = median(draw);
    }
    std::sort(medians.begin(), medians.end());
    const auto quantile = [&](double q) { return medians[static_cast<size_t>(q * (medians.size() - 1))]; };
    return Interval{std::exp(median(logs)), std::exp(quantile(0.025)), std::exp(quantile(0.975))};
}

std::string claim(const Interval& speedup, const Interval& noise) {
    const double margin = std::max({noise.high, 1 / noise.low, 1.0});
    if (speedup.low > margin) return "faster";
    if (speedup.high < 1 / margin) return "slower";
    return "no difference";
}

bool is_timed_enough(const Interval& ratio, size_t rounds, double open_width) {
    const double width = (ratio.high - ratio.low) / ratio.value;
    if (rounds >= k_first_look && ratio.high < k_clearly_slower) return width < k_rough_width;
    // No number of rounds tells what a call takes that is shorter than what is not known of it.
    if (rounds >= k_first_look && open_width > k_all_in_doubt) return width < open_width;
    if (rounds < k_least_rounds) return false;
    // 1.02 wants another precision than 3. And noise falls with the square root of the rounds only: the
    // longer it takes, the less is asked for.
    const double wanted =
        std::max({k_narrow_width, k_share_of_effect * std::abs(std::log(ratio.value)), open_width});
    const double patience = std::max(1.0, static_cast<double>(rounds) / k_patient_rounds);
    return width < wanted * patience * patience;
}

}  // namespace kforge
