// The processors that timing uses: which ones, how fast they can be at most, what else keeps them busy, and
// how to empty their caches.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace kforge {

// `threads` processors of those that this process may use: one per core first, the others of a core last.
std::vector<int> choose_processors(int threads);

// Confines every thread of a process to these processors; what it starts later inherits that. False where it
// is not allowed.
bool confine(pid_t pid, const std::vector<int>& processors);

// Where the threads of a process run. Left to itself the kernel now and then keeps those of a pool on one
// processor for the whole of many short calls, and now and then does not, by chance. A process that starts
// threads in every call must be let go, and one whose threads have little to do may be better off with all on
// one: waking up another processor takes its time.
enum class Placement { apart, together, loose };
inline constexpr Placement k_placements[] = {Placement::apart, Placement::together, Placement::loose};

// Apart: the first and the busiest other threads get a processor each.
void place(pid_t pid, Placement placement, const std::vector<int>& processors);

// The first placement, unless calls took clearly less time in another one.
Placement best_placement(const std::map<Placement, std::vector<double>>& calls_ms);

// More bytes per millisecond than these processors can load and store from their nearest cache: what claims
// to be faster did not touch its data.
double most_bytes_per_ms(size_t processors);

// Processor seconds of a process with its descendants, and of the kernel's own threads.
struct Spent {
    double family_s = 0;
    double kernel_s = 0;
    bool kernel_is_seen = false;
};

// How many processors were kept busy by others than `own` processes and their descendants.
class OtherLoad {
  public:
    explicit OtherLoad(pid_t own);
    double processors() const;  // since construction, on average
    // How long the kernel's own threads have worked, who may do so for a process that was stopped; where they
    // cannot be seen, everybody else.
    double of_kernel_ms() const;

  private:
    double others_s(const Spent& now) const;

    pid_t m_own;
    std::chrono::steady_clock::time_point m_start;
    double m_busy_s = 0;
    Spent m_spent;
};

// Fills the caches of the processors with other data, so that the next call finds nothing of its own there.
class CacheSweep {
  public:
    explicit CacheSweep(std::vector<int> processors);
    void run();

  private:
    std::vector<int> m_processors;
    std::vector<char> m_data;
};

}  // namespace kforge
