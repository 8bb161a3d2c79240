#include "kforge/arena/channel.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "kforge/util/interrupt.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr double k_awake_s = 0.01;
constexpr int k_pauses = 20;  // about a microsecond
constexpr size_t k_max_message = 4 << 20;
constexpr size_t k_max_fds = 8;
constexpr size_t k_log_half = 32 << 10;
constexpr size_t k_drain_limit = 1 << 20;  // who prints without end must not keep us from the clock

Error gone(std::string_view what) {
    return Error{ErrorKind::process, std::string(what)};
}

}  // namespace

Deadline deadline_in(double seconds) {
    return std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                  std::chrono::duration<double>(seconds));
}

double seconds_until(Deadline deadline) {
    return std::chrono::duration<double>(deadline - std::chrono::steady_clock::now()).count();
}

Result<std::pair<LogTail, Fd>> LogTail::create() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return Error{ErrorKind::environment, fmt::format("cannot make a pipe: {}", std::strerror(errno))};
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return std::pair(LogTail(Fd(ends[0])), Fd(ends[1]));
}

bool LogTail::drain() {
    if (!m_fd) return false;
    char buffer[65536];
    for (size_t drained = 0; drained < k_drain_limit;) {
        const ssize_t n = ::read(m_fd.get(), buffer, sizeof buffer);
        if (n < 0) return errno == EAGAIN || errno == EINTR;
        if (n == 0) {
            m_fd.reset();
            return false;
        }
        std::string_view chunk(buffer, static_cast<size_t>(n));
        const size_t room = k_log_half - std::min(k_log_half, m_head.size());
        m_head += chunk.substr(0, room);
        m_tail += chunk.substr(std::min(room, chunk.size()));
        if (m_tail.size() > 2 * k_log_half) {
            m_dropped += m_tail.size() - k_log_half;
            m_tail.erase(0, m_tail.size() - k_log_half);
        }
        drained += chunk.size();
    }
    return true;
}

std::string LogTail::text() const {
    if (m_dropped == 0) return sanitize(m_head + m_tail);
    return sanitize(m_head) + fmt::format("\n[... {} bytes left out ...]\n", m_dropped) + sanitize(m_tail);
}

Result<std::pair<Channel, Fd>> Channel::create() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return Error{ErrorKind::environment,
                     fmt::format("cannot make a socket pair: {}", std::strerror(errno))};
    return std::pair<Channel, Fd>(Channel(Fd(ends[0])), Fd(ends[1]));
}

// Whether it came to that within this time, in which we do not sleep.
bool Channel::watch(short ready, double seconds) const {
    const Deadline sleepy = deadline_in(seconds);
    do {
        pollfd wait{m_socket.get(), ready, 0};
        if (::poll(&wait, 1, 0) > 0) return true;
        // The other half of our core may be the one that we wait for.
        for (int i = 0; i < k_pauses; ++i) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#else
            asm volatile("yield");
#endif
        }
    } while (std::chrono::steady_clock::now() < sleepy);
    return false;
}

Result<void> Channel::wait_until(short ready, Deadline deadline, LogTail* log) {
    if (m_awake && watch(ready, k_awake_s)) return {};
    for (;;) {
        if (interrupted()) return interrupted_error();
        const double left = seconds_until(deadline);
        if (left <= 0) return Error{ErrorKind::timeout, "no answer in time"};
        std::array<pollfd, 3> waits = {
            {{m_socket.get(), ready, 0}, {interrupt_fd(), POLLIN, 0}, {-1, POLLIN, 0}}};
        if (log != nullptr) waits[2].fd = log->fd();
        const int wait_ms = static_cast<int>(std::min(left * 1000 + 1, 3600e3));
        if (::poll(waits.data(), waits.size(), wait_ms) < 0 && errno != EINTR)
            return Error{ErrorKind::internal, fmt::format("poll failed: {}", std::strerror(errno))};
        if (waits[2].revents != 0) log->drain();
        if (waits[0].revents != 0) return {};
    }
}

Result<void> Channel::send(const nlohmann::json& body, const std::vector<int>& fds, Deadline deadline,
                           LogTail* log) {
    const std::string text = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const uint32_t length = static_cast<uint32_t>(text.size());
    std::string frame(sizeof length, '\0');
    std::memcpy(frame.data(), &length, sizeof length);
    frame += text;

    size_t sent = 0;
    while (sent < frame.size()) {
        TRY(wait_until(POLLOUT, deadline, log));
        iovec part{frame.data() + sent, frame.size() - sent};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        alignas(cmsghdr) std::array<char, CMSG_SPACE(k_max_fds * sizeof(int))> control{};
        if (sent == 0 && !fds.empty()) {
            header.msg_control = control.data();
            header.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
            cmsghdr* item = CMSG_FIRSTHDR(&header);
            item->cmsg_level = SOL_SOCKET;
            item->cmsg_type = SCM_RIGHTS;
            item->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
            std::memcpy(CMSG_DATA(item), fds.data(), fds.size() * sizeof(int));
        }
        const ssize_t n = ::sendmsg(m_socket.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0) {
            if (errno == EINTR || errno == EAGAIN) continue;
            return gone(fmt::format("the process is gone: {}", std::strerror(errno)));
        }
        sent += static_cast<size_t>(n);
    }
    return {};
}

Result<size_t> Channel::read_some(char* into, size_t size, Deadline deadline, LogTail* log,
                                  std::vector<Fd>* fds) {
    for (;;) {
        TRY(wait_until(POLLIN, deadline, log));
        iovec part{into, size};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        alignas(cmsghdr) std::array<char, CMSG_SPACE(k_max_fds * sizeof(int))> control{};
        header.msg_control = control.data();
        header.msg_controllen = control.size();
        const ssize_t n = ::recvmsg(m_socket.get(), &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
        if (n < 0) {
            if (errno == EINTR || errno == EAGAIN) continue;
            return gone(fmt::format("the process is gone: {}", std::strerror(errno)));
        }
        // Descriptors are taken into ownership even when unwanted, so that a player cannot make us leak them.
        std::vector<Fd> received;
        for (cmsghdr* item = CMSG_FIRSTHDR(&header); item != nullptr; item = CMSG_NXTHDR(&header, item)) {
            if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS) continue;
            const size_t count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (size_t i = 0; i < count; ++i) {
                int fd = -1;
                std::memcpy(&fd, CMSG_DATA(item) + i * sizeof(int), sizeof fd);
                received.emplace_back(fd);
            }
        }
        for (Fd& fd : received)
            if (fds != nullptr && fds->size() < k_max_fds) fds->push_back(std::move(fd));
        if (n == 0) return gone("the process closed its channel");
        return static_cast<size_t>(n);
    }
}

Result<void> Channel::read_exactly(char* into, size_t size, Deadline deadline, LogTail* log,
                                   std::vector<Fd>* fds) {
    while (size > 0) {
        TRY_ASSIGN(const size_t n, read_some(into, size, deadline, log, fds));
        into += n;
        size -= n;
    }
    return {};
}

Result<Message> Channel::receive(Deadline deadline, LogTail* log) {
    Message message;
    uint32_t length = 0;
    TRY(read_exactly(reinterpret_cast<char*>(&length), sizeof length, deadline, log, &message.fds));
    if (length > k_max_message)
        return Error{ErrorKind::protocol, fmt::format("a message of {} bytes is too long", length)};
    std::string text(length, '\0');
    TRY(read_exactly(text.data(), text.size(), deadline, log, &message.fds));
    message.body = nlohmann::json::parse(text, nullptr, false);
    if (!message.body.is_object()) return Error{ErrorKind::protocol, "a message is not a JSON object"};
    return message;
}

Result<void> Channel::await(Deadline deadline, LogTail* log) {
    return wait_until(POLLIN, deadline, log);
}

bool Channel::readable(int wait_ms) const {
    if (m_awake) return watch(POLLIN, wait_ms / 1e3);
    pollfd poll_fd{m_socket.get(), POLLIN, 0};
    return ::poll(&poll_fd, 1, wait_ms) > 0;
}

}  // namespace kforge
