// How results look to a person: tables and sentences from reports and evaluations. Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kforge/cli/status_line.hpp"
#include "kforge/report/summary.hpp"

namespace kforge {

// "1.52x [1.48, 1.57]", or "-" when there is none; of {"value","low","high"}.
std::string speedup_text(const nlohmann::json& interval);

// One evaluation in full: state, evidence, timings, error, generality.
std::string evaluation_text(const nlohmann::json& evaluation);

// A run: one row per iteration, then where the best kernel lies, what it cost and what to do next.
std::string report_text(const RunReport& report, size_t width, Look look);

// Several runs: one row each, then their geometric mean.
std::string summary_text(const Summary& summary, size_t width);

}  // namespace kforge
