// SurpriseSchedule: before which rounds of a race which surprises come. All of them, at times that nobody
// knows, in the rounds that there always are; then all of them again in two and a half times as many, and so
// on. What stops being careful at any time, for as long as it takes to decide a median for certain, meets
// nearly all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kforge/util/random.hpp"

namespace kforge {

class SurpriseSchedule {
  public:
    SurpriseSchedule(size_t surprises, int first_rounds, uint64_t seed)
        : m_random(seed), m_rounds_of(surprises), m_length(first_rounds) {}

    // Numbers of surprises. To be asked for every round in turn, from the first (0).
    std::vector<size_t> before(int round);

  private:
    Lots m_random;
    std::vector<int> m_rounds_of;  // the next of each surprise
    int m_length, m_end = 0;       // of the rounds for which these are drawn
};

}  // namespace kforge
