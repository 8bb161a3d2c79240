// Tracing: a thread of another process stands still for a moment (ptrace), whatever it does or wants.
#pragma once

#include <sys/types.h>

#include <functional>

namespace kforge {

enum class Stop {
    done,
    ended,    // there is no such thread any more
    refused,  // this machine does not allow it, or the process has made itself untouchable
    pending   // it is in a long system call and will stop after it
};

// Stops a thread for the time of `visit`. Where the stop is still pending the calling thread must end: that
// lets the other one go.
Stop while_stopped(pid_t tid, const std::function<void()>& visit);

// The same from a thread that ends afterwards.
Stop while_stopped_apart(pid_t tid, const std::function<void()>& visit);

}  // namespace kforge
