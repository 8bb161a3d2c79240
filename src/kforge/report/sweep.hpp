// Sweep: one candidate and its baselines timed at several sizes of a problem, and the two forms that a
// program takes it in: JSON and a picture. Knows evaluations by their JSON only. Pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kforge {

struct Ratio {
    double value = 0;
    double low = 0;  // of the 95 % interval
    double high = 0;
};

// What was found at one size. A size that the reference itself does not accept has no state.
struct SweepRow {
    long size = 0;
    std::string state;                                       // of the verdict
    std::string reason;                                      // empty for a correct candidate
    std::string evidence;                                    // why there is no speedup
    std::string claim;                                       // "faster", "slower", "no difference"
    std::vector<std::pair<std::string, double>> medians_ms;  // by side: baselines first, the candidate last
    std::optional<Ratio> speedup;                            // over the faster of eager and torch.compile
    std::optional<Ratio> same_permission_speedup;            // where that baseline is another one
    nlohmann::json evaluation;                               // all of it

    std::optional<double> median_ms(const std::string& side) const;
    bool is_measured() const { return !state.empty(); }
    bool is_correct() const { return state == "correct"; }
};

struct Sweep {
    std::string candidate;
    std::string problem;
    std::string platform;
    std::string axis;  // what the sizes are: "leading size", or the name of a constant
    std::vector<SweepRow> rows;

    std::vector<std::string> sides() const;  // of all rows, in the order of a row
};

SweepRow sweep_row(long size, nlohmann::json evaluation);
SweepRow refused_size(long size, const std::string& evidence);

// {"candidate","problem","platform","axis","sizes":[{"size", and all of an evaluation}]}
nlohmann::json to_json(const Sweep& sweep);

// How a side is called before people.
std::string side_name(const std::string& side);

// A picture of its own, without scripts or fonts from elsewhere: times above, speedups with intervals below.
std::string sweep_svg(const Sweep& sweep);

}  // namespace kforge
