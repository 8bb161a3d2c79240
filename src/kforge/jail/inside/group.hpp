// MemoryGroup: a control group of its own for each player, where the machine lets us make one. The supervisor
// adds up what processes have; the kernel also knows what it keeps for them itself (tables, sockets, locks).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#pragma GCC visibility push(hidden)
namespace kforge::jail {

class MemoryGroup {
  public:
    // Throws Missing where there can be none.
    explicit MemoryGroup(uint64_t limit_bytes);
    MemoryGroup(MemoryGroup&& other) noexcept;
    MemoryGroup& operator=(MemoryGroup&&) = delete;
    // Removes it, in the process that has made it: whoever was in it has ended.
    ~MemoryGroup();

    // For the process that becomes init, before it starts others. Throws Missing.
    void enter() const;
    // Whether the kernel has ended one of its processes because there was no more memory for them.
    bool has_overflowed() const;

  private:
    std::string m_folder;
    pid_t m_maker = 0;
    int m_members = -1;  // opened by the caller: init may lack the right to
};

}  // namespace kforge::jail
#pragma GCC visibility pop
