"""What a player can do to other processes, and how it ends."""

import ctypes
import os
import select
import signal
import time

from harness import Skip, call, descendants_named, fails, guarantee, numbers, set_name


MARKER = os.getpid() % 1000000


@guarantee("other processes cannot be seen", "proc")
def other_processes_cannot_be_seen(zygote):
    def look():
        pids = sorted(int(p) for p in os.listdir("/proc") if p.isdigit())
        return [pids, os.getpid(), os.getppid()]

    pids, own, parent = zygote.play(look).result
    assert pids == [parent, own] and parent == 1, (pids, own, parent)


@guarantee("pid")
def the_supervisor_is_in_another_session(zygote):
    """Within one, anybody may continue a process that was stopped."""
    mine, its = zygote.play(lambda: [os.getsid(0), os.getsid(1)]).result
    assert mine != its


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
    assert player.wait(10) is not None


@guarantee("pid")
def nobody_waits_for_a_player_that_takes_long_to_end(zygote):
    """Nothing is gone of a process that somebody outside traces until he has been told of its end."""
    SEIZE, ALL_CHILDREN = 0x4206, 0x40000000
    libc = ctypes.CDLL(None, use_errno=True)
    player, channel = zygote.start(lambda c: c.recv(1))
    channel.makefile("rb").readline()
    with open(f"/proc/{player.pid}/task/{player.pid}/children") as file:
        traced = int(file.read().split()[0])
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if libc.ptrace(SEIZE, traced, None, None) != 0:
        player.kill()
        raise Skip("this user may not trace a player")

    def give_up(*_):
        raise TimeoutError("it was waited for")

    previous = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(20)
    try:
        os.kill(player.pid, signal.SIGKILL)
        start = time.monotonic()
        assert player.wait(0.1) is None
        took = time.monotonic() - start
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
        os.waitpid(traced, ALL_CHILDREN)
    channel.close()
    assert player.wait(10).signal == signal.SIGKILL and took < 5, took
