// Caller: does with a result what whoever has asked for it may do: writes to it. A candidate that counts on
// finding in its memory what it left there, or whose elements lie in the same memory, shows that way. Keeps
// only where it has written; what lies there is in the stopped process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "kforge/arena/stage.hpp"
#include "kforge/util/random.hpp"

namespace kforge {

class Caller {
  public:
    explicit Caller(uint64_t seed) : m_random(seed) {}

    // Forgets where it has written before.
    void begin() { m_written.clear(); }
    // Writes to `elements` of the output, drawn by lot. False where that cannot be done.
    bool write_to(pid_t pid, const OutputForm& output, size_t elements);
    // Whether the output, but for what was written since begin(), is as in the copy `before`; of a large one
    // parts are looked at, drawn by lot.
    bool left_the_rest(pid_t pid, const OutputForm& output, const char* before);

    // Whether what was written since begin() is still there: nobody else may touch what a caller holds.
    bool finds_its_own(pid_t pid) const;

  private:
    Lots m_random;
    std::vector<std::pair<uint64_t, size_t>> m_written;  // address and bytes, in order
};

}  // namespace kforge
