// Waiting: how long a process was kept from working though it was ready to, because others had the
// processors. By the kernel's account, which no other process can change.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>

namespace kforge {

class Waiting {
  public:
    // Counts from now on.
    explicit Waiting(pid_t pid);
    // Of the thread that has waited longest: others wait for it. Zero where the kernel keeps no account.
    double ms() const;

  private:
    pid_t m_pid;
    std::map<pid_t, int64_t> m_before_ns;
};

// What of that a process can have waited for others, of `had_ms` that its processors had in all: its own
// threads wait for each other too, and what it has used itself others did not have.
double for_others_ms(double waited_ms, double had_ms, double used_ms);

}  // namespace kforge
