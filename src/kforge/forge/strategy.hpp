// Strategy: which pass comes next. Pure: decides from what is known of the earlier iterations, touches
// nothing.
//
// single: one try. sample: `samples` independent tries. refine: `samples` independent tries (one, unless
// asked), then `iterations - 1` passes: functional until something is correct, then optimization from the
// best so far.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kforge/forge/run_config.hpp"
#include "kforge/prompt/context.hpp"

namespace kforge {

struct Attempt {
    int iteration = 0;
    bool has_candidate = false;
    bool correct = false;
    double rank = 0;  // larger is better: by the speedup, or a hook's score; meaningful when correct
};

struct Pass {
    PassKind kind = PassKind::first;
    int base = 0;  // the iteration whose candidate it starts from; 0 in a first pass
};

class Strategy {
  public:
    explicit Strategy(const RunConfig& config);
    int total() const { return m_total; }
    // Iterations 1 to independent() know nothing of each other and may be asked for at once.
    int independent() const { return m_independent; }
    // The pass after these attempts, which are all iterations before it in order.
    Pass next(const std::vector<Attempt>& earlier) const;

  private:
    int m_total;
    int m_independent;
};

// The correct attempt of the highest rank, the earliest of equals.
std::optional<Attempt> best_of(const std::vector<Attempt>& attempts);

}  // namespace kforge
