// Mappings: whose pages lie where in the memory of a process, as the kernel tells it. Nothing that the
// process says is asked.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace kforge {

// What addresses of a process show: its own memory, pages of one of the `files` in question, or pages of
// another file as a private copy. That one is made page by page, by whoever writes there: what is only looked
// at was never stored, and the same page can be shown many times over without that anybody's writing tells.
enum class Shown { own_memory, files, copy_to_be_made };

// An address of its own proves nothing: a process can map the same pages once more, in any order. Kernels
// before 6.11 cannot be asked for single mappings, and tell all of them: as they do without `ask`.
Shown what_is_shown(pid_t pid, uint64_t address, size_t size, const std::vector<int>& files, bool ask = true);

// Where between these addresses it has memory that is of no file, and that nobody shares: first and end of
// each.
std::vector<std::pair<uint64_t, uint64_t>> private_memory(pid_t pid, uint64_t address, uint64_t end);

}  // namespace kforge
