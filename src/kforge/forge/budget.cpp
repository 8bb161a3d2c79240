#include "kforge/forge/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kforge/llm/answer.hpp"

namespace kforge {
namespace {

constexpr long k_frame_tokens = 500;     // roles, separators and what servers put around a prompt
constexpr long k_image_tokens = 20'000;  // above what any provider counts for one picture
// An answer with less room than this is hardly whole: then the call is not made at all.
constexpr int k_least_output = 16'000;
constexpr int k_least_timeout_s = 30;
constexpr double k_rounding = 1e-9;  // USD: sums of doubles

double highest_input_price(const Llm& llm) {
    const double input = llm.usd_per_million_input.value_or(0);
    return std::max({input, llm.usd_per_million_cached_input.value_or(input),
                     llm.usd_per_million_cache_write.value_or(input)});
}

Spending spending(const Llm& llm, const Usage& worst) {
    return {worst_usd(llm, worst).value_or(0), worst.input_tokens + worst.output_tokens, 1};
}

const std::string k_of_the_whole = "for the whole campaign ";

std::string spent_minutes(double cap, double worked_s) {
    return fmt::format("the budget of {} minutes is spent ({:.1f})", cap, worked_s / 60);
}

}  // namespace

Usage worst_case(const Llm& llm, const PromptSize& prompt) {
    Usage usage;
    usage.estimated = true;
    usage.input_tokens =
        static_cast<long>(prompt.bytes) + k_frame_tokens + k_image_tokens * static_cast<long>(prompt.images);
    usage.output_tokens = llm.max_output_tokens;
    return usage;
}

std::optional<double> worst_usd(const Llm& llm, const Usage& worst) {
    if (!has_prices(llm)) return std::nullopt;
    const bool dearer = llm.priced_to_tokens > 0 && worst.input_tokens > llm.priced_to_tokens;
    if (dearer) return std::nullopt;
    return (static_cast<double>(worst.input_tokens) * highest_input_price(llm) +
            static_cast<double>(worst.output_tokens) * *llm.usd_per_million_output) /
           1e6;
}

Result<void> check_prices(const BudgetCaps& caps, const Llm& llm) {
    if (caps.usd <= 0 || has_prices(llm)) return {};
    return Error{ErrorKind::config,
                 fmt::format("a budget in USD needs prices, and those of the LLM '{}' are not known: set "
                             "usd_per_million_input and usd_per_million_output in [llms.{}] (0 when it is "
                             "free), or use --budget-tokens",
                             llm.name, llm.name)};
}

Spending Budget::reserved_now() const {
    Spending sum;
    for (const auto& [ticket, call] : m_out) {
        sum.usd += call.worst.usd;
        sum.tokens += call.worst.tokens;
        sum.calls += call.worst.calls;
    }
    return sum;
}

bool Budget::others_out() const {
    return std::any_of(m_out.begin(), m_out.end(), [](const auto& call) { return !call.second.parked; });
}

Spending Budget::spent() const {
    const std::lock_guard lock(m_mutex);
    return m_spent;
}

Spending Budget::reserved() const {
    const std::lock_guard lock(m_mutex);
    return reserved_now();
}

bool Budget::fits(const Spending& worst) const {
    const Spending out = reserved_now();
    return (m_caps.tokens <= 0 || m_spent.tokens + out.tokens + worst.tokens <= m_caps.tokens) &&
           (m_caps.usd <= 0 || m_spent.usd + out.usd + worst.usd <= m_caps.usd + k_rounding);
}

Budget::OutOfTime Budget::out_of_time(double worked_s) const {
    if (m_caps.minutes > 0 && worked_s >= m_caps.minutes * 60)
        return {spent_minutes(m_caps.minutes, worked_s), false};
    if (m_whole.budget == nullptr) return {};
    const OutOfTime whole = m_whole.budget->out_of_time(m_whole.worked_s());
    return whole.why.empty() ? whole : OutOfTime{k_of_the_whole + whole.why, true};
}

// The first cap that the call could cross.
std::string Budget::why_not(const Llm& llm, const Spending& worst, double worked_s) const {
    const Spending out = reserved_now();
    const long tokens = m_spent.tokens + out.tokens;
    const double usd = m_spent.usd + out.usd;
    if (m_caps.calls > 0 && m_spent.calls + out.calls + 1 > m_caps.calls)
        return fmt::format("the budget of {} calls is spent", m_caps.calls);
    if (m_caps.minutes > 0 && m_caps.minutes * 60 - worked_s < k_least_timeout_s)
        return spent_minutes(m_caps.minutes, worked_s);
    if (m_caps.tokens > 0 && tokens + worst.tokens > m_caps.tokens)
        return fmt::format(
            "the budget of {} tokens allows no further call: {} are used, and the next call could take {} "
            "(at most {} of output: max_output_tokens of the LLM '{}')",
            m_caps.tokens, tokens, worst.tokens, llm.max_output_tokens, llm.name);
    if (m_caps.usd > 0 && usd + worst.usd > m_caps.usd + k_rounding)
        return fmt::format(
            "the budget of {} USD allows no further call: {:.4f} are spent, and the next call could cost "
            "{:.4f} "
            "(at most {} tokens of output: max_output_tokens of the LLM '{}')",
            m_caps.usd, usd, worst.usd, llm.max_output_tokens, llm.name);
    return "";
}

Budget::Grant Budget::reserve(const Llm& llm, const PromptSize& prompt, double worked_s) {
    const std::lock_guard lock(m_mutex);
    Grant grant = reserve_here(llm, prompt, worked_s);
    if (!grant.llm || m_whole.budget == nullptr) return grant;
    Grant of_whole = m_whole.budget->reserve(*grant.llm, prompt, m_whole.worked_s());
    if (!of_whole.llm) {
        m_out.erase(grant.ticket);
        of_whole.refusal = k_of_the_whole + of_whole.refusal;
        of_whole.by_whole = true;
        return of_whole;
    }
    m_out[grant.ticket] = {spending(*of_whole.llm, worst_case(*of_whole.llm, prompt)), of_whole.ticket};
    grant.llm = std::move(of_whole.llm);
    return grant;
}

Budget::Grant Budget::reserve_here(const Llm& llm, const PromptSize& prompt, double worked_s) {
    Grant grant;
    Llm limited = llm;
    const Usage worst = worst_case(llm, prompt);
    if (m_caps.usd > 0 && !worst_usd(llm, worst)) {
        grant.refusal = fmt::format(
            "the budget is in USD, and the price of this prompt (up to {} tokens) for the LLM '{}' is not "
            "known: its prices hold up to {} tokens",
            worst.input_tokens, llm.name, llm.priced_to_tokens);
        return grant;
    }
    grant.refusal = why_not(limited, spending(limited, worst), worked_s);
    if (!grant.refusal.empty() && !others_out() && llm.max_output_tokens > k_least_output) {
        // With nothing else under way, what is left of a cap is known: the answer gets that much room.
        const Spending parked = reserved_now();
        const Spending empty = spending(limited, {.input_tokens = worst.input_tokens});
        double room = llm.max_output_tokens;
        if (m_caps.tokens > 0)
            room = std::min(
                room, static_cast<double>(m_caps.tokens - m_spent.tokens - parked.tokens - empty.tokens));
        if (m_caps.usd > 0 && *llm.usd_per_million_output > 0)
            room = std::min(room, (m_caps.usd - m_spent.usd - parked.usd - empty.usd) /
                                      *llm.usd_per_million_output * 1e6);
        if (room >= k_least_output) {
            limited.max_output_tokens = static_cast<int>(std::floor(room));
            grant.refusal = why_not(limited, spending(limited, worst_case(limited, prompt)), worked_s);
        }
    }
    if (!grant.refusal.empty()) {
        grant.others_out = others_out();
        return grant;
    }
    if (m_caps.minutes > 0)
        limited.timeout_s = std::min(limited.timeout_s, static_cast<int>(m_caps.minutes * 60 - worked_s));
    grant.ticket = m_next_ticket++;
    m_out[grant.ticket] = {spending(limited, worst_case(limited, prompt))};
    grant.llm = std::move(limited);
    return grant;
}

bool Budget::extend(long ticket, const Llm& limited, const PromptSize& prompt, const Usage& so_far) {
    const std::lock_guard lock(m_mutex);
    const auto call = m_out.find(ticket);
    if (call == m_out.end()) return false;
    Usage again = worst_case(limited, prompt);
    again.input_tokens += limited.max_output_tokens;
    if (m_caps.usd > 0 && !worst_usd(limited, again)) return false;
    Spending both = spending(limited, again);
    both.usd += so_far.usd;
    both.tokens += so_far.input_tokens + so_far.output_tokens;
    Spending& reserved = call->second.worst;
    const Spending before = std::exchange(reserved, Spending{});
    const bool allowed =
        fits(both) && (m_whole.budget == nullptr ||
                       m_whole.budget->extend(call->second.whole_ticket, limited, prompt, so_far));
    reserved = allowed ? both : before;
    return allowed;
}

void Budget::settle(long ticket, const Usage& usage) {
    const std::lock_guard lock(m_mutex);
    const auto call = m_out.find(ticket);
    if (call == m_out.end()) return;
    if (m_whole.budget != nullptr) m_whole.budget->settle(call->second.whole_ticket, usage);
    m_out.erase(call);
    m_spent.usd += usage.usd;
    m_spent.tokens += usage.input_tokens + usage.output_tokens;
    m_spent.calls += 1;
    m_changed.notify_all();
}

void Budget::release(long ticket) {
    const std::lock_guard lock(m_mutex);
    const auto call = m_out.find(ticket);
    if (call == m_out.end()) return;
    if (m_whole.budget != nullptr) m_whole.budget->release(call->second.whole_ticket);
    m_out.erase(call);
    m_changed.notify_all();
}

void Budget::park(long ticket) {
    const std::lock_guard lock(m_mutex);
    const auto call = m_out.find(ticket);
    if (call == m_out.end()) return;
    if (m_whole.budget != nullptr) m_whole.budget->park(call->second.whole_ticket);
    call->second.parked = true;
    m_changed.notify_all();
}

void Budget::wait_for_others(std::chrono::milliseconds limit) {
    if (m_whole.budget != nullptr) return m_whole.budget->wait_for_others(limit);
    std::unique_lock lock(m_mutex);
    if (others_out()) m_changed.wait_for(lock, limit);
}

}  // namespace kforge
