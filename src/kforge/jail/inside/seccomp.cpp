// The system call filter: a list of what no honest candidate needs, everything newer than the list,
// namespaces and every socket family but AF_UNIX (AF_VSOCK, for one, knows no network namespace).
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

#include "kforge/jail/inside/state.hpp"

namespace kforge::jail {
namespace {

#if defined(__x86_64__)
constexpr uint32_t k_arch = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t k_arch = AUDIT_ARCH_AARCH64;
#else
#error "the system call filter knows x86_64 and aarch64"
#endif

// Calls with higher numbers (and those of the x32 interface) do not exist for a player: programs that use
// them have to cope with older kernels anyway. 450 is set_mempolicy_home_node of Linux 5.17.
constexpr uint32_t k_last_known_call = 450;

constexpr uint32_t k_socket_type = 0xf;  // the rest are flags

constexpr int k_not_permitted[] = {
    // other processes
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    438 /* pidfd_getfd */,
    440 /* process_madvise */,
    448 /* process_mrelease */,
    // keys, programs and events of the kernel
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_fanotify_init,
    // namespaces and mounts
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    428 /* open_tree */,
    429 /* move_mount */,
    430 /* fsopen */,
    431 /* fsconfig */,
    432 /* fsmount */,
    433 /* fspick */,
    442 /* mount_setattr */,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_quotactl,
    443 /* quotactl_fd */,
    // the machine
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_syslog,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_vhangup,
    SYS_nfsservctl,
    SYS_lookup_dcookie,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#if defined(__x86_64__)
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_uselib,
    SYS_ustat,
    SYS_sysfs,
    SYS__sysctl,
    SYS_create_module,
    SYS_get_kernel_syms,
    SYS_query_module,
#endif
};

// Programs fall back to something else when these do not exist. Memory of memfd, SysV and POSIX queues
// escapes the limits; clone3 hides its flags from a filter; io_uring does what the filter forbids.
constexpr int k_not_there[] = {
    435 /* clone3 */,
    SYS_memfd_create,
    447 /* memfd_secret */,
    425 /* io_uring_setup */,
    426 /* io_uring_enter */,
    427 /* io_uring_register */,
    // Threads of the kernel do what is asked for here, also when the player has been stopped.
    SYS_io_setup,
    SYS_io_submit,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    // A timer can be told to send SIGCONT: a player that was stopped would wake itself up.
    SYS_timer_create,
    // One that runs out interrupts whoever has the processor: a thousand of them, set before it was stopped,
    // make everybody else slow.
    SYS_timerfd_create,
    // Pages of one place shown at another, as by mremap().
    SYS_remap_file_pages,
    // The same with a signal, which comes out of the interrupt: that is as long as the queue of those who
    // wait for signals. Files that tell of signals are such queues, with as many in each as somebody likes.
    SYS_setitimer,
    SYS_signalfd4,
    // Files of the system are the same for all: by opening them one player could tell things to another.
    SYS_inotify_init1,
    // Where pages of the shared buffers shall lie is kept with them: the next player could read it.
    SYS_mbind,
    450 /* set_mempolicy_home_node */,
#if defined(__x86_64__)
    SYS_alarm,
    SYS_signalfd,
    SYS_inotify_init,
#endif
};

// These seem to work and change nothing. Which processors a player runs on is decided from outside: with more
// of them than the baseline has, everything is faster. And on a busy machine threads with a shorter time
// slice than the baseline's have their turn sooner.
constexpr int k_without_effect[] = {SYS_sched_setaffinity, SYS_sched_setattr, SYS_sched_setscheduler,
                                    SYS_sched_setparam};

// As on a file system without them. Attributes of the shared memory would outlive the player: candidates
// could tell each other, and their bytes escape the limits.
constexpr int k_not_supported[] = {SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr};

constexpr uint32_t k_new_namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr uint32_t k_setsig = 10, k_setlease = 1024, k_notify = 1026;        // of fcntl
constexpr uint32_t k_set_rw_hint = 1036, k_set_file_rw_hint = 1038;          // likewise
constexpr uint32_t k_set_flags = 0x40086602, k_set_attributes = 0x401C5820;  // of ioctl: FS_IOC_...
constexpr uint32_t k_nowait = 8;                                             // of preadv2
constexpr uint32_t k_dontneed = 4;                                           // of fadvise
constexpr uint32_t k_keep_size = 1;                                          // of fallocate
constexpr uint32_t k_madv_collapse = 25;                                     // since Linux 6.1
constexpr uint32_t k_tioclinux = 0x541C;

// One argument of a call, and the error that it is answered with where the argument is the value (BPF_JEQ) or
// has one of its bits (BPF_JSET).
struct ArgumentRule {
    int call;
    int argument;
    int test;
    uint32_t value;
    int error;
};

constexpr ArgumentRule k_argument_rules[] = {
    {SYS_clone, 0, BPF_JSET, k_new_namespaces, EPERM},
    // SIGCONT on input or output: the same trick as with a timer.
    {SYS_fcntl, 1, BPF_JEQ, k_setsig, EPERM},
    // What others do with files of the system, told by signals.
    {SYS_fcntl, 1, BPF_JEQ, k_notify, EINVAL},
    {SYS_fcntl, 1, BPF_JEQ, k_setlease, EINVAL},
    // Locks on ranges of bytes are a list that every descriptor of that file is compared with when it is
    // closed: with many of both, processes take minutes to end. As where the server of a file has no locks.
    {SYS_fcntl, 1, BPF_JEQ, F_SETLK, ENOLCK},
    {SYS_fcntl, 1, BPF_JEQ, F_SETLKW, ENOLCK},
    {SYS_fcntl, 1, BPF_JEQ, F_OFD_SETLK, ENOLCK},
    {SYS_fcntl, 1, BPF_JEQ, F_OFD_SETLKW, ENOLCK},
    // Marks on the shared memory outlive the player.
    {SYS_fcntl, 1, BPF_JEQ, k_set_rw_hint, EINVAL},
    {SYS_fcntl, 1, BPF_JEQ, k_set_file_rw_hint, EINVAL},
    {SYS_ioctl, 1, BPF_JEQ, k_set_flags, ENOTTY},
    {SYS_ioctl, 1, BPF_JEQ, k_set_attributes, ENOTTY},
    // What is in the system's page cache, and what is no longer.
    {SYS_preadv2, 5, BPF_JSET, k_nowait, EOPNOTSUPP},
    {SYS_fadvise64, 3, BPF_JEQ, k_dontneed, 0},
    // Of a dump that is piped to a program, which runs outside, only this limit keeps a crash: see
    // limits.cpp.
    {SYS_prlimit64, 1, BPF_JEQ, RLIMIT_CORE, EPERM},
#if defined(__x86_64__)
    {SYS_setrlimit, 0, BPF_JEQ, RLIMIT_CORE, EPERM},
#endif
    // Whoever gives pages of the shared inputs back, and fills them in again, has all others map them anew,
    // in their timed calls.
    {SYS_fallocate, 1, BPF_JSET, ~k_keep_size, EOPNOTSUPP},
    {SYS_madvise, 2, BPF_JEQ, MADV_REMOVE, EOPNOTSUPP},
    // Files of large pages are mapped in no time: a result that was written before the call would be put in
    // place like that. And of the shared inputs it would have other pages than the baseline.
    {SYS_madvise, 2, BPF_JEQ, k_madv_collapse, EINVAL},
    // Pages that were written before the call could be moved to where earlier results have been, and would
    // seem to have been written in it. As where there is no room: realloc() then copies.
    {SYS_mremap, 3, BPF_JSET, MREMAP_MAYMOVE, ENOMEM},
    // What a terminal would take for typed.
    {SYS_ioctl, 1, BPF_JEQ, TIOCSTI, EPERM},
    {SYS_ioctl, 1, BPF_JEQ, k_tioclinux, EPERM},
};

class Filter {
  public:
    explicit Filter(bool own_pid_namespace) {
        load(offsetof(seccomp_data, arch));
        add(BPF_JMP | BPF_JEQ | BPF_K, k_arch, 1, 0);
        answer(SECCOMP_RET_KILL_PROCESS);
        load_call();
        add(BPF_JMP | BPF_JGT | BPF_K, k_last_known_call, 0, 1);
        refuse(ENOSYS);
        for (const int call : k_not_permitted) on_call(call, [&] { refuse(EPERM); });
        for (const int call : k_not_there) on_call(call, [&] { refuse(ENOSYS); });
        for (const int call : k_not_supported) on_call(call, [&] { refuse(EOPNOTSUPP); });
        for (const int call : k_without_effect) on_call(call, [&] { refuse(0); });
        // What sends to a name without connecting first nobody needs who has processes of his own.
        for (const int call : {SYS_socket, SYS_socketpair})
            on_call(call, [&] {
                load_argument(0);
                add(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0);
                refuse(EAFNOSUPPORT);
                load_argument(1);
                add(BPF_ALU | BPF_AND | BPF_K, k_socket_type);
                add(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 2, 0);
                add(BPF_JMP | BPF_JEQ | BPF_K, SOCK_SEQPACKET, 1, 0);
                refuse(EPROTONOSUPPORT);
                answer(SECCOMP_RET_ALLOW);
            });
        for (const ArgumentRule& rule : k_argument_rules) refuse_where(rule);
        if (!own_pid_namespace) {
            // Of others: a baseline with the least priority, or without memory, would make anything fast.
            on_call(SYS_prlimit64, [&] { only_with(0, 0); });
            on_call(SYS_setpriority, [&] { only_for_itself(PRIO_PROCESS); });
            on_call(SYS_ioprio_set, [&] { only_for_itself(1 /* IOPRIO_WHO_PROCESS */); });
        }
        answer(SECCOMP_RET_ALLOW);
    }

    const std::vector<sock_filter>& code() const { return m_code; }

  private:
    void add(int code, uint32_t k, uint8_t if_true = 0, uint8_t if_false = 0) {
        m_code.push_back({static_cast<uint16_t>(code), if_true, if_false, k});
    }
    void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)); }
    void load_call() { load(offsetof(seccomp_data, nr)); }
    // The low half, which is all that these calls look at. Both architectures are little-endian.
    void load_argument(int index) { load(offsetof(seccomp_data, args) + 8 * static_cast<size_t>(index)); }
    void answer(uint32_t action) { add(BPF_RET | BPF_K, action); }
    void refuse(int error) { answer(SECCOMP_RET_ERRNO | static_cast<uint32_t>(error)); }

    void require(int argument, uint32_t value) {
        load_argument(argument);
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
        refuse(EPERM);
    }
    void only_with(int argument, uint32_t value) {
        require(argument, value);
        answer(SECCOMP_RET_ALLOW);
    }
    // Not for a group or a user; process zero is the one that calls.
    void only_for_itself(uint32_t process) {
        require(0, process);
        only_with(1, 0);
    }

    void refuse_where(const ArgumentRule& rule) {
        on_call(rule.call, [&] {
            load_argument(rule.argument);
            add(BPF_JMP | rule.test | BPF_K, rule.value, 0, 1);
            refuse(rule.error);
            load_call();
        });
    }

    // `body` must end in an answer or in load_call(): what follows looks at the number of the call.
    template <typename Body>
    void on_call(int call, Body body) {
        const size_t jump = m_code.size();
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 0);
        body();
        m_code[jump].jf = static_cast<uint8_t>(m_code.size() - jump - 1);
    }

    std::vector<sock_filter> m_code;
};

}  // namespace

void filter_system_calls(bool own_pid_namespace) {
    const Filter filter(own_pid_namespace);
    const sock_fprog program = {static_cast<unsigned short>(filter.code().size()),
                                const_cast<sock_filter*>(filter.code().data())};
    // Without SPEC_ALLOW older kernels slow the process down with speculation barriers, and its timing with
    // it.
    constexpr unsigned long k_flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    check(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, k_flags, &program), "seccomp");
}

}  // namespace kforge::jail
