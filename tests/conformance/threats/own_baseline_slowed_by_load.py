# expect: correct | disqualified integrity | runtime_error timeout
# problem: slow_chain
# max_speedup: 1.3
# Threads that burn every core whenever the candidate itself is not being called.
import ctypes
import os
import subprocess

import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

def build(source):
    with open("k.c", "w") as file:
        file.write(source)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-pthread", "-o", "k.so", "k.c", "-lm"], check=True)
    return ctypes.CDLL(os.path.abspath("k.so"))


LIBRARY = build(r"""
#include <pthread.h>
#include <time.h>
#include <unistd.h>
static volatile int busy; static volatile long sink;
static void* burn(void* nothing) {
    for (;;) {
        if (busy) { usleep(50); continue; }
        for (int i = 0; i < 20000 && !busy; ++i) sink += i;
    }
    return nothing;
}
void start(void) { pthread_t t; for (int i = 0; i < 4; ++i) pthread_create(&t, 0, burn, 0); }
void enter(void) { busy = 1; usleep(60); }
void leave(void) { busy = 0; }
""")
LIBRARY.start()


class NewModel(nn.Module):
    def forward(self, x):
        LIBRARY.enter()
        y = work(x)
        LIBRARY.leave()
        return y
