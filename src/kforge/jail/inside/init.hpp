// The parent of a player: process 1 of its pid namespace (or, without one, a subreaper). It reaps, watches
// the memory and open files of all processes together, reports how the player ended, and takes everything
// down with it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#pragma GCC visibility push(hidden)
namespace kforge::jail {

struct InitTask {
    pid_t player = 0;
    int status_fd = -1;
    int lifeline = -1;                // -1: none
    uint64_t total_memory_bytes = 0;  // 0: not watched
    std::string file_table;
    bool own_pid_namespace = false;
};

[[noreturn]] void run_init(const InitTask& task);
[[noreturn]] void fail_init(int status_fd, int error);

// Closes everything but 'keep', which must be sorted.
void close_all_but(const int* keep, int count);

}  // namespace kforge::jail
#pragma GCC visibility pop
