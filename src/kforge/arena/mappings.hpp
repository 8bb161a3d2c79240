// Mappings: whose pages lie where in the memory of a process, as the kernel tells it. Nothing that the
// process says is asked.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace kforge {

// Whether any of these addresses of a process shows pages of one of the open `files`. An address of its own
// proves nothing: a process can map the same pages once more, in any order.
bool is_mapped_from(pid_t pid, uint64_t address, size_t size, const std::vector<int>& files);

}  // namespace kforge
