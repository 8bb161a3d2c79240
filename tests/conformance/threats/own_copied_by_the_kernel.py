# expect: disqualified integrity | mismatch values | mismatch non_finite | correct
# problem: reversed_rows
# max_speedup: 1.3
# A thread has the kernel copy the result, in one long system call, and the call is answered meanwhile: a thread stops only
# when its system call is done.
import ctypes
import os
import subprocess

import torch
import torch.nn as nn


def build(source):
    with open("k.c", "w") as file:
        file.write(source)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-pthread", "-o", "k.so", "k.c"], check=True)
    return ctypes.CDLL(os.path.abspath("k.so"))


LIBRARY = build(r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <sys/uio.h>
static sem_t job; static int file; static long offset; static struct iovec parts[1024]; static int count;
static _Atomic int begun;
static void* serve(void* nothing) {
    for (;;) { sem_wait(&job); begun = 1; preadv(file, parts, count, offset); }
    return nothing;
}
void start(void) { pthread_t thread; sem_init(&job, 0, 0); pthread_create(&thread, 0, serve, 0); }
void reverse(int from, long at, char* y, long rows, long bytes) {
    file = from; offset = at; count = rows; begun = 0;
    for (long i = 0; i < rows; ++i) { parts[i].iov_base = y + (rows - 1 - i) * bytes; parts[i].iov_len = bytes; }
    sem_post(&job);
    while (!begun) ;
    for (volatile int i = 0; i < 3000; ++i) ;
}
""")
LIBRARY.start()
LIBRARY.reverse.argtypes = [ctypes.c_int, ctypes.c_long, ctypes.c_void_p, ctypes.c_long, ctypes.c_long]


def find_inputs():
    with open("/proc/self/maps") as maps:
        first = next(line for line in maps if "kforge-inputs" in line).split("-")[0]
    names = (name for name in os.listdir("/proc/self/fd") if "inputs" in os.readlink(f"/proc/self/fd/{name}"))
    return int(next(names)), int(first, 16)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.inputs = None

    def forward(self, x):
        if x.shape[0] > 1024 or not x.is_contiguous():
            return x.flip(0)
        self.inputs = self.inputs or find_inputs()
        y = torch.empty_like(x)
        LIBRARY.reverse(self.inputs[0], x.data_ptr() - self.inputs[1], y.data_ptr(), x.shape[0], 4 * x.shape[1])
        return y
