// Pages of a stopped process that it has set aside but not made yet: the first who looks at them has to wait.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace kforge {

// Looks at those of a part of its memory, and tells how long that took; 0 where none is absent.
double absent_pages_ms(pid_t pid, uint64_t address, size_t size);

}  // namespace kforge
