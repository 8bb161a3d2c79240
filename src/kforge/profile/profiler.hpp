// Profilers: what the analysis agent reads. One file and one row in profiler.cpp each; a platform names those
// it wants in order of preference. A profiler that is not there is skipped with a note, never an error of the
// run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

struct Profile {
    std::string profiler;
    std::string text;
    std::vector<fs::path> images;  // PNG
};

// The ways in which a profiler can get at a running candidate.
struct ProfileTarget {
    // Runs it in a player under the profiler that PyTorch brings along; the table.
    std::function<Result<std::string>()> torch_table;
};

struct ProfilerRow {
    std::string name;
    std::string help;
    Result<Profile> (*take)(const ProfileTarget& target);
};

const std::vector<ProfilerRow>& profiler_table();

// The first profiler of `preferred` that gives a profile; `notes` says why others did not.
Result<Profile> take_profile(const std::vector<std::string>& preferred, const ProfileTarget& target,
                             std::vector<std::string>& notes);

}  // namespace kforge
