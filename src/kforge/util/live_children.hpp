// The children of this process that somebody owns, so that orphans which fell to it can be told from them.
// Internal to process.hpp. Thread-safe: a pid enters and leaves the list in the same step in which the kernel
// creates or forgets it, so a reused pid is never mistaken.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>

namespace kforge {

// Calls `fork_child` (which returns a pid, or a negative errno) and lists the pid.
pid_t start_listed(const std::function<pid_t()>& fork_child);

// Lists a child that was there before.
void list_child(pid_t pid);

bool is_listed(pid_t pid);

// The wait status of an ended child, which is then reaped and no longer listed; nothing while it runs.
// A child that somebody else reaped counts as killed.
std::optional<int> reap_listed(pid_t pid);

}  // namespace kforge
