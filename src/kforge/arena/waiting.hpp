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

}  // namespace kforge
