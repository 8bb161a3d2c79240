// What the terminal says about a run while it goes on, as pure functions of what is known.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "kforge/forge/observer.hpp"

namespace kforge {

struct Status {
    std::string label;  // of a run among others; empty: there is only one
    int iteration = 0;  // 0: the run has not come to one yet
    int total = 0;
    std::string phase;
    size_t received = 0;  // bytes of the LLM's answer so far in this phase
    std::chrono::seconds elapsed{0};
    std::optional<double> best;  // speedup
    long tokens = 0;             // of all LLM calls so far
    double usd = 0;
};

struct Look {
    bool color = false;
    bool utf8 = true;
};

// "⠹ iteration 3/5 · building · 0:42 · best 1.84x", at most `width` columns; `frame` turns the spinner.
std::string render_status(const Status& status, size_t frame, size_t width, Look look);

// "2/5  optimization  correct  1.84x [1.79, 1.90]  best"; at most `width` columns, 0: does not matter.
std::string render_iteration(const IterationSummary& summary, size_t width, Look look);

// "2/5  analysis      Vectorize the inner loop", within the width too.
std::string render_recommendation(int iteration, int total, const std::string& title, size_t width);

// The colour that tells good states from bad ones; the text as it is when there are no colours.
std::string paint_state(State state, std::string text, Look look);

std::string render_speedup(const Interval& speedup);       // "1.84x [1.79, 1.90]"
std::string render_elapsed(std::chrono::seconds elapsed);  // "0:07", "1:02:03"

}  // namespace kforge
