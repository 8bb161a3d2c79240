#include "kforge/arena/worker.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "kforge/arena/environments.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// Names of exceptions: ours, Python's and PyTorch's.
constexpr std::string_view k_machine_errors[] = {"MachineError", "DeviceError", "MemoryError",
                                                 "OutOfMemoryError", "AcceleratorError"};

// A worker that is busy reads later: torch.compile takes minutes.
constexpr double k_send_limit_s = 900;

}  // namespace

Forked::Forked(pid_t pid) : m_pid(pid), m_handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}

Forked::Forked(Forked&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)), m_handle(std::move(other.m_handle)) {}

Forked& Forked::operator=(Forked&& other) noexcept {
    if (this == &other) return *this;
    kill_tree();
    m_pid = std::exchange(other.m_pid, -1);
    m_handle = std::move(other.m_handle);
    return *this;
}

Forked::~Forked() {
    kill_tree();
}

void Forked::kill_tree() {
    if (m_handle && ::syscall(SYS_pidfd_send_signal, m_handle.get(), 0, nullptr, 0) == 0)
        kill_process_tree(m_pid);
    m_handle.reset();
}

Result<Worker> Worker::start(const WorkerSpec& spec) {
    TRY_ASSIGN(auto ends, Channel::create());
    TRY_ASSIGN(auto log, LogTail::create());
    Worker worker;
    worker.m_role = spec.role;
    worker.m_python = spec.python.string();
    worker.m_channel = std::move(ends.first);
    worker.m_log = std::move(log.first);

    ChildSpec child;
    child.argv = {spec.python.string(), (spec.python_path / "kforge_arena" / "worker.py").string(), spec.role,
                  "3"};
    child.environment = spec.environment;
    child.inherited = {ends.second.get()};
    child.log_fd = log.second.get();
    TRY_ASSIGN(worker.m_child, Child::start(child));
    return worker;
}

Result<Worker> Worker::branch(Worker& nursery, const std::string& role,
                              const std::optional<Environment>& environment) {
    TRY_ASSIGN(auto ends, Channel::create());
    TRY_ASSIGN(auto log, LogTail::create());
    nlohmann::json request = {{"op", "fork"}, {"role", role}};
    if (environment) request["environment"] = environment_json(*environment);
    TRY_ASSIGN(const Message reply, nursery.call(std::move(request), {ends.second.get(), log.second.get()}));
    Worker worker;
    worker.m_role = role;
    worker.m_python = nursery.m_python;
    worker.m_channel = std::move(ends.first);
    worker.m_log = std::move(log.first);
    worker.m_forked = Forked(reply.body.at("pid").get<pid_t>());
    return worker;
}

Result<Message> Worker::call(nlohmann::json request, const std::vector<int>& fds, double limit_s) {
    const std::lock_guard lock(*m_turn);
    TRY(post(std::move(request), fds));
    return collect(limit_s);
}

Result<void> Worker::post(nlohmann::json request, const std::vector<int>& fds) {
    Result<void> sent = m_channel.send(request, fds, deadline_in(k_send_limit_s), &m_log);
    if (sent.ok() || sent.error().kind == ErrorKind::cancelled) return sent;
    return dead(sent.error());
}

Result<Message> Worker::collect(double limit_s) {
    Result<Message> reply = m_channel.receive(deadline_in(limit_s), &m_log);
    if (!reply.ok()) {
        if (reply.error().kind == ErrorKind::cancelled) return reply;
        return dead(reply.error());
    }
    const nlohmann::json& body = reply->body;
    if (body.value("ok", false)) return reply;
    const std::string kind = body.value("kind", "");
    const std::string message = sanitize(body.value("message", ""));
    if (kind == "ProblemError" || kind == "RenderError") return Error{ErrorKind::config, message};
    // Memory that others have taken, or a GPU that has failed, is no bug of ours.
    if (std::find(std::begin(k_machine_errors), std::end(k_machine_errors), kind) !=
        std::end(k_machine_errors))
        return Error{ErrorKind::environment, fmt::format("the {} cannot work here: {}", m_role, message)};
    return Error{ErrorKind::internal, fmt::format("the {} failed: {}: {}\n{}", m_role, kind, message,
                                                  sanitize(body.value("detail", "")))};
}

Freezer& Worker::freezer() {
    if (!m_freezer) m_freezer = std::make_unique<Freezer>(pid(), Freezer::Root::worker);
    return *m_freezer;
}

void Worker::end() {
    m_child.kill_tree();
    m_forked.kill_tree();
}

Error Worker::dead(const Error& cause) {
    end();
    while (m_log.drain() && m_log.fd() >= 0) {
        if (!m_child.started() || m_child.wait(std::chrono::milliseconds(100))) {
            m_log.drain();
            break;
        }
    }
    const std::string words = m_log.text();
    if (words.find("ModuleNotFoundError") != std::string::npos) {
        const std::vector<std::string> lines = split_lines(words);
        return Error{
            ErrorKind::environment,
            fmt::format(
                "{} lacks a package: {}. Name a Python that has PyTorch (--python), or run 'make run' "
                "once to make one",
                m_python, lines.empty() ? "" : lines.back())};
    }
    const char* what = cause.kind == ErrorKind::timeout ? "was too slow and was ended" : "ended unexpectedly";
    return Error{ErrorKind::process, fmt::format("the {} process {} ({}){}{}", m_role, what, cause.message,
                                                 words.empty() ? "" : ":\n", elide_middle(words, 4000))};
}

}  // namespace kforge
