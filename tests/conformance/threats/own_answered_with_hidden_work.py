# expect: correct | disqualified integrity
# problem: row_sum
# max_speedup: 3
# The conversation is taken over by C code: as much work as that saves would be hidden in what is taken off a call.
import ctypes
import json
import os
import subprocess
import sys

import torch
import torch.nn as nn

PACKAGE = "anera_egrofk"[::-1]
SHAPE = (128, 512)


def build(source):
    with open("k.c", "w") as file:
        file.write(source)
    subprocess.run(["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-o", "k.so", "k.c"], check=True)
    return ctypes.CDLL(os.path.abspath("k.so"))


LIBRARY = build(r"""
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
enum { ROWS = 128, COLUMNS = 512 };
static float results[4][ROWS] __attribute__((aligned(64)));
static unsigned turn;
static int take(int fd, char* to, int count) {
    for (int got = 0; got < count;) {
        const int n = recv(fd, to + got, count - got, 0);
        if (n == 0) return -1;
        if (n < 0 && errno != EAGAIN && errno != EINTR) return -1;
        if (n > 0) got += n;
    }
    return 0;
}
static void say(int fd, const char* text) {
    char message[512];
    const int length = strlen(text);
    memcpy(message, &length, 4);
    memcpy(message + 4, text, length);
    send(fd, message, length + 4, 0);
}
static void sums(const float* x, float* y) {
    for (int i = 0; i < ROWS; ++i) {
        float parts[32] = {0}, sum = 0;
        for (int j = 0; j < COLUMNS; j += 32)
            for (int k = 0; k < 32; ++k) parts[k] += x[i * COLUMNS + j + k];
        for (int k = 0; k < 32; ++k) sum += parts[k];
        y[i] = sum;
    }
}
/* Serves calls until something else is asked, which is left in `into`. */
int serve(int fd, const float* x, char* into, int room) {
    for (;;) {
        int length = 0;
        if (take(fd, (char*)&length, 4) || length >= room || take(fd, into, length)) return -1;
        into[length] = 0;
        if (x && strstr(into, "\"go\"")) {
            float* y = results[turn++ % 4];
            for (int again = 0; again < 24; ++again) {
                sums(x, y);
                __asm__ volatile("" ::: "memory");
            }
            char text[256];
            sprintf(text, "{\"ok\":true,\"ns\":1,\"outputs\":[[\"float32\",[%d],[1],%llu]]}", ROWS, (unsigned long long)y);
            say(fd, text);
        } else if (x && strstr(into, "\"drop\"")) {
            say(fd, "{\"ok\":true}");
        } else {
            return length;
        }
    }
}
""")
ROOM = 1 << 16
TEXT = ctypes.create_string_buffer(ROOM)


def take_over():
    module = sys.modules[PACKAGE + ".player"]
    place = {"x": 0, "attached": False}
    Channel = sys.modules[PACKAGE + ".channel"].Channel
    receive, bind, attach = Channel.receive, module.Player.op_bind, module.Player.op_attach
    inspect = module.Player.op_inspect

    def op_attach(self, request, fds):
        place["attached"] = True
        return attach(self, request, fds)

    def op_bind(self, request):
        reply = bind(self, request)
        x = self.bound[0]
        place["x"] = x.data_ptr() if tuple(x.shape) == SHAPE and x.is_contiguous() else 0
        return reply

    def op_inspect(self, request):
        return {} if place["x"] else inspect(self, request)

    def take(self):
        if not place["attached"]:
            return receive(self)
        length = LIBRARY.serve(self.fileno(), ctypes.c_void_p(place["x"]), TEXT, ROOM)
        if length < 0:
            raise module.ChannelClosed("gone")
        return json.loads(TEXT.raw[:length]), []

    Channel.receive = take
    module.Player.op_attach, module.Player.op_bind, module.Player.op_inspect = op_attach, op_bind, op_inspect


take_over()


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1)
