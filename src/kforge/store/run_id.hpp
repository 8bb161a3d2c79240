// Names of runs, and where runs are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kforge/util/fs.hpp"

namespace kforge {

// "20261115-040102-softmax-cpu-cpp-1f3a": sorts by time (UTC), safe as a file name, different each time.
std::string new_run_id(std::string_view problem, std::string_view platform);

// The run directories at or below `folder`, the last started first. Whatever is no run is passed over.
std::vector<fs::path> find_runs(const fs::path& folder);

}  // namespace kforge
