// The mount system calls that older C libraries do not declare.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

// The numbers are the same on every architecture.
#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#ifndef SYS_move_mount
#define SYS_move_mount 429
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

namespace kforge::jail {

constexpr uint64_t k_mount_rdonly = 1;
constexpr uint64_t k_mount_nosuid = 2;
constexpr uint64_t k_mount_nodev = 4;
constexpr uint64_t k_mount_noexec = 8;
constexpr unsigned k_at_empty_path = 0x1000;
constexpr unsigned k_at_recursive = 0x8000;

// A detached copy of the tree of mounts at `path`.
inline long open_tree_copy(const char* path) {
    constexpr unsigned k_open_tree_clone = 1;
    return syscall(SYS_open_tree, AT_FDCWD, path, k_open_tree_clone | k_at_recursive | O_CLOEXEC);
}

inline long move_mount_to(int tree, const char* path) {
    constexpr unsigned k_move_mount_f_empty_path = 4;
    return syscall(SYS_move_mount, tree, "", AT_FDCWD, path, k_move_mount_f_empty_path);
}

inline long set_mount_attributes(int dir, const char* path, unsigned flags, uint64_t attributes) {
    struct {
        uint64_t set, clear, propagation, userns_fd;
    } change = {attributes, 0, 0, 0};
    return syscall(SYS_mount_setattr, dir, path, flags, &change, sizeof change);
}

}  // namespace kforge::jail
