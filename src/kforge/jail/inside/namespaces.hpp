// Which namespaces this machine lets us create, and the call that creates them.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

#pragma GCC visibility push(hidden)
namespace kforge::jail {

struct Namespaces {
    unsigned flags = 0;                          // for clone_process
    bool user = false;                           // flags include a user namespace
    std::map<std::string, std::string> missing;  // layer: why
};

// Tried once with throwaway children, then remembered.
const Namespaces& available_namespaces();

// Like fork, without the handlers that fork runs: the child runs our code only until it forks again. A child
// with a user namespace must call map_user first.
pid_t clone_process(unsigned flags);

// Makes the caller appear as uid and gid in the user namespace it was cloned into. Returns 0 or an errno.
int map_user(uid_t outer_uid, gid_t outer_gid, uid_t uid, gid_t gid);

bool has_capability(int capability);

}  // namespace kforge::jail
#pragma GCC visibility pop
