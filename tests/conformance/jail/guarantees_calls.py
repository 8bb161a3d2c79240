"""Which system calls a player cannot make, or not as others can."""

import ctypes
import fcntl
import mmap
import os
import signal
import struct

from harness import call, fails, guarantee, numbers


@guarantee("seccomp")
def processors_are_given_from_outside(zygote):
    def move():
        before = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, before[:1] if len(before) > 1 else {0, 1})
        return [before, sorted(os.sched_getaffinity(0))]

    before, after = zygote.play(move).result
    assert after == before, (before, after)


@guarantee("seccomp")
def schedules_are_given_from_outside(zygote):
    set_attributes, get_attributes = numbers(x86_64=(314, 315), aarch64=(274, 275))
    SIZE, BATCH, SHORT_SLICE_NS = 48, 3, 100_000

    def read():
        attributes = ctypes.create_string_buffer(SIZE)
        call(get_attributes, 0, ctypes.addressof(attributes), SIZE, 0)
        return list(attributes.raw)

    def change():
        before = read()
        wanted = ctypes.create_string_buffer(struct.pack("=IIQiIQQQ", SIZE, BATCH, 0, 5, 0, SHORT_SLICE_NS, 0, 0))
        call(set_attributes, 0, ctypes.addressof(wanted), 0)
        fails(os.sched_setscheduler, 0, os.SCHED_BATCH, os.sched_param(0))
        return [before, read()]

    before, after = zygote.play(change).result
    assert after == before and before[0] == SIZE, (before, after)


@guarantee("seccomp")
def what_others_do_with_files_is_not_told(zygote):
    watch = numbers(x86_64=(253, 294), aarch64=(26,))  # inotify_init, inotify_init1
    refused = zygote.play(lambda: [call(number, 0) for number in watch]).result
    assert set(refused) == {"ENOSYS"}, refused

    def hear():
        folder = os.open("/usr", os.O_RDONLY)
        return [fails(lambda: fcntl.fcntl(folder, command, 1)) for command in (fcntl.F_NOTIFY, fcntl.F_SETLEASE)]

    assert set(zygote.play(hear).result) == {"EINVAL"}


@guarantee("seccomp")
def ranges_of_files_cannot_be_locked(zygote):
    """Whoever closes a descriptor looks through all of these locks: with many of both, processes take minutes to end."""
    OFD_LOCK, OFD_LOCK_AND_WAIT = 37, 38

    def lock():
        commands = (fcntl.F_SETLK, fcntl.F_SETLKW, OFD_LOCK, OFD_LOCK_AND_WAIT)
        with open("locked", "w+b") as file:
            range_of_one_byte = struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 1, 0)
            ranges = [fails(fcntl.fcntl, file, command, range_of_one_byte) for command in commands]
            return [ranges, fails(fcntl.flock, file, fcntl.LOCK_EX)]

    ranges, whole = zygote.play(lock).result
    assert set(ranges) == {"ENOLCK"} and whole == "no error: None", (ranges, whole)


@guarantee("seccomp")
def where_pages_of_files_shall_lie_is_not_kept(zygote):
    policies = [numbers(x86_64=237, aarch64=235), 450]  # mbind, set_mempolicy_home_node
    refused = zygote.play(lambda: [call(number, 0, 0, 0, 0, 0, 0) for number in policies]).result
    assert set(refused) == {"ENOSYS"}, refused


@guarantee("seccomp")
def no_marks_are_left_on_files_and_the_page_cache_is_not_told(zygote):
    preadv2, fadvise = numbers(x86_64=(327, 221), aarch64=(286, 223))
    RW_HINTS, SET_FLAGS, NOWAIT, DONTNEED = (1036, 1038), 0x40086602, 8, 4

    def try_all():
        file = os.open("/usr/bin/env", os.O_RDONLY)
        block = ctypes.create_string_buffer(8)
        vector = (ctypes.c_void_p * 2)(ctypes.addressof(block), 8)
        hints = [fails(lambda: fcntl.fcntl(file, hint, struct.pack("Q", 1))) for hint in RW_HINTS]
        return [*hints, fails(lambda: fcntl.ioctl(file, SET_FLAGS, struct.pack("L", 0))),
                call(preadv2, file, ctypes.addressof(vector), 1, 0, 0, NOWAIT), call(fadvise, file, 0, 0, DONTNEED)]

    assert zygote.play(try_all).result == ["EINVAL", "EINVAL", "ENOTTY", "ENOTSUP", "no error: 0"]


@guarantee("seccomp", "limits")
def a_crash_starts_no_program_outside(zygote):
    """The kernel pipes a dump to one whatever the limit is, unless that is one byte: it must stay so."""
    import resource

    def limits():
        line = next(line for line in open("/proc/self/limits") if line.startswith("Max core"))
        return [line.split()[4:6], fails(lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))]

    (soft, hard), changed = zygote.play(limits).result
    assert (soft, hard) == ("1", "1") and changed in ("ValueError", "EPERM", "PermissionError"), (soft, hard, changed)


@guarantee("seccomp")
def pages_of_files_cannot_be_given_back(zygote):
    fallocate = numbers(x86_64=285, aarch64=47)
    madvise = numbers(x86_64=28, aarch64=233)
    PUNCH_HOLE, KEEP_SIZE, REMOVE, PAGE = 2, 1, 9, 4096

    def give_back():
        with open("pages", "w+b") as file:
            allocated = call(fallocate, file.fileno(), KEEP_SIZE, 0, PAGE)
            file.truncate(PAGE)
            pages = mmap.mmap(file.fileno(), PAGE)
            start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
            return [allocated, call(fallocate, file.fileno(), PUNCH_HOLE | KEEP_SIZE, 0, PAGE), call(madvise, start, PAGE, REMOVE)]

    allocated, *refused = zygote.play(give_back).result
    assert allocated == "no error: 0" and set(refused) == {"ENOTSUP"}, (allocated, refused)


@guarantee("seccomp")
def pages_cannot_be_moved_or_made_large(zygote):
    mremap, madvise = numbers(x86_64=(25, 28), aarch64=(216, 233))
    MAY_MOVE, DONT_NEED, COLLAPSE, PAGE = 1, 4, 25, 4096

    def move():
        pages = mmap.mmap(-1, 2 * PAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
        return [call(mremap, start, 2 * PAGE, PAGE, 0).split(":")[0], call(madvise, start, PAGE, DONT_NEED),
                call(mremap, start, PAGE, 2 * PAGE, MAY_MOVE), call(madvise, start, PAGE, COLLAPSE)]

    results = zygote.play(move).result
    assert results == ["no error", "no error: 0", "ENOMEM", "EINVAL"], results


@guarantee("seccomp")
def nothing_wakes_a_stopped_player_or_types_for_the_user(zygote):
    fcntl, ioctl, timer_create = numbers(x86_64=(72, 16, 222), aarch64=(25, 29, 107))
    SETSIG, TIOCSTI, TIOCLINUX = 10, 0x5412, 0x541C

    def try_all():
        read, _ = os.pipe()
        return [call(fcntl, read, SETSIG, signal.SIGCONT), call(ioctl, read, TIOCSTI, 0), call(ioctl, read, TIOCLINUX, 0),
                call(timer_create, 0, 0, 0)]

    refused = zygote.play(try_all).result
    assert refused == ["EPERM", "EPERM", "EPERM", "ENOSYS"], refused


@guarantee("seccomp")
def nothing_comes_due_while_a_player_is_stopped(zygote):
    """What it has set before would interrupt whoever is timed then: timers, and signals that many wait for."""
    timers = numbers(x86_64={"timer_create": 222, "timerfd_create": 283, "setitimer": 38, "alarm": 37},
                     aarch64={"timer_create": 107, "timerfd_create": 85, "setitimer": 103})
    queues = numbers(x86_64={"signalfd": 282, "signalfd4": 289}, aarch64={"signalfd4": 74})

    def attempt():
        refused = {name: call(number, 0, 0, 0, 0) for name, number in (timers | queues).items()}
        kinds = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
        return [refused, [fails(signal.setitimer, kind, 60) for kind in kinds]]

    refused, kinds = zygote.play(attempt).result
    assert set(refused.values()) == {"ENOSYS"}, refused
    assert set(kinds) == {"ENOSYS"}, kinds


@guarantee("seccomp")
def waiting_for_so_long_works_without_timers(zygote):
    def wait():
        import select
        import subprocess
        import threading
        import time
        start = time.monotonic()
        time.sleep(0.01)
        threading.Event().wait(0.01)
        select.select([], [], [], 0.01)
        try:
            subprocess.run(["sleep", "60"], timeout=0.05)
            return "it was not ended"
        except subprocess.TimeoutExpired:
            return time.monotonic() - start

    took = zygote.play(wait).result
    assert isinstance(took, float) and 0.08 <= took < 30, took


@guarantee("seccomp")
def no_namespaces_or_mounts_can_be_made(zygote):
    newuser = 0x10000000
    unshare, clone = numbers(x86_64=(272, 56), aarch64=(97, 220))

    def attempt():
        return [call(unshare, newuser), call(clone, newuser | 17, 0, 0, 0, 0), call(435, 0, 0), call(428, -100, 0, 1)]

    assert zygote.play(attempt).result == ["EPERM", "EPERM", "ENOSYS", "EPERM"]


@guarantee("seccomp")
def dangerous_system_calls_are_refused(zygote):
    def attempt():
        refused = numbers(
            x86_64={"bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "keyctl": 250, "add_key": 248},
            aarch64={"bpf": 280, "perf_event_open": 241, "userfaultfd": 282, "keyctl": 219, "add_key": 217},
        )
        absent = {"io_uring_setup": 425, "memfd_secret": 447, "a call of the future": 5000, "statmount": 457}
        absent["memfd_create"], absent["shmget"] = numbers(x86_64=(319, 29), aarch64=(279, 194))
        absent["io_setup"], absent["io_submit"] = numbers(x86_64=(206, 209), aarch64=(0, 2))
        return [{k: call(n, 0, 0, 0, 0) for k, n in group.items()} for group in (refused, absent)]

    refused, absent = zygote.play(attempt).result
    assert set(refused.values()) == {"EPERM"}, refused
    assert set(absent.values()) == {"ENOSYS"}, absent


@guarantee("seccomp")
def attributes_cannot_be_hung_on_a_descriptor(zygote):
    def attempt():
        import errno
        errors = []
        for path in ("attributed", 1):
            if path == "attributed":
                open(path, "w").close()
            try:
                os.setxattr(path, "user.message", b"here")
            except OSError as error:
                errors.append(error.errno == errno.ENOTSUP)
        return errors

    assert zygote.play(attempt).result == [True, True]


@guarantee("seccomp")
def others_keep_their_priority_and_processors(zygote):
    before = os.getpriority(os.PRIO_PROCESS, 0), os.sched_getaffinity(0)

    def attempt():
        refused = []
        for act in (lambda: os.setpriority(os.PRIO_PGRP, 0, 19), lambda: os.setpriority(os.PRIO_USER, 0, 19),
                    lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)):
            try:
                act()
                refused.append(False)
            except PermissionError:
                refused.append(True)
        os.sched_setaffinity(os.getppid(), {min(os.sched_getaffinity(0))})
        return os.getpgrp() == os.getpid(), refused[2:]

    assert zygote.play(attempt).result == [True, [True]]
    assert (os.getpriority(os.PRIO_PROCESS, 0), os.sched_getaffinity(0)) == before


@guarantee("seccomp")
def another_architecture_is_fatal(zygote):
    if os.uname().machine != "x86_64":
        return "only x86_64 has another interface"

    def int80():
        import mmap

        # mov eax, 20 (getpid); int 0x80; ret
        code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
        return ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()

    played = zygote.play(int80)
    assert played.exit.signal == signal.SIGSYS, (played.exit, played.result)
