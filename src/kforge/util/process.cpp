#include "kforge/util/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "kforge/util/interrupt.hpp"
#include "kforge/util/live_children.hpp"
#include "kforge/util/spawn.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds k_longest_wait = 24h * 365;
constexpr size_t k_pipe_reads_after_end = 64;  // of 64 KiB: more than any pipe holds
constexpr unsigned k_memfd_noexec = 8;         // MFD_NOEXEC_SEAL: hardened kernels insist, old ones refuse

ExitStatus decode(int wait_status) {
    if (WIFSIGNALED(wait_status)) return ExitStatus{0, WTERMSIG(wait_status)};
    return ExitStatus{WEXITSTATUS(wait_status), 0};
}

// Ended, but not reaped: the pid still names the child and its session.
bool has_ended(pid_t pid) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
        return errno == ECHILD;
    return info.si_pid == pid;
}

// Readable when the process ends. Absent on kernels before 5.3: then waits look every few milliseconds.
Fd open_pidfd(pid_t pid) {
    return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

Clock::time_point deadline_after(std::chrono::milliseconds limit) {
    return Clock::now() + std::clamp(limit, 0ms, k_longest_wait);
}

int poll_timeout(Clock::time_point deadline, bool wakes_on_exit) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const std::chrono::milliseconds longest = wakes_on_exit ? 1h : 5ms;
    return static_cast<int>(std::clamp(left, 0ms, longest).count());
}

Error no_descriptor(std::string_view what) {
    return Error{ErrorKind::environment, fmt::format("cannot make {}: {}", what, std::strerror(errno))};
}

Result<Fd> open_null(int flags) {
    Fd fd(::open("/dev/null", flags | O_CLOEXEC));
    if (!fd) return no_descriptor("a descriptor of /dev/null");
    return fd;
}

// The input as an anonymous file: nothing to feed while the process runs, no SIGPIPE when it does not read.
Result<Fd> input_file(std::string_view input) {
    if (input.empty()) return open_null(O_RDONLY);
    Fd file(::memfd_create("input", MFD_CLOEXEC | k_memfd_noexec));
    if (!file) file.reset(::memfd_create("input", MFD_CLOEXEC));
    if (!file) return no_descriptor("a file for standard input");
    while (!input.empty()) {
        const ssize_t n = ::write(file.get(), input.data(), input.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return no_descriptor("a file for standard input");
        input.remove_prefix(static_cast<size_t>(n));
    }
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

// What the process writes to one of its standard descriptors.
class Capture {
  public:
    static Result<Capture> create(size_t limit) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return no_descriptor("a pipe");
        Capture capture;
        capture.m_read.reset(ends[0]);
        capture.m_write.reset(ends[1]);
        capture.m_limit = limit;
        ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
        return capture;
    }

    int write_end() const { return m_write.get(); }
    void close_write_end() { m_write.reset(); }
    pollfd to_poll() const { return pollfd{m_read.get(), POLLIN, 0}; }  // poll skips closed (-1) ones

    // Takes one piece; false when there is none at the moment or will be none.
    bool take() {
        if (!m_read) return false;
        char buffer[65536];
        const ssize_t n = ::read(m_read.get(), buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) return true;
        if (n < 0 && errno == EAGAIN) return false;
        if (n <= 0) {
            m_read.reset();
            return false;
        }
        m_text.append(buffer, std::min(static_cast<size_t>(n), m_limit - m_text.size()));
        return true;
    }

    // Bounded, because a process that escaped may still be writing.
    std::string finish() {
        for (size_t i = 0; i < k_pipe_reads_after_end && take(); ++i) {
        }
        return std::move(m_text);
    }

  private:
    Fd m_read;
    Fd m_write;
    size_t m_limit = 0;
    std::string m_text;
};

}  // namespace

std::string ExitStatus::describe() const {
    if (signal == 0) return fmt::format("exit status {}", code);
    const char* name = ::sigabbrev_np(signal);
    return name != nullptr ? fmt::format("signal {} (SIG{})", signal, name)
                           : fmt::format("signal {}", signal);
}

Environment inherit_environment(const std::vector<std::string>& names) {
    const auto wanted = [&](std::string_view name) {
        return std::any_of(names.begin(), names.end(), [&](std::string_view pattern) {
            if (pattern.empty() || pattern.back() != '*') return name == pattern;
            return name.substr(0, pattern.size() - 1) == pattern.substr(0, pattern.size() - 1);
        });
    };
    Environment environment;
    for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        const size_t equals = text.find('=');
        if (equals != std::string_view::npos && wanted(text.substr(0, equals)))
            environment.emplace_back(text);
    }
    return environment;
}

Result<Child> Child::start(const ChildSpec& spec) {
    TRY_ASSIGN(const Fd input, open_null(O_RDONLY));
    TRY_ASSIGN(const Fd sink, open_null(O_WRONLY));
    const int log = spec.log_fd >= 0 ? spec.log_fd : sink.get();
    TRY_ASSIGN(const pid_t pid,
               spawn({spec.argv, spec.environment, spec.directory, {input.get(), log, log}, spec.inherited}));
    Child child;
    child.m_pid = pid;
    return child;
}

Child::Child(Child&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)), m_status(std::exchange(other.m_status, std::nullopt)) {}

Child& Child::operator=(Child&& other) noexcept {
    if (this == &other) return *this;
    kill_tree();
    m_pid = std::exchange(other.m_pid, -1);
    m_status = std::exchange(other.m_status, std::nullopt);
    return *this;
}

Child::~Child() {
    kill_tree();
}

bool Child::try_finish() {
    if (!has_ended(m_pid)) return false;
    kill_process_tree(m_pid);  // before the reaping, while the pid still stands for its session
    const std::optional<int> status = reap_listed(m_pid);
    if (status) m_status = decode(*status);
    return m_status.has_value();
}

std::optional<ExitStatus> Child::wait(std::chrono::milliseconds limit) {
    if (!started() || m_status || try_finish()) return m_status;
    const Fd pidfd = open_pidfd(m_pid);
    const auto deadline = deadline_after(limit);
    while (Clock::now() < deadline) {
        pollfd ended{pidfd.get(), POLLIN, 0};
        ::poll(&ended, 1, poll_timeout(deadline, static_cast<bool>(pidfd)));
        if (try_finish()) break;
    }
    return m_status;
}

void Child::kill_tree() {
    if (!started() || m_status) return;
    kill_process_tree(m_pid);
    try_finish();
}

Result<ProcessOutcome> run_process(const ProcessSpec& spec) {
    if (interrupted()) return interrupted_error();
    TRY_ASSIGN(const Fd input, input_file(spec.input));
    TRY_ASSIGN(Capture out, Capture::create(spec.output_limit));
    TRY_ASSIGN(Capture err, Capture::create(spec.output_limit));
    Child child;
    const auto deadline = deadline_after(spec.timeout);
    TRY_ASSIGN(child.m_pid, spawn({spec.argv,
                                   spec.environment,
                                   spec.directory,
                                   {input.get(), out.write_end(), err.write_end()},
                                   {},
                                   /*keeps_orphans=*/true}));
    out.close_write_end();
    err.close_write_end();

    ProcessOutcome outcome;
    bool cancelled = false;
    const Fd pidfd = open_pidfd(child.pid());
    // The end of the process counts, not that of its output: what it started may hold the pipes open.
    while (!child.try_finish()) {
        cancelled = interrupted();
        outcome.timed_out = !cancelled && Clock::now() >= deadline;
        if (cancelled || outcome.timed_out) {
            child.kill_tree();
            break;
        }
        pollfd events[] = {
            out.to_poll(), err.to_poll(), {pidfd.get(), POLLIN, 0}, {interrupt_fd(), POLLIN, 0}};
        ::poll(events, std::size(events), poll_timeout(deadline, static_cast<bool>(pidfd)));
        if (events[0].revents != 0) out.take();
        if (events[1].revents != 0) err.take();
    }
    // Orphans that left its session stayed its descendants as long as it lived; now they are ours.
    reap_orphans();
    if (cancelled) return interrupted_error();
    outcome.status = child.m_status.value_or(ExitStatus{0, SIGKILL});
    outcome.out = out.finish();
    outcome.err = err.finish();
    return outcome;
}

}  // namespace kforge
