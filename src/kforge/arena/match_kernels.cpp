// The part of Match that finds out whether kernels of the candidate's own do the work.
#include <fmt/format.h>

#include "kforge/arena/match.hpp"

namespace kforge {
namespace {

// Kernels that do the work may be few next to a matrix product that is left to the library: the tail of a
// large one takes a hundredth of its time. Without any the share is nothing at all.
constexpr double k_least_own_share = 0.0025;
constexpr size_t k_least_own_samples = 3;
constexpr size_t k_clear_own_samples = 20;
constexpr size_t k_conclusive_samples = 1000;
constexpr size_t k_most_samples = 2000;
constexpr double k_sampling_s = 2;

bool has_seen_own_kernels(const Work& work) {
    return work.own >= k_least_own_samples && work.own_share() >= k_least_own_share;
}

Verdict without_kernels(const Work& work) {
    return Verdict::because(
        Reason::guardrail,
        fmt::format("The policy requires that kernels of the candidate's own do the work. Its threads were "
                    "seen at work {} times at random moments: {} times in code of its own, {} times in that "
                    "of PyTorch and other libraries.",
                    work.counted(), work.own, work.library));
}

}  // namespace

bool Match::has_seen_enough(const Work& work) {
    return work.counted() >= k_most_samples ||
           (work.own >= k_clear_own_samples && work.own_share() > 4 * k_least_own_share);
}

Result<Finding> Match::require_kernels() {
    if (m_stage.spec().policies.kernels == Kernels::any) return Finding();
    if (m_stage.gpu() != nullptr) {
        Work device_work;
        TRY_ASSIGN(const Finding found, m_contender.profile_kernels(device_work));
        if (found || has_seen_own_kernels(device_work)) return found;
        return Finding(Verdict::because(
            Reason::guardrail,
            "The policy requires that kernels of the candidate's own do the work. On the GPU nearly all of "
            "the time was spent in kernels of PyTorch and other libraries."));
    }
    if (!m_contender.work()) return Finding();
    m_contender.allow(k_sampling_s + m_stage.spec().call_limit_s);
    const Deadline limit = deadline_in(k_sampling_s);
    Work work = *m_contender.work();
    for (; !has_seen_enough(work) && seconds_until(limit) > 0; work = *m_contender.work()) {
        TRY_ASSIGN(const Finding found, m_contender.sample_call());
        if (found) return found;
    }
    m_work = work;
    if (has_seen_own_kernels(work) || work.counted() < k_conclusive_samples) return Finding();
    return Finding(without_kernels(work));
}

// Time alone cannot tell a kernel that works from one whose result is thrown away, and misses one that takes
// a microsecond of a short call. Comes last: it leaves a player that is good for nothing.
Result<Finding> Match::prove_kernels() {
    if (!m_work) return Finding();
    TRY_ASSIGN(const Contender::Need need, m_contender.try_without_own_functions());
    if (need == Contender::Need::too_much_to_tell)
        return Finding(Verdict::because(
            Reason::integrity,
            "The policy requires that kernels of the candidate's own do the work. Its processes have mapped "
            "more code of their own than can be looked through: thousands of files or places, or more than a "
            "gigabyte. Libraries of kernels are a few dozen at the most."));
    if (!has_seen_own_kernels(*m_work))
        return need == Contender::Need::proved ? Finding() : Finding(without_kernels(*m_work));
    if (need != Contender::Need::disproved) return Finding();
    return Finding(Verdict::because(
        Reason::guardrail,
        "The policy requires that kernels of the candidate's own do the work. With every function of its own "
        "libraries made to return at once, its results were still right: others do the work."));
}

}  // namespace kforge
