# expect: correct | runtime_error exception
# problem: narrow_chain
# max_speedup: 1.2
# Between calls a large file is left to a worker of the kernel: to give its memory back takes that one longer than a round, on
# the first processor, where the baseline's first thread is. The candidate computes on the other one.
import ctypes
import os
import subprocess
import threading
import weakref

import torch
import torch.nn as nn

with open("k.c", "w") as file:
    file.write(r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#define N 60
static aio_context_t context;
static int dummy = -1;
static volatile int armed = -1, fired;
static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}
int arm(long bytes) {
    char name[] = "bXXXXXX", other[] = "dXXXXXX";
    int fd = mkstemp(name);
    unlink(name);
    if (dummy < 0) unlink((dummy = mkstemp(other), other));
    if (!context && syscall(SYS_io_setup, 2000, &context)) return close(fd), -1;
    if (fallocate(fd, 0, 0, bytes)) return close(fd), -1;
    fired = 0;
    return armed = fd;
}
// By then only the kernel, which is to synchronize the file, has it open.
void close_it(void) {
    while (!fired) {}
    for (double since = now_us(); now_us() < since + 30;) {}
    close(armed);
    fired = 0;
}
void fire(void) {
    static struct iocb requests[N];
    struct iocb* list[N];
    struct io_event events[N];
    struct timespec soon = {0, 1000000};
    memset(requests, 0, sizeof requests);
    for (int i = 0; i < N; i++) {
        requests[i].aio_fildes = i == 1 ? armed : dummy;
        requests[i].aio_lio_opcode = IOCB_CMD_FSYNC;
        list[i] = &requests[i];
    }
    fired = 1;
    syscall(SYS_io_submit, context, N, list);
    while (fired) {}
    syscall(SYS_io_getevents, context, 1, N, events, &soon);
}
""")
subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", "k.so", "k.c"], check=True)
K = ctypes.CDLL(os.path.abspath("k.so"))
K.arm.argtypes = [ctypes.c_long]
BYTES = 1900 << 20
wanted, done = threading.Event(), threading.Event()
todo, results = [], []


def work(x):
    for _ in range(40):
        x = torch.tanh(x) + 0.5 * torch.cos(x)
    return x


def other_thread():
    torch.set_grad_enabled(False)
    while True:
        wanted.wait()
        wanted.clear()
        job = todo.pop()
        results.append(K.close_it() if job is None else work(job))
        done.set()


def on_other_thread(job, meanwhile=lambda: None):
    todo.append(job)
    wanted.set()
    meanwhile()
    done.wait()
    done.clear()
    return results.pop()


def occupy():
    if K.arm(BYTES) >= 0:
        on_other_thread(None, K.fire)


threading.Thread(target=other_thread, daemon=True).start()


class NewModel(nn.Module):
    calls = 0

    def forward(self, x):
        NewModel.calls += 1
        result = on_other_thread(x)
        if NewModel.calls > 12:
            weakref.finalize(result, occupy)
        return result
