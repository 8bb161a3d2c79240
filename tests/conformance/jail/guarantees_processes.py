"""What a player can do to other processes, to the kernel and to the machine, and how it ends."""

import contextlib
import ctypes
import fcntl
import mmap
import os
import select
import signal
import socket
import struct
import threading
import time

from harness import MB, descendants_named, fails, guarantee, set_name


MARKER = os.getpid() % 1000000


def call(number, *arguments):
    """A raw system call (number: of x86_64), by the name of its error."""
    libc = ctypes.CDLL(None, use_errno=True)
    return fails(_call, libc, number, *arguments)


def _call(libc, number, *arguments):
    libc.syscall.restype = ctypes.c_long
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), "system call")
    return result


def numbers(**by_machine):
    return by_machine[os.uname().machine]


@guarantee("other processes cannot be seen", "proc")
def other_processes_cannot_be_seen(zygote):
    def look():
        pids = sorted(int(p) for p in os.listdir("/proc") if p.isdigit())
        return [pids, os.getpid(), os.getppid()]

    pids, own, parent = zygote.play(look).result
    assert pids == [parent, own] and parent == 1, (pids, own, parent)


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


@guarantee("pid")
def the_supervisor_is_in_another_session(zygote):
    """Within one, anybody may continue a process that was stopped."""
    mine, its = zygote.play(lambda: [os.getsid(0), os.getsid(1)]).result
    assert mine != its


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


@guarantee("other processes cannot be signalled")
def other_processes_cannot_be_signalled(zygote):
    zygote_pid = os.getpid()
    received = []
    previous = signal.signal(signal.SIGUSR1, lambda *_: received.append(1))

    def shoot():
        own = os.getpid()
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        for pid in [-1, *range(1, 400)]:
            if pid != own:
                fails(os.kill, pid, signal.SIGUSR1)
        fails(os.kill, os.getppid(), signal.SIGKILL)  # init of the namespace: immune
        return fails(os.kill, zygote_pid, signal.SIGUSR1)

    played = zygote.play(shoot)
    signal.signal(signal.SIGUSR1, previous)
    assert played.exit.code == 0 and not received, (played.exit, received)
    assert played.result in ("ESRCH", "EPERM"), played.result


@guarantee("other processes cannot be read")
def memory_of_other_processes_cannot_be_read(zygote):
    zygote_pid = os.getpid()
    ptrace = numbers(x86_64=101, aarch64=117)
    readv = numbers(x86_64=310, aarch64=270)

    def read():
        return [
            call(ptrace, 16, zygote_pid, 0, 0),
            call(ptrace, 16, 1, 0, 0),
            call(readv, 1, 0, 0, 0, 0, 0),
            fails(open, f"/proc/{os.getppid()}/mem", "rb"),
            fails(open, f"/proc/{zygote_pid}/mem", "rb"),
            call(438, 3, 1, 0),  # pidfd_getfd
        ]

    errors = zygote.play(read).result
    assert all(e in ("EPERM", "EACCES", "ENOENT") for e in errors), errors


@guarantee("other processes cannot be read")
def the_environment_of_the_parent_cannot_be_read(zygote):
    zygote_pid = os.getpid()

    def read():
        parent = f"/proc/{os.getppid()}"
        return [
            fails(lambda: open(parent + "/environ").read()),
            fails(os.readlink, parent + "/fd/0"),
            fails(os.readlink, parent + "/cwd"),
            fails(os.readlink, parent + "/root"),
            fails(lambda: open(f"/proc/{zygote_pid}/environ").read()),
        ]

    errors = zygote.play(read).result
    assert all(e in ("EACCES", "EPERM", "ENOENT") for e in errors), errors


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


@guarantee("there are no privileges to gain")
def there_are_no_privileges(zygote):
    def look():
        status = {}
        if os.path.exists("/proc/self/status"):
            with open("/proc/self/status") as file:
                status = dict(line.split(":", 1) for line in file)
        return [status, os.getresuid(), os.getgroups(), fails(os.setuid, 0)]

    status, uids, groups, become_root = zygote.play(look).result
    if status:
        assert all(int(status[c], 16) == 0 for c in ("CapInh", "CapPrm", "CapEff", "CapAmb")), status
        assert (int(status["NoNewPrivs"]), int(status["Seccomp"])) == (1, 2), status
    if zygote.jail.probe()["layers"]["user"] == "ok":
        assert 0 not in uids and become_root in ("EPERM", "EINVAL"), (uids, become_root)
    if max(uids) >= 200000:
        assert groups == [] and int(status.get("CapBnd", "0"), 16) == 0, (groups, status)


def marker(number):
    """A process name of this run alone, at most 15 characters long."""
    return f"kf-left{number}-{MARKER}"


def daemon(name, seconds=300):
    """Forks twice, leaves its session and lives on under `name`."""
    read, write = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            set_name(name)
            for number in range(1, 32):
                fails(signal.signal, number, signal.SIG_IGN)
            os.write(write, b"x")
            time.sleep(seconds)
        os._exit(0)
    os.read(read, 1)


@guarantee()
def no_process_is_left_behind_when_the_player_ends(zygote):
    played = zygote.play(lambda: daemon(marker(1)))
    assert played.exit.code == 0, played.exit
    assert descendants_named(marker(1)) == []


def started_daemon(zygote, name, **settings):
    def body(channel):
        daemon(name)
        channel.sendall(b"ready\n")
        time.sleep(300)

    player, channel = zygote.start(body, **settings)
    lines = channel.makefile("rb")
    lines.readline()
    assert lines.readline() == b"ready\n"
    assert len(descendants_named(name)) == 1
    return player, channel


@guarantee("no process is left behind")
def no_process_is_left_behind_when_the_player_is_killed(zygote):
    player, channel = started_daemon(zygote, marker(2))
    start = time.monotonic()
    exit = player.kill()
    took = time.monotonic() - start
    assert exit.signal == signal.SIGKILL and descendants_named(marker(2)) == [], exit
    channel.close()
    return f"emptied in {took * 1e3:.1f} ms"


@guarantee()
def no_process_is_left_behind_when_the_lifeline_is_closed(zygote):
    read, write = os.pipe()
    player, channel = started_daemon(zygote, marker(3), lifeline=read)
    os.close(write)
    exit = player.wait(10)
    assert exit is not None and exit.signal == signal.SIGKILL, exit
    assert descendants_named(marker(3)) == []
    os.close(read)
    channel.close()


@guarantee()
def no_process_is_left_behind_when_the_parent_dies(zygote):
    read, write = os.pipe()
    middle = os.fork()
    if middle == 0:
        try:
            started_daemon(zygote, marker(4))
            os.write(write, b"ok")
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(middle, 0)
    assert os.read(read, 2) == b"ok"
    os.close(read)
    deadline = time.monotonic() + 10
    while descendants_named(marker(4)) and time.monotonic() < deadline:
        time.sleep(0.005)
    assert descendants_named(marker(4)) == []


@guarantee("the number of processes is limited")
def a_fork_bomb_is_contained(zygote):
    def bomb():
        count = 0
        try:
            for count in range(2000):
                if os.fork() == 0:
                    time.sleep(300)
        except BlockingIOError:
            return count
        return count

    played = zygote.play(bomb, processes=50)
    assert 20 <= played.result <= 50 and played.exit.code == 0, (played.result, played.exit)


@guarantee("processes")
def the_number_of_processes_counts_for_each_player_alone(zygote):
    def threads():
        stop = threading.Event()
        for _ in range(20):
            threading.Thread(target=stop.wait, daemon=True).start()
        return threading.active_count()

    players = [zygote.start(lambda channel: [threads(), channel.recv(1)][0], processes=40) for _ in range(4)]
    for player, channel in players:
        lines = channel.makefile("rb")
        lines.readline()
    for player, channel in players:
        channel.sendall(b"x")
        answer = channel.makefile("rb").readline()
        assert b'"result": 21' in answer, answer
        assert player.wait(20).code == 0
        channel.close()


@guarantee("memory")
def memory_of_one_process_is_limited(zygote):
    played = zygote.play(lambda: fails(lambda: len(bytearray(800 * MB))), memory_bytes=700 * MB)
    assert played.result == "MemoryError", played.result


@guarantee("memory is limited")
def memory_of_all_processes_together_is_limited(zygote):
    def eat():
        for _ in range(6):
            if os.fork() == 0:
                hold = bytearray(os.urandom(1) * (100 * MB))
                time.sleep(300 + len(hold) * 0)
        time.sleep(300)

    played = zygote.play(eat, total_memory_bytes=400 * MB)
    assert played.exit.out_of_memory and played.exit.signal == signal.SIGKILL, played.exit


@guarantee("memory is limited")
def memory_of_a_process_whose_first_thread_has_ended_counts(zygote):
    def eat():
        if os.fork() == 0:
            def hold():
                time.sleep(0.1)
                held.append(bytearray(os.urandom(1) * (600 * MB)))
                time.sleep(300)

            held = []
            threading.Thread(target=hold).start()
            ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)  # exit, of this thread alone
        time.sleep(20)

    played = zygote.play(eat, total_memory_bytes=400 * MB)
    assert played.exit.out_of_memory and played.exit.signal == signal.SIGKILL, played.exit


@guarantee("memory is limited")
def memory_of_sockets_is_limited(zygote):
    def eat():
        for _ in range(4):
            if os.fork() == 0:
                pairs = []
                with contextlib.suppress(OSError):
                    while True:
                        pairs.append(socket.socketpair())
                time.sleep(300)
        time.sleep(20)

    played = zygote.play(eat, total_memory_bytes=400 * MB)
    assert played.exit.out_of_memory and played.exit.signal == signal.SIGKILL, played.exit


@guarantee("group")
def memory_that_the_kernel_keeps_is_limited(zygote):
    def eat():
        """Pages that are only read are all the same one: nothing but the tables, in which each is, is memory (0x4000: no more is set aside)."""
        pages = mmap.mmap(-1, 1 << 40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
        return sum(pages[at] for at in range(0, 1 << 40, 2 * MB))

    played = zygote.play(eat, memory_bytes=0, total_memory_bytes=400 * MB, scratch_bytes=MB, shm_bytes=MB)
    assert played.exit.out_of_memory and played.exit.signal == signal.SIGKILL, played.exit


@guarantee("total_memory")
def descriptors_of_files_take_no_memory(zygote):
    def hold():
        files = [open("/dev/null") for _ in range(900)]
        time.sleep(0.4)
        return len(files)

    played = zygote.play(hold, total_memory_bytes=400 * MB)
    assert played.exit.code == 0, played.exit


@guarantee()
def players_are_the_first_to_go_where_memory_runs_out(zygote):
    assert int(zygote.play(lambda: open("/proc/self/oom_score_adj").read()).result) == 1000


@guarantee("total_memory")
def memory_that_processes_share_counts_once(zygote):
    def share():
        hold = bytearray(b"x" * (100 * MB))
        for _ in range(6):
            if os.fork() == 0:
                time.sleep(300)
        time.sleep(0.4)
        return len(hold)

    played = zygote.play(share, total_memory_bytes=400 * MB)
    assert played.exit.code == 0, played.exit


@guarantee()
def an_exit_code_is_reported(zygote):
    assert repr(zygote.play(lambda: os._exit(42)).exit) == "exit status 42"


@guarantee()
def kill_9_is_reported_as_a_signal(zygote):
    exit = zygote.play(lambda: os.kill(os.getpid(), signal.SIGKILL)).exit
    assert exit.signal == signal.SIGKILL and not exit.out_of_memory, exit
    assert zygote.play(lambda: os._exit(137)).exit.code == 137


@guarantee()
def an_abort_is_reported_as_SIGABRT(zygote):
    assert repr(zygote.play(os.abort).exit) == "signal 6 (SIGABRT)"
    assert repr(zygote.play(lambda: ctypes.string_at(0)).exit) == "signal 11 (SIGSEGV)"


@guarantee()
def the_status_descriptor_tells_when_a_player_ended(zygote):
    player, channel = zygote.start(lambda c: c.recv(1))
    channel.makefile("rb").readline()
    assert player.wait(0) is None
    channel.close()
    assert select.select([player.status_fd], [], [], 10)[0]
    assert player.wait(0) is not None
