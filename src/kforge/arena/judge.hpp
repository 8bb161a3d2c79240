// Judge: turns what was observed (a fault, a comparison) into a verdict by the rules of the policies. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "kforge/arena/player.hpp"
#include "kforge/arena/verdict.hpp"
#include "kforge/util/policy.hpp"

namespace kforge {

// How wrong most values of an output are, relative to their own size and the usual one: a `share` of them is
// no more wrong than that.
struct Spread {
    double share = 0;
    double error = 0;
    double eager_error = 0;
    double half_error = 0;
    double epsilon = 0;
};

// What the referee measured; the errors are those of one output.
struct Comparison {
    std::string outcome;  // pass, inputs (were changed), shape, dtype, values, non_finite
    std::string evidence;
    double error = 0;                 // against fp64, relative to the largest value
    double eager_error = 0;           // the same of the eager reference
    double half_error = 0;            // the same of the reference under fp16 autocast (policy mixed)
    double epsilon = 0;               // of the output's dtype
    std::string where = {};           // which value it is, where that may be asked
    bool stable = true;               // the error is of the size that a stable algorithm has
    bool bound = false;               // `error` is not the error, but not exceeded by it
    std::optional<Spread> spread;     // of all outputs and shares the one that is the furthest from its limit
    std::vector<double> shares = {};  // of the usual limit, for each output
};
Comparison comparison_from_json(const nlohmann::json& json, Precision precision);

// The largest error that the precision policy allows, and the factor and floor it comes from.
double error_limit(const Comparison& comparison, Precision precision);
double spread_limit(const Spread& spread, Precision precision);
// Under `accurate` that is the limit of a single comparison, which luck decides; what counts is this one, in
// the middle of all.
double usual_limit(double eager_error, double epsilon);

// `by_policy`: the precision policy applies (the problem's own and normal values); otherwise stability is
// asked for.
std::optional<Verdict> judge_comparison(const Comparison& comparison, const std::string& case_name,
                                        bool by_policy, Precision precision);

// `doing`: what it was asked to do, in words; `printed`: its standard output and error.
Verdict judge_fault(const Fault& fault, const std::string& doing, const std::string& printed,
                    const std::string& source);

}  // namespace kforge
