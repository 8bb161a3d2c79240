// RunObserver: how a run tells the world where it is. The forge calls it, the terminal (or a web page, or a
// test) implements what it cares about. Calls may come from several threads at once; they must return soon
// and must not throw.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kforge/arena/evaluation.hpp"
#include "kforge/arena/verdict.hpp"

namespace kforge {

struct IterationSummary {
    int iteration = 0;
    int total = 0;
    std::string pass;  // "functional" or "optimization"
    State state = State::correct;
    std::optional<Reason> reason;
    std::optional<Interval> speedup;
    bool best = false;     // it is now the best of the run
    std::string evidence;  // the first line
};

class RunObserver {
  public:
    virtual ~RunObserver() = default;
    // What is being done now: "asking the LLM", "building", "timing".
    virtual void on_phase(int /*iteration*/, int /*total*/, std::string_view /*phase*/) {}
    // Something worth a line: a warning, a hook that failed, a note of the evaluation.
    virtual void on_note(std::string_view /*text*/) {}
    virtual void on_llm_text(std::string_view /*chunk*/) {}
    virtual void on_llm_restart() {}  // what came is void: the answer begins anew
    // What the LLMs of this run have used so far.
    virtual void on_usage(long /*tokens*/, double /*usd*/) {}
    virtual void on_iteration_done(const IterationSummary& /*summary*/) {}
    // What the analysis agent advises after this iteration: the first line.
    virtual void on_recommendation(int /*iteration*/, int /*total*/, std::string_view /*title*/) {}
};

}  // namespace kforge
