#include "kforge/llm/limiter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

// How often a waiting call looks for an interrupt and shows the other processes that it lives.
constexpr std::chrono::milliseconds k_look_around{100};
constexpr std::chrono::milliseconds k_look_soon{5};

std::uint64_t random_name() {
    std::random_device source;
    return (std::uint64_t{source()} << 32 | source()) | 1;
}

}  // namespace

std::shared_ptr<Limiter> Limiter::shared(const std::string& server, std::uint32_t key_hash) {
    static std::mutex mutex;
    static std::map<std::pair<std::string, std::uint32_t>, std::shared_ptr<Limiter>> limiters;
    const std::lock_guard lock(mutex);
    std::shared_ptr<Limiter>& limiter = limiters[{server, key_hash}];
    if (!limiter) limiter = std::make_shared<Limiter>(LimitFile::path_for(server, key_hash));
    return limiter;
}

Limiter::Limiter(fs::path shared_file) : m_file(std::move(shared_file)), m_who(random_name()) {}

// A start when it is this process's turn and the limits allow it; else a place in the queue.
std::optional<Grant> Limiter::try_start(const Load& load, const Pace& pace, Moment& start, bool& first) {
    std::optional<Grant> grant;
    m_file.with([&](LimitState& state, Moment now) {
        start = state.next_start(now, load, pace);
        first = state.is_first(m_who, now);
        if (first && start <= now) {
            grant = state.grant(now, load);
            state.leave(m_who);
        } else {
            state.stay(m_who, now);
        }
    });
    return grant;
}

Result<Limiter::Turn> Limiter::enter(const Load& load, const Pace& pace, Clock::time_point deadline) {
    std::unique_lock lock(m_mutex);
    const uint64_t ticket = m_next_ticket++;
    // One that gives up must not keep those behind it waiting: it leaves when its turn comes, at the latest.
    const auto give_up = [&](Error error) {
        m_changed.wait(lock, [&] { return m_serving == ticket; });
        m_file.with([&](LimitState& state, Moment) { state.leave(m_who); });
        ++m_serving;
        m_changed.notify_all();
        return error;
    };
    for (;;) {
        if (interrupted()) return give_up(interrupted_error());
        const Clock::time_point now = Clock::now();
        const bool mine = m_serving == ticket;  // among the calls of this process
        Moment start = 0;
        bool first = false;
        std::optional<Grant> grant;
        const bool ready = mine && m_under_way < m_window;
        if (ready) grant = try_start(load, pace, start, first);
        if (grant) {
            if (grant->number <= m_last_grant) m_last_cut = 0;  // the file was lost and counts anew
            m_last_grant = grant->number;
            ++m_serving;
            ++m_under_way;
            m_changed.notify_all();
            return Turn(this, *grant);
        }
        const Clock::time_point may_start{std::chrono::nanoseconds(start)};
        if (now >= deadline || (first && may_start > deadline))
            return give_up(Error{
                ErrorKind::timeout,
                fmt::format(
                    "the server's limits allow no request for {} s more",
                    std::max<long>(1, std::chrono::ceil<std::chrono::seconds>(may_start - now).count()))});
        // Behind others, or limited: back when something may have changed.
        const Clock::time_point soon = ready ? std::max(may_start, now + k_look_soon) : now + k_look_around;
        m_changed.wait_until(lock, std::min({now + k_look_around, deadline, soon}));
    }
}

void Limiter::leave() {
    const std::lock_guard lock(m_mutex);
    --m_under_way;
    m_changed.notify_all();
}

void Limiter::heard(const Turn& turn, const RateLimits& limits, bool taken) {
    m_file.with([&](LimitState& state, Moment now) { state.heard(turn.grant(), limits, taken, now); });
    const std::lock_guard lock(m_mutex);
    if (taken) m_window += 1 / m_window;
    m_changed.notify_all();
}

void Limiter::too_much(const Turn& turn, Clock::time_point until) {
    m_file.with([&](LimitState& state, Moment) { state.too_much(turn.grant(), moment_of(until)); });
    const std::lock_guard lock(m_mutex);
    if (turn.grant().number > m_last_cut) {
        m_window = std::max(1.0, std::min(m_window, static_cast<double>(m_under_way)) / 2);
        m_last_cut = m_last_grant;
    }
    m_changed.notify_all();
}

void Limiter::used(const Turn& turn, long tokens) {
    m_file.with([&](LimitState& state, Moment) { state.used(turn.grant(), tokens); });
}

}  // namespace kforge
