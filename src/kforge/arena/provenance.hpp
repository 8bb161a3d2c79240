// Provenance: whether kernels of a candidate's own matter, by taking them away. The functions that its
// libraries offer are made to return at once; what the candidate gives back then was not theirs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kforge/arena/channel.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

// Where in an ELF file the functions begin that it offers to others; nothing for what is no such file.
std::vector<uint64_t> offered_functions(std::string_view image);

struct Disabled {
    size_t functions = 0;
    bool beyond_bounds = false;  // there is more to look at than kernels have: not all was done
};

// Makes each of them in the own libraries of a candidate's processes, which must stand still, return `value`.
// Errors: timeout, cancelled.
Result<Disabled> disable_own_functions(const std::vector<pid_t>& pids, const std::string& scratch,
                                       uint8_t value, Deadline deadline);

}  // namespace kforge
