// Hooks: the user's programs, called after each evaluation. They get the evaluation as JSON on standard input
// (with "iteration", "run_directory" and "candidate", the path of its file or null), and print a JSON object
// of named numbers, of which `score` may rank candidates, or nothing. A hook that fails or hangs is a result
// with a failure, never an error of the run.
#pragma once

#include <string>
#include <vector>

#include "kforge/forge/record.hpp"

namespace kforge {

// An Error only for an interrupt.
Result<std::vector<HookResult>> run_hooks(const std::vector<std::string>& programs, double timeout_s,
                                          const fs::path& run_directory, const IterationRecord& record);

}  // namespace kforge
