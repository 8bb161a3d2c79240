// Names of runs.
#pragma once

#include <string>
#include <string_view>

namespace kforge {

// "20261115-040102-softmax-cpu-cpp-1f3a": sorts by time (UTC), safe as a file name, different each time.
std::string new_run_id(std::string_view problem, std::string_view platform);

}  // namespace kforge
