// One writer per run: a lock on <run>/.lock that the kernel releases when its holder dies.
// Internal to the store.
#pragma once

#include "kforge/util/fd.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

inline constexpr const char* k_lock_name = ".lock";

// Held as long as the descriptor is open. Held by another: Error usage that says by whom.
Result<Fd> lock_run(const fs::path& folder);

}  // namespace kforge
