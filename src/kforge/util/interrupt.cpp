#include "kforge/util/interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

namespace kforge {
namespace {

std::atomic<bool> g_interrupted{false};
int g_pipe[2] = {-1, -1};

void on_signal(int) {
    if (g_interrupted.exchange(true)) ::_exit(130);
    const char byte = 1;
    if (g_pipe[1] >= 0 && ::write(g_pipe[1], &byte, 1) < 0) return;
}

}  // namespace

void install_interrupt_handler() {
    if (g_pipe[0] < 0 && ::pipe2(g_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;
    struct sigaction action {};
    action.sa_handler = on_signal;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() {
    return g_interrupted.load();
}
int interrupt_fd() {
    return g_pipe[0];
}
Error interrupted_error() {
    return Error{ErrorKind::cancelled, "interrupted"};
}
void set_interrupted_for_test(bool value) {
    g_interrupted = value;
}

}  // namespace kforge
