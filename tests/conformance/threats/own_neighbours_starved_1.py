# expect: runtime_error timeout
# options: --time-limit-s 8
# Takes all processors while others are built beside it. That is its own loss, not that of the next one.
import ctypes
import os
import subprocess

import torch.nn as nn
import torch.nn.functional as F

with open("k.c", "w") as file:
    file.write(r"""
#include <pthread.h>
#include <unistd.h>
static void* spin(void* nothing) { for (volatile long i = 0;; ++i); return nothing; }
void starve(int threads) {
    pthread_attr_t small; pthread_attr_init(&small); pthread_attr_setstacksize(&small, 65536);
    pthread_t thread; while (threads-- > 0) pthread_create(&thread, &small, spin, 0);
    sleep(1000);
}
""")
subprocess.run(["gcc", "-shared", "-fPIC", "-pthread", "-o", "k.so", "k.c"], check=True)
ctypes.CDLL(os.path.abspath("k.so")).starve(240)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return F.gelu(self.norm(x))
