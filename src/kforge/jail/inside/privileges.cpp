// Gives up user, groups and capabilities, in the one order that works: what needs a capability first.
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "kforge/jail/inside/namespaces.hpp"
#include "kforge/jail/inside/state.hpp"

namespace kforge::jail {
namespace {

void bar_regaining() {
    if (!has_capability(CAP_SETPCAP)) return;
    for (int capability = 0; capability < 64; ++capability)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EINVAL) missing("PR_CAPBSET_DROP");
    constexpr unsigned long k_bits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP_LOCKED |
                                     SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                                     SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
    check(prctl(PR_SET_SECUREBITS, k_bits, 0, 0, 0), "PR_SET_SECUREBITS");
}

void change_user(const Jail& jail) {
    if (jail.own_user_namespace) return;
    if (!jail.may_change_user) throw Missing("not allowed to change the user, and no user namespace");
    check(setgroups(0, nullptr), "setgroups");
    check(setresgid(jail.gid, jail.gid, jail.gid), "setresgid");
    check(setresuid(jail.uid, jail.uid, jail.uid), "setresuid");
}

void drop_capabilities() {
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2] = {};
    check(syscall(SYS_capset, &header, none), "capset");
}

}  // namespace

void drop_privileges(Jail& jail) {
    auto& report = jail.report;
    report.attempt("capabilities", bar_regaining);
    report.attempt("user", [&] { change_user(jail); });
    try {
        drop_capabilities();
    } catch (const Missing& e) {
        report.set_missing("capabilities", e.what());
    }
    // The change of user made the process unreadable to itself in /proc; nobody else is here to read it.
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    report.attempt("no_new_privs",
                   [] { check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS"); });
    for (const auto& path : jail.config.readable)
        if (access(path.c_str(), R_OK) != 0 && errno == EACCES)
            report.note(path + " cannot be read by the player: its permissions keep other users out");
}

}  // namespace kforge::jail
