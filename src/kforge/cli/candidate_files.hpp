// Candidates as files that a user names. Throw Fatal when one cannot be read.
#pragma once

#include "kforge/arena/arena.hpp"
#include "kforge/forge/run_config.hpp"

namespace kforge {

std::string read_candidate(const std::string& path);
// With the auxiliary code of the settings.
Submission as_submission(const std::string& candidate, const RunConfig& config);

}  // namespace kforge
