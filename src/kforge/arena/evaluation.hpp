// Evaluation: all that the arena found out about one candidate, and its JSON forms.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kforge/arena/verdict.hpp"

namespace kforge {

struct Interval {
    double value = 0;
    double low = 0;
    double high = 0;
};

// One side of the interleaved timing: the candidate, or one baseline.
struct Series {
    std::string name;  // "candidate", "eager", "compile", "half_eager", "half_compile"
    double median_ms = 0;
    std::vector<double> samples_ms;
    double device_ms = 0;  // the median by the GPU's own events, as its process says; 0: not known
};

struct Timings {
    std::vector<Series> series;
    std::string baseline;                  // the faster of eager and compile
    std::optional<Interval> noise;         // the ratio of the baseline to itself, right after
    std::string same_permission_baseline;  // the fastest of all that had the candidate's permissions
    double overhead_ms = 0;                // the quickest answer there is, subtracted from every sample
    double doubt_ms = 0;                   // what an honest call takes besides, and a cheat might save
    int threads = 0;
    std::vector<int> processors;           // both sides ran on these; empty: wherever they liked
    double other_load = 0;                 // processors that were busy with other work meanwhile
    std::vector<Series> cold;              // the candidate and its baseline with empty caches
    std::optional<Interval> cold_speedup;  // in that state
    nlohmann::json device;                 // of a GPU: its clocks and temperature before and after
    std::vector<std::string> notes;        // e.g. that torch.compile failed and why
};

// How long the baselines take, without a candidate.
struct BaselineTimes {
    struct Side {
        std::string name;  // as in Series
        Interval ms;       // the median, with its 95 % interval
        std::vector<double> samples_ms;
    };
    std::vector<Side> sides;
    double overhead_ms = 0;  // message round trip, subtracted from every sample
    nlohmann::json device;   // clocks, temperature, power before and after, where it is a GPU
    std::vector<std::string> notes;
};

// Largest error against fp64, relative to the largest value of the output, worst of all cases.
struct ErrorReport {
    double candidate = 0;
    double eager = 0;
    double limit = 0;
    std::string policy;
    std::string worst_case;
};

struct GeneralityItem {
    std::string variation;  // "batch 1", "strides"
    std::string outcome;    // "pass", "fail", "crash", "not_applicable", "not_measured"
    std::string detail;
};

struct Phase {
    std::string name;
    double seconds = 0;
};

struct Evaluation {
    Verdict verdict;
    std::optional<Interval> speedup;                  // over the faster of eager and compile
    std::optional<Interval> same_permission_speedup;  // over the fastest baseline with the same permissions
    std::string claim;  // "faster", "slower", "no difference" (within the noise); empty without a speedup
    std::optional<Timings> timings;
    std::optional<ErrorReport> error;
    std::vector<GeneralityItem> generality;
    std::vector<Phase> phases;
    std::vector<std::string>
        open_promises;   // what the jail could not promise on this machine; "no jail" without one
    std::string output;  // what the candidate printed, sanitized and shortened
};

// {"state","reason","evidence","speedup","same_permission_speedup","error","generality","timings",...}
// as design.md fixes it; `guard` and `vet` are added by the caller that knows them.
nlohmann::json to_json(const Evaluation& evaluation);
Result<Evaluation> evaluation_from_json(const nlohmann::json& json);

}  // namespace kforge
