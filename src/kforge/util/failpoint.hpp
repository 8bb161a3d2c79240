// Named instants at which a test may want the process to die: around every durable write and journal line.
// Without a handler a failpoint costs one load. Thread-safe, except that a handler is installed at start-up.
#pragma once

#include <atomic>
#include <functional>
#include <string_view>

namespace kforge {

// `point` is the instant ("journal.append.before"), `subject` what it concerns (an event's type, a file
// name).
using FailpointHandler = std::function<void(std::string_view point, std::string_view subject)>;

// An empty handler removes the one there is.
void set_failpoint_handler(FailpointHandler handler);

namespace detail {
extern std::atomic<const FailpointHandler*> failpoint_handler;
}

inline void failpoint(std::string_view point, std::string_view subject) {
    if (const FailpointHandler* handler = detail::failpoint_handler.load()) (*handler)(point, subject);
}

}  // namespace kforge
