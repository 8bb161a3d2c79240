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

// Once, and by whoever comes first: a wait that began before an interrupt has to see it.
void open_pipe() {
    [[maybe_unused]] static const int opened = ::pipe2(g_pipe, O_CLOEXEC | O_NONBLOCK);
}

}  // namespace

void install_interrupt_handler() {
    open_pipe();
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
    open_pipe();
    return g_pipe[0];
}
Error interrupted_error() {
    return Error{ErrorKind::cancelled, "interrupted"};
}
void set_interrupted_for_test(bool value) {
    open_pipe();
    g_interrupted = value;
    char byte = 1;
    if (value && ::write(g_pipe[1], &byte, 1) == 1) return;
    while (!value && ::read(g_pipe[0], &byte, 1) == 1) {
    }
}

}  // namespace kforge
