#include "kforge/llm/limiter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

constexpr std::chrono::milliseconds k_look_around{100};  // how often a waiting call looks for an interrupt
constexpr long k_few_requests = 10;  // left until the reset: from here on they are spread over the time

}  // namespace

std::shared_ptr<Limiter> Limiter::shared(const std::string& server, const std::string& key_name,
                                         size_t key_fingerprint) {
    static std::mutex mutex;
    static std::map<std::pair<std::string, size_t>, std::shared_ptr<Limiter>> limiters;
    const std::lock_guard lock(mutex);
    std::shared_ptr<Limiter>& limiter = limiters[{server, key_fingerprint}];
    if (!limiter) limiter = std::make_shared<Limiter>(SharedPause::of(server, key_name));
    return limiter;
}

Clock::time_point Limiter::next_start(long tokens) const {
    Clock::time_point start = m_not_before;
    const Clock::time_point now = Clock::now();
    if (m_limits.requests && m_limits.requests->reset > now) {
        const RateLimit& limit = *m_limits.requests;
        if (limit.remaining <= 0)
            start = std::max(start, limit.reset);
        else if (limit.remaining < k_few_requests)
            start = std::max(start, m_last_start + (limit.reset - now) / (limit.remaining + 1));
    }
    // A request larger than the whole limit must go some time: it waits for the reset and no longer.
    if (m_limits.tokens && m_limits.tokens->reset > now && m_limits.tokens->remaining < tokens)
        start = std::max(start, m_limits.tokens->reset);
    return start;
}

Result<Limiter::Turn> Limiter::enter(long tokens, Clock::time_point deadline) {
    std::unique_lock lock(m_mutex);
    const uint64_t ticket = m_next_ticket++;
    // One that gives up must not keep those behind it waiting: it leaves when its turn comes, at the latest.
    const auto give_up = [&](Error error) {
        m_changed.wait(lock, [&] { return m_serving == ticket; });
        ++m_serving;
        m_changed.notify_all();
        return error;
    };
    for (;;) {
        if (interrupted()) return give_up(interrupted_error());
        heed_others();
        const Clock::time_point now = Clock::now();
        const Clock::time_point start = next_start(tokens);
        const bool first = m_serving == ticket;
        if (first && start <= now && m_under_way < m_window) break;
        if (now >= deadline || (first && start > deadline))
            return give_up(
                Error{ErrorKind::timeout,
                      fmt::format(
                          "the server's limits allow no request for {} s more",
                          std::max<long>(1, std::chrono::ceil<std::chrono::seconds>(start - now).count()))});
        m_changed.wait_until(lock, std::min({now + k_look_around, deadline,
                                             first && start > now ? start : now + k_look_around}));
    }
    ++m_serving;
    ++m_under_way;
    ++m_started;
    m_last_start = Clock::now();
    if (m_limits.requests) --m_limits.requests->remaining;
    if (m_limits.tokens) m_limits.tokens->remaining -= tokens;
    m_changed.notify_all();
    return Turn(this, m_started);
}

void Limiter::heed_others() {
    const auto wall = SharedPause::Wall::now();
    if (const auto until = m_pause.until(wall))
        m_not_before = std::max(m_not_before, Clock::now() + (*until - wall));
}

void Limiter::leave() {
    const std::lock_guard lock(m_mutex);
    --m_under_way;
    m_changed.notify_all();
}

void Limiter::heard(const RateLimits& limits, bool taken) {
    const std::lock_guard lock(m_mutex);
    if (limits.requests) m_limits.requests = limits.requests;
    if (limits.tokens) m_limits.tokens = limits.tokens;
    if (taken) m_window += 1 / m_window;
    m_changed.notify_all();
}

void Limiter::too_much(const Turn& turn, Clock::time_point until) {
    const std::lock_guard lock(m_mutex);
    m_not_before = std::max(m_not_before, until);
    m_pause.extend(SharedPause::Wall::now() +
                   std::chrono::duration_cast<SharedPause::Wall::duration>(until - Clock::now()));
    // Many requests that were under way together are one piece of news, not many.
    if (turn.number() > m_last_cut) {
        m_window = std::max(1.0, std::min(m_window, static_cast<double>(m_under_way)) / 2);
        m_last_cut = m_started;
    }
    m_changed.notify_all();
}

}  // namespace kforge
