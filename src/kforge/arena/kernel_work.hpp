// Kernel work: how long the threads of the kernel itself have worked, who do what a stopped process has left
// to them. Knows all of them or none; not on whose behalf they worked.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>

#include "kforge/util/fd.hpp"

namespace kforge {

class KernelWork {
  public:
    KernelWork();
    // Milliseconds since it was asked last, all of them together. Nothing where they cannot be seen, as in a
    // container, or one has ended since, and where they are too many to be asked each time.
    std::optional<double> ms();

  private:
    struct Thread {
        Fd account;
        int64_t ns = 0;
    };

    bool m_is_seen;
    std::map<pid_t, Thread> m_threads;
};

}  // namespace kforge
