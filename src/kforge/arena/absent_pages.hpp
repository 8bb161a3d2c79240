// Pages of a stopped process that it has set aside but not made yet, be they the kernel's zeros for whoever
// only looks: the first who writes to them has to wait.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace kforge {

// Makes those of a part of its memory, and tells how long that took; 0 where none is absent, or where
// processes may not write to each other's memory. Nothing where the process itself could not write to one.
std::optional<double> absent_pages_ms(pid_t pid, uint64_t address, size_t size);

}  // namespace kforge
