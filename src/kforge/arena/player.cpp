#include "kforge/arena/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "kforge/arena/environments.hpp"
#include "kforge/util/interrupt.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// A player that has just closed its channel is on its way out by itself: its own exit status is worth waiting
// for.
constexpr auto k_last_words = std::chrono::milliseconds(500);
// What a stopped process may seem to have used: the clock of a process is read while others are being
// stopped.
constexpr int64_t k_idle_ns = 5'000'000;
// What its zygote waits for the end of one player, and then sees to others before it is asked again.
constexpr double k_ending_look_s = 0.1;
constexpr useconds_t k_ending_pause_us = 20'000;
constexpr double k_ending_answer_s = 60;
constexpr double k_looks = 4;  // for a compiler, in the time that a call may take

bool is_running(pid_t pid) {
    Result<std::string> status = read_file(fmt::format("/proc/{}/stat", pid));
    if (!status.ok()) return false;
    const size_t name_end = status->rfind(") ");
    return name_end != std::string::npos && (*status)[name_end + 2] != 'Z';
}

bool ends_soon(pid_t pid) {
    const auto patience = std::chrono::steady_clock::now() + k_last_words;
    while (is_running(pid) && std::chrono::steady_clock::now() < patience) ::usleep(1000);
    return !is_running(pid);
}

}  // namespace

Result<Player> Player::spawn(Worker& zygote, const PlayerSpec& spec) {
    TRY_ASSIGN(auto ends, Channel::create());
    TRY_ASSIGN(auto log, LogTail::create());
    Player player;
    player.m_zygote = &zygote;
    player.m_channel = std::move(ends.first);
    player.m_log = std::move(log.first);
    const nlohmann::json request = {{"op", "spawn"},
                                    {"scratch", spec.scratch.string()},
                                    {"auxiliary", spec.auxiliary.string()},
                                    {"build", spec.build.string()},
                                    {"environment", environment_json(spec.environment)},
                                    {"threads", spec.threads},
                                    {"memory_bytes", spec.memory_bytes},
                                    {"mode", spec.mode},
                                    {"device", spec.device},
                                    {"by_host", spec.by_host},
                                    {"jail", spec.jail}};
    TRY_ASSIGN(const Message reply, zygote.call(request, {ends.second.get(), log.second.get()}, 60));
    player.m_pid = reply.body.value("pid", -1);
    if (player.m_pid <= 0) return Error{ErrorKind::internal, "the zygote named no player"};
    player.m_scratch = spec.scratch.string();
    player.m_ending_limit_s = spec.ending_limit_s;
    player.m_gpu = spec.gpu;
    if (spec.gpu || spec.by_host) player.m_channel.stay_awake();
    player.m_freezer.emplace(player.m_pid, spec.jail.is_null() ? Freezer::Root::player : Freezer::Root::jail);
    return player;
}

Player::Player(Player&& other) noexcept
    : m_zygote(other.m_zygote),
      m_pid(std::exchange(other.m_pid, -1)),
      m_gpu(std::move(other.m_gpu)),
      m_freezer(std::move(other.m_freezer)),
      m_scratch(std::move(other.m_scratch)),
      m_jail_report(std::move(other.m_jail_report)),
      m_frozen_cpu_ns(other.m_frozen_cpu_ns),
      m_last_call_ms(other.m_last_call_ms),
      m_last_used_ms(other.m_last_used_ms),
      m_last_busy_ms(other.m_last_busy_ms),
      m_last_awake_ms(other.m_last_awake_ms),
      m_status(other.m_status),
      m_channel(std::move(other.m_channel)),
      m_log(std::move(other.m_log)),
      m_ending_limit_s(other.m_ending_limit_s),
      m_outlives_its_end(other.m_outlives_its_end),
      m_out_of_memory(other.m_out_of_memory),
      m_out_of_files(other.m_out_of_files) {}

Player::~Player() {
    finish();
}

// Whether one of its processes is at work on another program than its own: what compiles when it is first
// called (torch.compile, a kernel that is built when it is needed) waits for that.
bool Player::is_building() const {
    const auto program = [](pid_t pid) {
        std::error_code failure;
        return std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid), failure).string();
    };
    const std::string own = program(m_freezer->player());
    const std::vector<pid_t> members = m_freezer->members();
    return !own.empty() && std::any_of(members.begin(), members.end(), [&](pid_t pid) {
        const std::string other = program(pid);
        return !other.empty() && other != own && is_at_work(pid, pid);
    });
}

// Looks for a compiler now and then; the limit counts from when one was seen last.
Result<Message> Player::receive(double limit_s, Deadline& deadline, Deadline last) {
    for (;;) {
        const Deadline look = std::min(deadline, deadline_in(limit_s / k_looks));
        const Result<void> come = m_channel.await(look, &m_log);
        if (come.ok()) return m_channel.receive(deadline, &m_log);
        if (come.error().kind != ErrorKind::timeout) return come.error();
        if (is_building()) deadline = std::min(deadline_in(limit_s), last);
        if (seconds_until(deadline) <= 0) return come.error();
    }
}

Result<Player::Answer> Player::call(const nlohmann::json& request, double limit_s, double build_limit_s,
                                    const std::vector<int>& fds, Sampler* sampler, const Start* then) {
    // Processor time is the witness: nothing of a stopped player can have run.
    if (m_freezer->cpu_ns() > m_frozen_cpu_ns + k_idle_ns && m_frozen_cpu_ns > 0) {
        // Or it was killed for want of memory, of the machine's: to give back its own takes long.
        if (ends_soon(m_freezer->player())) {
            m_freezer->thaw_root();
            return Answer(make_fault(Error{ErrorKind::process, "it was killed while it was stopped"}, 0));
        }
        Fault fault;
        fault.kind = Fault::Kind::nonsense;
        fault.message = "it ran while it was stopped";
        finish();
        return Answer(fault);
    }
    const int64_t used_before_ns = m_frozen_cpu_ns;
    if (sampler != nullptr) sampler->start(*m_freezer);
    auto start = std::chrono::steady_clock::now();
    const auto since_start = [&] { return milliseconds_between(start, std::chrono::steady_clock::now()); };
    m_freezer->thaw();
    Deadline deadline = deadline_in(limit_s);
    const Deadline last = deadline_in(std::max(limit_s, build_limit_s));
    const auto converse = [&](const nlohmann::json& message,
                              const std::vector<int>& files) -> Result<Message> {
        TRY(m_channel.send(message, files, deadline, &m_log));
        if (!m_channel.readable(k_unwatched_ms)) m_freezer->thaw_root();
        return receive(limit_s, deadline, last);
    };
    Result<Message> reply = converse(request, fds);
    const bool in_two_steps = then != nullptr;
    if (in_two_steps && reply.ok() && reply->body.contains("ready")) {
        if (std::optional<Fault> restless = stop()) return Answer(*restless);
        TRY(then->reveal());
        start = std::chrono::steady_clock::now();
        m_freezer->thaw();
        m_freezer->await_running();
        m_last_awake_ms = since_start();
        start = std::chrono::steady_clock::now();
        reply = converse(then->message, {});
    }
    // The clock runs until all that we know of has been told to stop: what works on meanwhile is not done in
    // no time.
    if (sampler == nullptr) m_freezer->halt();
    // What it has launched on a GPU goes on while it stands still, and counts until it is done.
    const auto take_time = [&]() -> Result<void> {
        if (in_two_steps && m_gpu && reply.ok()) TRY(m_gpu->settle());
        m_last_call_ms = since_start();
        return {};
    };
    TRY(take_time());
    if (sampler != nullptr) sampler->stop();
    if (!reply.ok()) {
        const Error& error = reply.error();
        if (error.kind == ErrorKind::cancelled || error.kind == ErrorKind::internal) return error;
        m_freezer->thaw_root();  // it knows how the player has ended
        return Answer(make_fault(error, limit_s));
    }
    if (sampler != nullptr) m_freezer->halt();
    if (std::optional<Fault> restless = stop()) return Answer(*restless);
    // A process that the call has started, or that ended meanwhile, stands still only now.
    const std::optional<double> worked_on_ms = m_freezer->worked_on_ms();
    if (m_freezer->met_new() || !worked_on_ms) {
        TRY(take_time());
    } else if (m_freezer->others_started()) {
        m_last_call_ms = milliseconds_between(start, m_freezer->still_since());
    } else {
        m_last_call_ms += *worked_on_ms;
    }
    // Of processes that have come or gone, or both, the time is not known.
    const double used_ms = static_cast<double>(m_frozen_cpu_ns - used_before_ns) / 1e6;
    const bool all_known = !m_freezer->met_new() && !m_freezer->missed_some() &&
                           !m_freezer->some_came_and_went() && worked_on_ms;
    m_last_used_ms = all_known ? used_ms : std::max(used_ms, m_last_call_ms);
    m_last_busy_ms = all_known ? std::min(m_last_call_ms, used_ms) : m_last_call_ms;
    const nlohmann::json& body = reply->body;
    if (body.contains("ok") && body["ok"].is_boolean() && body["ok"].get<bool>())
        return Answer(std::move(reply->body));
    Fault fault;
    try {
        fault.stage = body.value("kind", "exception");
        fault.message = sanitize(body.value("message", ""));
        fault.types = body.value("types", std::vector<std::string>{});
    } catch (const nlohmann::json::exception&) {
        fault.kind = Fault::Kind::nonsense;
        fault.message = "its reply has the wrong form";
    }
    return Answer(fault);
}

// The player did not answer: how it ended, after a moment for one that is on its way out.
Fault Player::make_fault(const Error& error, double limit_s) {
    Fault fault;
    if (error.kind == ErrorKind::timeout) {
        fault.kind = Fault::Kind::timeout;
        fault.limit_s = limit_s;
    } else if (error.kind == ErrorKind::protocol) {
        fault.kind = Fault::Kind::nonsense;
        fault.message = error.message;
    } else {
        fault.kind = Fault::Kind::death;
        ends_soon(m_pid);
    }
    fault.status = finish();
    fault.out_of_memory = m_out_of_memory;
    fault.out_of_files = m_out_of_files;
    return fault;
}

std::optional<Fault> Player::stop() {
    const bool stopped = m_freezer->freeze();
    m_frozen_cpu_ns = m_freezer->cpu_ns();
    // The jail's init has ended them all where they took too much memory in the call.
    if (!is_running(m_pid)) return make_fault(Error{ErrorKind::process, "its processes were ended"}, 0);
    if (stopped) return std::nullopt;
    Fault fault;
    fault.kind = Fault::Kind::nonsense;
    fault.message = "its processes could not be stopped: something in it keeps starting others";
    finish();
    return fault;
}

bool Player::was_killed() const {
    return running() ? !is_running(m_freezer->player()) : m_status.signal == SIGKILL;
}

void Player::set_jail_report(nlohmann::json report) {
    m_jail_report = std::move(report);
    if (m_jail_report.is_object()) m_scratch = m_jail_report.value("scratch", m_scratch);
}

bool Player::read_memory(uint64_t address, size_t size, void* into) const {
    return kforge::read_memory(pid(), address, size, into);
}

Result<Disabled> Player::disable_own_functions(uint8_t value, Deadline deadline) const {
    return kforge::disable_own_functions(m_freezer->members(), m_scratch, value, deadline);
}

ExitStatus Player::finish() {
    if (m_pid <= 0) return m_status;
    kill_process_tree(m_pid);
    const pid_t pid = std::exchange(m_pid, -1);
    await_end(pid);
    m_log.drain();
    reap_orphans();
    return m_status;
}

// A kernel that has much to tidy up takes its time. What takes longer than that is left to it: everything in
// there was killed, and the zygote, which is asked for others meanwhile, does without it.
void Player::await_end(pid_t pid) {
    const Deadline limit = deadline_in(m_ending_limit_s);
    for (;;) {
        const Result<Message> reply = m_zygote->call(
            {{"op", "wait"}, {"pid", pid}, {"limit_s", k_ending_look_s}}, {}, k_ending_answer_s);
        if (!reply.ok()) return;
        if (reply->body.value("ended", false)) {
            m_status = ExitStatus{reply->body.value("code", 0), reply->body.value("signal", 0)};
            m_out_of_memory = reply->body.value("out_of_memory", false);
            m_out_of_files = reply->body.value("out_of_files", false);
            return;
        }
        m_outlives_its_end = seconds_until(limit) <= 0;
        if (m_outlives_its_end) break;
        ::usleep(k_ending_pause_us);
    }
    m_status = ExitStatus{0, SIGKILL};
}

std::string Player::printed() {
    m_log.drain();
    if (!m_outlives_its_end) return m_log.text();
    return m_log.text() +
           fmt::format("\n[{:.0f} s after they were killed, its processes had not ended.]", m_ending_limit_s);
}

}  // namespace kforge
