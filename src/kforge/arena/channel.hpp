// Channel: length-prefixed JSON with descriptors over a socket, to a process that may be hostile. Every wait
// has a deadline and ends early on an interrupt. Knows the framing, not the messages.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kforge/util/fd.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

using Deadline = std::chrono::steady_clock::time_point;
Deadline deadline_in(double seconds);
double seconds_until(Deadline deadline);

// What a process prints, read without blocking: the beginning and the end are kept, the middle is dropped.
class LogTail {
  public:
    LogTail() = default;
    // And the end to write to, for the process.
    static Result<std::pair<LogTail, Fd>> create();
    int fd() const { return m_fd.get(); }
    bool drain();              // what is there now, up to a megabyte; false once the other end is closed
    std::string text() const;  // sanitized

  private:
    explicit LogTail(Fd read_end) : m_fd(std::move(read_end)) {}
    Fd m_fd;
    std::string m_head;
    std::string m_tail;
    size_t m_dropped = 0;
};

struct Message {
    nlohmann::json body;
    std::vector<Fd> fds;
};

class Channel {
  public:
    Channel() = default;
    explicit Channel(Fd socket) : m_socket(std::move(socket)) {}

    // A connected pair: one end for us, one to hand to a child.
    static Result<std::pair<Channel, Fd>> create();

    // Errors: timeout (the other end does not read), cancelled, process (it is gone). `log` is drained
    // meanwhile.
    Result<void> send(const nlohmann::json& body, const std::vector<int>& fds, Deadline deadline,
                      LogTail* log = nullptr);
    // Errors: timeout, cancelled, process (the other end is gone), protocol (not a message).
    Result<Message> receive(Deadline deadline, LogTail* log = nullptr);
    // Until there is something to receive; a timeout loses nothing.
    Result<void> await(Deadline deadline, LogTail* log);
    // Asks again and again for a while before it sleeps: waking up takes as long as a small kernel on a GPU.
    void stay_awake() { m_awake = true; }
    bool readable(int wait_ms = 0) const;  // something has come, or the other end is gone

  private:
    bool watch(short ready, double seconds) const;
    Result<void> wait_until(short ready, Deadline deadline, LogTail* log);
    Result<size_t> read_some(char* into, size_t size, Deadline deadline, LogTail* log, std::vector<Fd>* fds);
    Result<void> read_exactly(char* into, size_t size, Deadline deadline, LogTail* log, std::vector<Fd>* fds);
    Fd m_socket;
    bool m_awake = false;
};

}  // namespace kforge
