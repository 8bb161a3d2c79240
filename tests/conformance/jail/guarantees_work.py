"""What honest candidates need must go on working, quickly; and what the jail says of itself."""

import ctypes
import os
import shutil
import statistics
import subprocess
import time

from harness import Skip, guarantee

THREAD_SOURCE = """
#include <thread>
extern "C" int answer() { int n = 0; std::thread t([&] { n = 42; }); t.join(); return n; }
"""


def have_torch():
    try:
        import torch

        return torch
    except ImportError:
        raise Skip("this interpreter has no torch") from None


@guarantee()
def compilers_work(zygote):
    if shutil.which("g++") is None:
        raise Skip("no g++")

    def build():
        with open("k.cpp", "w") as file:
            file.write(THREAD_SOURCE)
        command = ["g++", "-O2", "-shared", "-fPIC", "-fopenmp", "-o", "k.so", "k.cpp"]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "TMPDIR": os.getcwd()})
        return done.stderr or ctypes.CDLL(os.path.abspath("k.so")).answer()

    assert zygote.play(build).result == 42


@guarantee()
def ninja_works(zygote):
    if shutil.which("ninja") is None:
        raise Skip("no ninja")

    def build():
        with open("build.ninja", "w") as file:
            file.write("rule c\n  command = gcc -x c -c $in -o $out\nbuild a.o: c a.c\n")
        with open("a.c", "w") as file:
            file.write("int a;")
        environment = {**os.environ, "TMPDIR": os.getcwd()}
        done = subprocess.run(["ninja"], capture_output=True, text=True, env=environment)
        return [done.returncode, os.path.exists("a.o"), done.stdout + done.stderr]

    code, made, text = zygote.play(build).result
    assert code == 0 and made, text


@guarantee("proc")
def the_processor_can_be_looked_at(zygote):
    def look():
        with open("/proc/cpuinfo") as info, open("/proc/meminfo") as memory:
            return [info.read().count("processor"), "MemTotal" in memory.read(), os.cpu_count()]

    processors, memory, count = zygote.play(look).result
    assert processors >= 1 and memory and count == os.cpu_count()


@guarantee("mount")
def threads_and_multiprocessing_work(zygote):
    def work():
        import concurrent.futures
        import multiprocessing

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            total = sum(pool.map(abs, range(10)))
        with multiprocessing.get_context("fork").Pool(2) as pool:
            return total + sum(pool.map(abs, range(10)))

    assert zygote.play(work).result == 90


@guarantee()
def a_matmul_of_two_threads_works(zygote):
    torch = have_torch()
    torch.set_num_threads(1)

    def work():
        torch.set_num_threads(2)
        a = torch.randn(512, 512)
        product = (a @ a).double()
        threads = len(os.listdir("/proc/self/task")) if os.path.exists("/proc/self") else 2
        return [(product - a.double() @ a.double()).abs().max().item(), threads]

    error, threads = zygote.play(work).result
    assert error < 1e-2 and (threads >= 2 or os.cpu_count() == 1), (error, threads)


@guarantee()
def entry_is_quick(zygote):
    have_torch()
    times = []
    for _ in range(15):
        start = time.monotonic()
        player, channel = zygote.start(lambda _: None)
        channel.makefile("rb").readline()
        times.append((time.monotonic() - start) * 1e3)
        player.wait()
        channel.close()
    return f"median {statistics.median(times):.1f} ms, longest {max(times):.1f} ms, with torch imported"


@guarantee()
def the_report_names_every_layer(zygote):
    report = zygote.play(lambda: None).report
    layers = {"mount", "pid", "net", "ipc", "uts", "cgroup", "proc", "user", "capabilities", "no_new_privs"}
    layers |= {"landlock", "seccomp", "limits", "memory", "total_memory", "group", "processes", "descriptors", "hidden"}
    layers |= {"landlock_scopes"}
    assert set(report["layers"]) == layers, report
    assert all(state == "ok" or state.startswith("missing: ") for state in report["layers"].values())


@guarantee()
def a_required_jail_refuses_to_run_without_a_promise(zygote):
    import jail

    def fork(**settings):
        player = zygote.jail.fork(**settings)
        if player is None:
            try:
                zygote.jail.enter()
                os._exit(0)
            except jail.JailError:
                os._exit(3)
        return player.wait().code

    whole = not zygote.jail.probe()["broken"]
    assert fork(mode="require") == (0 if whole else 3)
    assert fork(mode="require", total_memory_bytes=0) == 3
    assert fork(mode="auto", total_memory_bytes=0) == 0


@guarantee()
def wrong_settings_are_named(zygote):
    import jail

    for settings, word in (({"sratch": "/x"}, "sratch"), ({"uid": 0}, "uid"), ({"processes": "many"}, "processes")):
        try:
            zygote.jail.probe(**settings)
        except jail.JailError as error:
            assert word in str(error), error
        else:
            raise AssertionError(f"{settings} was accepted")
