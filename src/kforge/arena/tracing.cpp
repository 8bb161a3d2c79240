#include "kforge/arena/tracing.hpp"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace kforge {
namespace {

using Clock = std::chrono::steady_clock;

// A thread that runs stops within microseconds of its next turn; one in a long system call does not.
constexpr auto k_tracing_patience = std::chrono::milliseconds(50);

// Waits until a thread that was told to stop has stopped; `signal` is to be handed on when it is let go.
Stop await_stop(pid_t tid, int& signal) {
    const Clock::time_point limit = Clock::now() + k_tracing_patience;
    do {
        int status = 0;
        const pid_t changed = ::waitpid(tid, &status, __WALL | __WNOTHREAD | WNOHANG);
        if (changed < 0 || (changed == tid && !WIFSTOPPED(status))) return Stop::ended;
        if (changed == tid) {
            signal = status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
            return Stop::done;
        }
        ::usleep(5);  // it may need the processor that we are on
    } while (Clock::now() < limit);
    return Stop::pending;
}

}  // namespace

Stop while_stopped(pid_t tid, const std::function<void()>& visit) {
    if (::ptrace(PTRACE_SEIZE, tid, nullptr, nullptr) != 0)
        return errno == EPERM || errno == EACCES ? Stop::refused : Stop::ended;
    ::ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr);
    int signal = 0;
    const Stop stop = await_stop(tid, signal);
    if (stop != Stop::done) return stop;
    visit();
    ::ptrace(PTRACE_DETACH, tid, nullptr, static_cast<long>(signal));
    return stop;
}

Stop while_stopped_apart(pid_t tid, const std::function<void()>& visit) {
    Stop stop = Stop::pending;
    std::thread([&] { stop = while_stopped(tid, visit); }).join();
    return stop;
}

}  // namespace kforge
