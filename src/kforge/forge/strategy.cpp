#include "kforge/forge/strategy.hpp"

namespace kforge {
namespace {

// An optimization that broke the kernel is repaired this many times before the best so far is taken up again.
constexpr int k_repairs = 2;

}  // namespace

Strategy::Strategy(const RunConfig& config) {
    if (config.strategy == "single") {
        m_total = m_independent = 1;
    } else if (config.strategy == "sample") {
        m_total = m_independent = config.samples;
    } else {
        m_independent = config.samples;
        m_total = config.samples + config.iterations - 1;
    }
}

std::optional<Attempt> best_of(const std::vector<Attempt>& attempts) {
    std::optional<Attempt> best;
    for (const Attempt& attempt : attempts)
        if (attempt.correct && (!best || attempt.rank > best->rank)) best = attempt;
    return best;
}

Pass Strategy::next(const std::vector<Attempt>& earlier) const {
    if (static_cast<int>(earlier.size()) < m_independent) return Pass{};
    const Attempt& last = earlier.back();
    const std::optional<Attempt> best = best_of(earlier);
    if (!best) {
        // Repair the latest candidate there is; an answer without one is told what was wrong with it.
        for (auto attempt = earlier.rbegin(); attempt != earlier.rend(); ++attempt)
            if (attempt->has_candidate) return Pass{PassKind::functional, attempt->iteration};
        return Pass{PassKind::functional, last.iteration};
    }
    // Samples that failed were no attempts to optimize.
    int failures = 0;
    for (auto attempt = earlier.rbegin(); !attempt->correct && attempt->iteration > m_independent; ++attempt)
        ++failures;
    if (failures > 0 && failures <= k_repairs && last.has_candidate)
        return Pass{PassKind::functional, last.iteration};
    return Pass{PassKind::optimization, best->iteration};
}

}  // namespace kforge
