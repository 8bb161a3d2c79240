// The profile of an iteration's candidate: taken once, kept in its folder (profile/profile.txt, image-1.png,
// ...), read from there ever after.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kforge/profile/profiler.hpp"
#include "kforge/store/run_directory.hpp"

namespace kforge {

using TakeProfile = std::function<Result<Profile>(std::vector<std::string>& notes)>;

// Nothing where no profiler gave one; `notes` says why. An Error where the run cannot go on.
Result<std::optional<Profile>> profile_of(RunDirectory& run, int iteration, const TakeProfile& take,
                                          std::vector<std::string>& notes);

}  // namespace kforge
