// ResultPlaces: where the results of calls lay, one after the other. Each is let go before the next but one,
// so an allocator hands the same memory out again. Always new places are memory that was set aside before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kforge/arena/stage.hpp"

namespace kforge {

class ResultPlaces {
  public:
    void note(const std::vector<OutputForm>& outputs);
    size_t calls() const { return m_calls; }
    size_t fresh() const { return m_fresh; }  // where none had been before
    // So many that what was prepared there decides the median.
    bool are_mostly_new() const;

  private:
    // By the handle of the memory that they are in, where that is how they are read: first byte to the one
    // after the last; they do not overlap.
    std::map<std::string, std::map<uint64_t, uint64_t>> m_places;
    size_t m_calls = 0;
    size_t m_fresh = 0;
};

}  // namespace kforge
