# expect: correct | disqualified integrity | runtime_error exception
# problem: slow_chain
# max_speedup: 1.15
# Timers run out while it stands still, and the signal that each sends is work for the interrupt: in the first process it goes
# past all of those who wait for other signals, tens of thousands of them, with the processor of whoever is being timed.
import subprocess

import torch
import torch.nn as nn
import torch.nn.functional as F

with open("k.c", "w") as source:
    source.write(r"""
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <unistd.h>
enum { HELPERS = 6, GROUPS = 138, FILES = 200, FIRST_US = 2000, GAP_US = 3000 };
int main(void) {
    int helper = 0, files[FILES];
    while (helper < HELPERS && fork() != 0) helper++;
    if (helper == HELPERS) for (;;) pause();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int waiting = epoll_create1(0);
    sigset_t alarm, other;
    sigemptyset(&alarm); sigaddset(&alarm, SIGALRM); sigprocmask(SIG_BLOCK, &alarm, NULL);
    sigemptyset(&other); sigaddset(&other, SIGUSR2);
    struct epoll_event event = {EPOLLIN | EPOLLEXCLUSIVE, {0}};
    for (int i = 0; i < FILES; i++)
        if ((files[i] = signalfd(-1, &other, 0)) < 0) return perror("signalfd"), 1;
    for (int group = 0; group < GROUPS; group++) {
        int many = epoll_create1(0);
        for (int i = 0; i < FILES; i++) epoll_ctl(many, EPOLL_CTL_ADD, files[i], &event);
    }
    for (;;) {
        /* Continued: sleeping is interrupted. */
        if (epoll_wait(waiting, &event, 1, -1) >= 0 || errno != EINTR) continue;
        struct itimerval when = {{0, 0}, {0, FIRST_US + helper * GAP_US}};
        struct timespec none = {0, 0};
        if (setitimer(ITIMER_REAL, &when, NULL)) return perror("setitimer"), 1;
        sigtimedwait(&alarm, NULL, &none);
    }
}
""")
subprocess.run(["gcc", "-O2", "-o", "k", "k.c"], check=True)
HELPER = subprocess.Popen(["./k"])


class NewModel(nn.Module):
    def forward(self, x):
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
