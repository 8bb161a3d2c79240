/* The jail of a player, as a plain C interface (libkforge_jail.so). A trusted, single-threaded process forks
 * a player with kf_jail_fork; the player calls kf_jail_enter on itself before it loads a line of untrusted
 * code. Knows nothing of Python, candidates or protocols. Not thread-safe. Works as root and, where user
 * namespaces are allowed, as an ordinary user; a layer that is missing is reported, with the promise that it
 * leaves open.
 */
#ifndef KFORGE_JAIL_H
#define KFORGE_JAIL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KF_JAIL_API __attribute__((visibility("default")))

enum kf_jail_reason {
    KF_JAIL_ENDED = 0,         /* value: a wait status, see waitpid(2) */
    KF_JAIL_OUT_OF_MEMORY = 1, /* killed: all its processes together passed total_memory_bytes */
    KF_JAIL_FAILED = 2,        /* the player could not be started; value: errno */
    KF_JAIL_OUT_OF_FILES =
        3 /* killed: the machine's table of open files fills up, and they hold much of it */
};

/* One record, written to the status descriptor when the player ended. End of file without a record: the init
 * process itself was killed (its own wait status says how). */
struct kf_jail_status {
    int32_t reason;
    int32_t value;
};

/* Forks an init process into new namespaces and the player below it. Returns 0 in the player; in the caller
 * the process id of init, which is to be waited for, or -1 (see kf_jail_error). Killing init, or closing
 * *status_fd, ends the player and all that descends from it; they are gone when waiting for init returns.
 * Init passes the exit code of the player on as its own (128 + signal when killed).
 *
 * config is a JSON object; every member is optional:
 *   mode                  "auto" (default) or "require": kf_jail_enter fails when a promise is not kept
 *   readable              paths to be seen read-only, besides the system's own (/usr, /etc, /opt, ...)
 *   hidden                paths that must not be seen although they lie below a readable one
 *   devices               device files to be seen, besides null, zero, full, random and urandom
 *   scratch               where the private, writable folder appears (/tmp); it is the working directory
 *   fallback_scratch      an existing folder that takes its place where mounting is not allowed; given to the
 * player scratch_bytes, scratch_files, shm_bytes   limits of the scratch and of /dev/shm uid user and group
 * id of the player when the caller may change it: one per player alive memory_bytes          address space of
 * each process; 0: no limit total_memory_bytes    memory of all processes of the player together; 0: no limit
 *   file_table            where it is told how many files the machine has open (/proc/sys/fs/file-nr)
 *   processes, open_files, file_bytes, cpu_seconds   resource limits; 0: no limit
 *   descriptors           what stays open, besides 0, 1 and 2
 *   output                becomes descriptors 1 and 2; without it they lead to /dev/null
 *   lifeline              a pipe or socket: when its other end is closed, the player is ended too
 */
KF_JAIL_API pid_t kf_jail_fork(const char* config, int* status_fd);

/* In the caller, when init has been waited for. Returns 1 where the kernel has ended a process of that player
 * because it would have passed the limit of its control group, else 0. */
KF_JAIL_API int kf_jail_forget(pid_t init);

/* In the player: gives up everything else, for good. Writes {"layers": {name: "ok" | "missing: why"},
 * "broken": [{"promise", "why"}], "notes": [...], "scratch": path} to report. Returns 0, or -1 when the
 * process must end instead of running untrusted code. */
KF_JAIL_API int kf_jail_enter(char* report, size_t size);

/* What kf_jail_enter would report on this machine for this configuration, found out by a throwaway player. */
KF_JAIL_API int kf_jail_probe(const char* config, char* report, size_t size);

/* Why the last call returned -1. */
KF_JAIL_API const char* kf_jail_error(void);

#ifdef __cplusplus
}
#endif
#endif
