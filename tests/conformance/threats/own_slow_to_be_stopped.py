# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: row_sum
# max_speedup: 1.5
# A thread begins when the call has been answered. Dozens of ended processes must be looked at before all is seen to
# stand still: time enough for its work.
import ctypes
import os
import subprocess

import torch
import torch.nn as nn


def build(source):
    with open("k.c", "w") as file:
        file.write(source)
    subprocess.run(["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-pthread", "-o", "k.so", "k.c"], check=True)
    return ctypes.CDLL(os.path.abspath("k.so"))


LIBRARY = build(r"""
#include <pthread.h>
#include <semaphore.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
enum { ENDED = 60 };
static const float* input; static float* output; static long rows, columns; static sem_t job;
static void compute(void) {
    for (long i = 0; i < rows; ++i) {
        float parts[32] = {0}, sum = 0;
        for (long j = 0; j < columns; j += 32)
            for (int k = 0; k < 32; ++k) parts[k] += input[i * columns + j + k];
        for (int k = 0; k < 32; ++k) sum += parts[k];
        output[i] = sum;
    }
}
static void* serve(void* nothing) {
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    const struct timespec until_answered = {0, 60000};
    for (;;) {
        sem_wait(&job);
        nanosleep(&until_answered, 0);
        compute();
    }
    return nothing;
}
void start(void) {
    pthread_t thread;
    sem_init(&job, 0, 0);
    for (int i = 0; i < ENDED; ++i)
        if (fork() == 0) _exit(0);
    pthread_create(&thread, 0, serve, 0);
}
void sums(const float* x, float* y, long n, long m) { input = x; output = y; rows = n; columns = m; sem_post(&job); }
""")
LIBRARY.start()
LIBRARY.sums.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long, ctypes.c_long]


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty(x.shape[:-1])
        LIBRARY.sums(x.data_ptr(), y.data_ptr(), *x.shape)
        return y
