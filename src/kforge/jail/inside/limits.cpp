// Descriptors and resource limits of a player.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "kforge/jail/inside/init.hpp"
#include "kforge/jail/inside/state.hpp"

namespace kforge::jail {
namespace {

void limit(__rlimit_resource resource, uint64_t value, const char* name) {
    rlimit now;
    check(getrlimit(resource, &now), name);
    // An ordinary user cannot raise the hard limit: one that is lower already is kept.
    const rlim_t wanted = std::min<rlim_t>(value, now.rlim_max);
    const rlimit next = {wanted, wanted};
    check(setrlimit(resource, &next), name);
}

void limit_unless_zero(__rlimit_resource resource, uint64_t value, const char* name) {
    if (value > 0) limit(resource, value, name);
}

// RLIMIT_NPROC counts all processes of a user; since Linux 5.14 those of one user namespace only.
bool counts_per_user_namespace() {
    utsname system;
    int major = 0;
    int minor = 0;
    return uname(&system) == 0 && std::sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
           (major > 5 || (major == 5 && minor >= 14));
}

}  // namespace

void close_descriptors(Jail& jail) {
    const int null = static_cast<int>(check(open("/dev/null", O_RDWR), "open /dev/null"));
    const int output = jail.config.output >= 0 ? jail.config.output : null;
    check(dup2(null, 0), "standard input");
    check(dup2(output, 1), "standard output");
    check(dup2(output, 2), "standard error");
    std::vector<int> keep = {0, 1, 2};
    keep.insert(keep.end(), jail.config.descriptors.begin(), jail.config.descriptors.end());
    std::sort(keep.begin(), keep.end());
    close_all_but(keep.data(), static_cast<int>(keep.size()));
}

void limit_resources(Jail& jail) {
    const auto& config = jail.config;
    jail.report.attempt("limits", [&] {
        // One byte: a dump to a file would be larger, and one to a program is given up with just this limit.
        limit(RLIMIT_CORE, 1, "RLIMIT_CORE");
        limit(RLIMIT_MSGQUEUE, 0, "RLIMIT_MSGQUEUE");
        limit(RLIMIT_RTPRIO, 0, "RLIMIT_RTPRIO");
        limit_unless_zero(RLIMIT_FSIZE, config.file_bytes, "RLIMIT_FSIZE");
        limit_unless_zero(RLIMIT_NOFILE, config.open_files, "RLIMIT_NOFILE");
        limit_unless_zero(RLIMIT_CPU, config.cpu_seconds, "RLIMIT_CPU");
    });
    jail.report.attempt("memory", [&] {
        if (config.memory_bytes == 0) throw Missing("no limit was asked for");
        limit(RLIMIT_AS, config.memory_bytes, "RLIMIT_AS");
    });
    jail.report.attempt("processes", [&] {
        if (config.processes == 0) throw Missing("no limit was asked for");
        if (!jail.may_change_user && !(jail.own_user_namespace && counts_per_user_namespace()))
            throw Missing("the kernel would count all processes of the user");
        limit(RLIMIT_NPROC, config.processes, "RLIMIT_NPROC");
    });
}

}  // namespace kforge::jail
