"""How many processes, how much memory and how many files a player can have."""

import contextlib
import ctypes
import mmap
import os
import signal
import socket
import threading
import time

from harness import MB, fails, guarantee


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


def hold_files(zygote, mappings, table_in_the_end):
    """How a player ends that has so many mappings of files, on a machine whose table of open files is what we say. It takes
    no more than that."""
    table = os.path.join(zygote.outside, "file-nr")

    def write(text):
        with open(table, "w") as file:
            file.write(text)

    def hold(channel):
        libc = ctypes.CDLL(None)
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
        with open("page", "w+b") as file:
            file.truncate(4096)
            for _ in range(mappings):
                libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_PRIVATE, file.fileno(), 0)
        channel.sendall(b"held\n")
        time.sleep(0.5)

    write("1000\t0\t100000\n")
    player, channel = zygote.start(hold, readable=[table], file_table=table, open_files=1024)
    lines = channel.makefile("rb")
    try:
        while (line := lines.readline()) != b"held\n":
            assert b'"error"' not in line and line, line
        write(table_in_the_end)
        return player.wait(20) or player.kill()
    finally:
        channel.close()


@guarantee("total_memory", "mount")
def nobody_fills_the_table_of_open_files(zygote):
    exit = hold_files(zygote, 4000, "30000\t0\t100000\n")
    assert exit.out_of_files and exit.signal == signal.SIGKILL, exit


@guarantee("total_memory", "mount")
def mappings_of_files_do_no_harm_while_there_is_room(zygote):
    assert hold_files(zygote, 4000, "20000\t0\t100000\n").code == 0


@guarantee("total_memory", "mount")
def a_table_of_open_files_that_others_fill_ends_nobody_else(zygote):
    assert hold_files(zygote, 100, "99999\t0\t100000\n").code == 0


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
