// Whose kernels run on a GPU, told by their names. The names come from the player's own profile: this finds
// candidates that leave the work to a library, not those that take pains to hide it.
#pragma once

#include <string>
#include <vector>

#include "kforge/arena/sampler.hpp"

namespace kforge {

struct DeviceKernel {
    std::string name;
    double us = 0;  // in all calls
};

// In tenths of a microsecond: kernels of PyTorch and of NVIDIA's and AMD's libraries are `library`.
Work work_of(const std::vector<DeviceKernel>& kernels);

}  // namespace kforge
