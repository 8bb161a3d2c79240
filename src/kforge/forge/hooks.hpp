// Hooks: the user's programs, called after each evaluation. They get the evaluation as JSON on standard input
// and the run directory in KFORGE_RUN_DIR, and print a JSON object of named numbers, of which `score` may
// rank candidates. A hook that fails or hangs is a result with a failure, never an error of the run.
#pragma once

#include <string>
#include <vector>

#include "kforge/forge/record.hpp"

namespace kforge {

// An Error only for an interrupt.
Result<std::vector<HookResult>> run_hooks(const std::vector<std::string>& programs, double timeout_s,
                                          const fs::path& run_directory, const IterationRecord& record);

}  // namespace kforge
