"""What a player can see, read and write."""

import ctypes
import os
import stat
import sys
import tempfile

from harness import MB, fails, guarantee


@guarantee("files of the user are out of sight")
def files_of_the_user_are_out_of_sight(zygote):
    unseen = ["/var", "/srv", "/boot", "/run", zygote.outside]
    private = [".ssh", ".config", ".cache"]

    def look():
        homes = [os.path.join(home, name) for home in ("/root", os.path.expanduser("~")) for name in private]
        return {path: fails(os.listdir, path) for path in unseen + homes} | {zygote.secret: fails(open, zygote.secret)}

    for path, error in zygote.play(look).result.items():
        assert error in ("ENOENT", "EACCES"), (path, error)


@guarantee("mount")
def not_even_the_names_of_hidden_files_are_there(zygote):
    assert zygote.play(lambda: [fails(os.stat, p) for p in ("/var", zygote.secret)]).result == ["ENOENT"] * 2


@guarantee("mount", "proc")
def the_old_root_is_gone(zygote):
    def climb():
        with open("/proc/self/mountinfo") as file:
            roots = sum(line.split()[4] == "/" for line in file)
        return [roots] + [fails(os.stat, up + zygote.secret) for up in ("/..", "/../..", "/proc/self/root/..")]

    assert zygote.play(climb).result == [1] + ["ENOENT"] * 3


@guarantee("mount", "proc")
def every_mount_but_the_scratch_is_read_only(zygote):
    def look():
        with open("/proc/self/mountinfo") as file:
            return [(line.split()[4], line.split()[5].split(",")) for line in file]

    for path, flags in zygote.play(look, readable=[zygote.outside]).result:
        if path.startswith("/dev/") and path != "/dev/shm":
            assert "nosuid" in flags and "noexec" in flags, (path, flags)
        else:
            assert "nosuid" in flags and "nodev" in flags, (path, flags)
            assert ("rw" in flags) == (path in ("/tmp", "/dev/shm")), (path, flags)


@guarantee("mount")
def hidden_paths_below_readable_ones_are_empty(zygote):
    inner = os.path.join(zygote.outside, "inner")
    os.makedirs(os.path.join(inner, "prefix"), exist_ok=True)
    for path in (os.path.join(inner, "problem.py"), os.path.join(inner, "prefix", "lib.py")):
        with open(path, "w") as file:
            file.write("text")
    settings = {
        "readable": [zygote.outside, os.path.join(inner, "prefix")],
        "hidden": [inner, zygote.secret],
    }

    def look():
        return [
            os.listdir(inner),
            os.listdir(os.path.join(inner, "prefix")),
            open(zygote.secret).read(),
            fails(os.rmdir, inner),
        ]

    entries, prefix, secret, removal = zygote.play(look, **settings).result
    assert (entries, prefix, secret) == (["prefix"], ["lib.py"], ""), (entries, prefix, secret)
    assert removal in ("EBUSY", "EROFS", "EACCES"), removal


@guarantee("mount")
def a_link_to_a_readable_path_still_leads_there(zygote):
    folder = os.path.join(zygote.outside, "real")
    link = os.path.join(zygote.outside, "link")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "file"), "w") as file:
        file.write("here")
    if not os.path.islink(link):
        os.symlink(folder, link)
    read = zygote.play(lambda: open(link + "/file").read(), readable=[link]).result
    assert read == "here", read


@guarantee("nothing outside the scratch can be written")
def nothing_outside_the_scratch_can_be_written(zygote):
    def write():
        tries = {}
        for folder in ("/", "/usr", "/usr/lib", "/etc", "/proc", "/dev", "/opt", "/var/tmp", *sys.path[1:]):
            tries[folder] = fails(open, folder + "/kforge-written", "w")
        tries["remount"] = fails(_mount, b"none", b"/", None, 32 | 4096, None)
        tries["sys"] = fails(open, "/sys/devices/system/cpu/cpu0/online", "w")
        tries["oom"] = fails(open, "/proc/self/oom_score_adj", "w")
        return tries

    for what, error in zygote.play(write).result.items():
        assert error in ("EROFS", "EACCES", "EPERM", "ENOENT"), (what, error)


def _mount(*arguments):
    if ctypes.CDLL(None, use_errno=True).mount(*arguments) != 0:
        raise OSError(ctypes.get_errno(), "mount")


@guarantee("landlock")
def landlock_alone_confines_reading_and_writing(zygote):
    def look():
        return [fails(open, "/dev/shm/../kforge", "w"), fails(os.mkdir, "/dev/kforge"), fails(os.listdir, "/")]

    for error in zygote.play(look).result:
        assert error in ("EACCES", "EROFS"), error


@guarantee("mount")
def the_scratch_is_the_working_directory_and_private(zygote):
    def write():
        with open("note", "w") as file:
            file.write("x")
        with tempfile.NamedTemporaryFile():
            return [os.getcwd(), os.listdir("/tmp"), fails(open, "/dev/shm/shared", "w")]

    where, listing, shm = zygote.play(write).result
    assert where == "/tmp" and "note" in listing and shm.startswith("no error"), (where, listing, shm)
    assert not os.path.exists("/tmp/note")
    assert "note" not in zygote.play(lambda: os.listdir("/tmp")).result


@guarantee("the scratch is limited")
def the_scratch_is_limited_in_bytes_and_files(zygote):
    def fill():
        def bytes_into(folder):
            with open(folder + "/big", "wb") as file:
                for _ in range(64):
                    file.write(b"x" * MB)

        def many():
            for i in range(5000):
                open(f"/tmp/{i}", "w").close()

        return [fails(bytes_into, "/tmp"), fails(os.unlink, "/tmp/big"), fails(bytes_into, "/dev/shm"), fails(many)]

    limits = {"scratch_bytes": 16 * MB, "scratch_files": 1000, "shm_bytes": 8 * MB}
    result = zygote.play(fill, **limits).result
    assert [result[0], result[2], result[3]] == ["ENOSPC"] * 3, result


@guarantee("limits")
def one_file_is_limited_in_size(zygote):
    def write():
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with open("big", "wb", buffering=0) as file:
            return fails(lambda: [file.write(b"x" * MB) for _ in range(10)])

    assert zygote.play(write, file_bytes=4 * MB).result == "EFBIG"


@guarantee("mount")
def device_files_are_the_harmless_ones(zygote):
    def look():
        with open("/dev/null", "w") as null, open("/dev/urandom", "rb") as random:
            null.write("x")
            return [sorted(os.listdir("/dev")), len(random.read(8)), fails(os.mknod, "/tmp/dev", 0o60600, 0xFE00)]

    names, read, node = zygote.play(look).result
    assert set(names) <= {"null", "zero", "full", "random", "urandom", "shm", "fd", "stdin", "stdout", "stderr"}, names
    assert read == 8 and node == "EPERM", (read, node)


@guarantee("only the given descriptors are open")
def only_the_control_descriptor_is_inherited(zygote):
    def look():
        kinds = {}
        for fd in range(1024):
            try:
                info = os.fstat(fd)
                kinds[fd] = "null" if info.st_rdev == os.makedev(1, 3) else stat.filemode(info.st_mode)[0]
            except OSError:
                pass
        return kinds

    leaked = os.open(zygote.secret, os.O_RDONLY)
    kinds = zygote.play(look).result
    os.close(leaked)
    assert sorted(kinds.values()) == ["null", "null", "null", "s"], kinds
    assert all(kinds[fd] == "null" for fd in "012"), kinds


@guarantee("descriptors")
def output_goes_where_it_is_sent(zygote):
    read, write = os.pipe()
    zygote.play(lambda: [os.write(1, b"out"), os.write(2, b"err")], output=write)
    os.close(write)
    assert os.read(read, 100) == b"outerr"
    os.close(read)


@guarantee("no socket of another program can be reached")
def sockets_of_other_programs_cannot_be_reached(zygote):
    import socket

    path = os.path.join(zygote.outside, "service")
    with socket.socket(socket.AF_UNIX) as named, socket.socket(socket.AF_UNIX) as abstract:
        named.bind(path)
        named.listen()
        abstract.bind("\0kforge-conformance")
        abstract.listen()

        def connect():
            return [fails(socket.socket(socket.AF_UNIX).connect, a) for a in (path, "\0kforge-conformance")]

        out_of_sight = zygote.play(connect).result
        os.chmod(path, 0o777)
        in_sight = zygote.play(connect, readable=[zygote.outside]).result
    os.unlink(path)
    assert out_of_sight[0] in ("ENOENT", "EACCES") and out_of_sight[1] in ("ECONNREFUSED", "EPERM"), out_of_sight
    assert in_sight == ["ECONNREFUSED", out_of_sight[1]], in_sight


@guarantee("no socket of another program can be reached")
def nothing_can_be_sent_to_a_name_without_connecting(zygote):
    import socket

    def make():
        for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
            one, other = socket.socketpair(socket.AF_UNIX, kind)
            one.send(b"x")
            assert other.recv(1) == b"x"
        makers = (socket.socket, socket.socketpair)
        kinds = (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        return [fails(maker, socket.AF_UNIX, kind) for maker in makers for kind in kinds]

    assert zygote.play(make).result == ["EPROTONOSUPPORT"] * 6


@guarantee("no socket of another program can be reached")
def no_socket_and_no_pipe_in_sight_is_another_programs(zygote):
    import socket

    folder = tempfile.mkdtemp(dir=zygote.outside)
    os.chmod(folder, 0o755)
    before = os.getcwd()
    with socket.socket(socket.AF_UNIX) as relative, socket.socket(socket.AF_UNIX) as renamed:
        os.chdir(folder)
        relative.bind("relative")
        renamed.bind(os.path.join(folder, "early"))
        os.chdir(before)
        os.rename(os.path.join(folder, "early"), os.path.join(folder, "late"))
        for each in (relative, renamed):
            each.listen()
        os.mkfifo(os.path.join(folder, "pipe"))
        for name in ("relative", "late", "pipe"):
            os.chmod(os.path.join(folder, name), 0o777)

        def look():
            names = [os.path.join(folder, name) for name in ("relative", "late", "pipe")]
            return [fails(socket.socket(socket.AF_UNIX).connect, name) for name in names[:2]] + [stat.S_ISFIFO(os.stat(names[2]).st_mode)]

        assert zygote.play(look, readable=[folder]).result == ["ECONNREFUSED", "ECONNREFUSED", False]


@guarantee("no network can be reached")
def no_network_can_be_reached(zygote):
    import socket

    def connect():
        families = {"inet": 2, "inet6": 10, "netlink": 16, "packet": 17, "bluetooth": 31, "vsock": 40}
        tries = {name: fails(socket.socket, family, socket.SOCK_STREAM) for name, family in families.items()}
        return tries

    tries = zygote.play(connect).result
    assert all(error == "EAFNOSUPPORT" for error in tries.values()), tries


@guarantee("net", "proc")
def there_is_no_network_device(zygote):
    def look():
        with open("/proc/net/route") as routes:
            return routes.read().count("\n")

    assert zygote.play(look).result <= 1  # the heading


@guarantee("mount")
def devices_work_and_keep_their_times(zygote):
    names = ["/dev/null", "/dev/zero", "/dev/full", "/dev/urandom"]

    def use():
        with open("/dev/null", "wb") as null, open("/dev/urandom", "rb") as random:
            used = [null.write(b"x"), len(random.read(1))]
        return used, [fails(os.utime, name) for name in names]

    assert zygote.play(use).result == [[1, 1], ["EROFS"] * len(names)]
