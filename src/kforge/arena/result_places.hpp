// ResultPlaces: where the results of calls lay, one after the other. Each is let go before the next but one,
// so an allocator hands the same memory out again. Always new places are memory that was set aside before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kforge/arena/stage.hpp"

namespace kforge {

class ResultPlaces {
  public:
    // Results that are smaller, all together, lie anywhere.
    static constexpr size_t k_least_bytes = size_t{64} << 10;

    struct Count {
        size_t calls = 0;
        size_t fresh = 0;  // mostly where none had been before
    };
    // Forgets what was counted, not where results lay.
    void begin_to_count() { m_counts.clear(); }
    // Whether one of them lies mostly where none has been before. `counts`: not one of the first calls, in
    // which an allocator may not have had the memory yet.
    bool note(const std::vector<OutputForm>& outputs, bool counts);
    // Of an output that lay in new places so often that it matters what was prepared there.
    std::optional<Count> find_mostly_new() const;

  private:
    // How many of its bytes were not there before.
    uint64_t add(const OutputForm& form);

    // By the handle of the memory that they are in, where that is how they are read: first byte to the one
    // after the last; they do not overlap.
    std::map<std::string, std::map<uint64_t, uint64_t>> m_places;
    std::map<size_t, Count> m_counts;  // by output
};

}  // namespace kforge
