// Freezer: stops and continues every process of a player from outside. While it is frozen nothing of a
// candidate runs: it cannot see inputs before its call, work on after it, or disturb the baselines. Used by
// one thread at a time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "kforge/util/fd.hpp"

namespace kforge {

// As long as the jail's init pauses between two looks at the memory of its player: in a shorter call it is
// not missed, and what such calls take is added up.
inline constexpr int k_unwatched_ms = 20;

class Freezer {
  public:
    // All that descends from `root`; `root` itself too unless it is the jail's init, which is ours.
    enum class Root { player, jail, worker };  // a worker is trusted, with all that it starts
    Freezer(pid_t root, Root kind);

    // Returns when every thread of every process has stopped; false when they would not within two seconds.
    // Where nothing was started since the last time, few are there and they have run for a short time, they
    // are not looked for.
    bool freeze();
    // Tells those that were stopped before to stop. At once: to look for all that there are takes long where
    // a candidate sees to that, and it would run meanwhile.
    void halt();
    // Whether the last freeze met processes that `halt` did not know.
    bool met_new() const { return m_met_new; }
    // Whether one that was there at the freeze before was not there any more: what it has used is no longer
    // among what all of them have.
    bool missed_some() const { return m_missed_some; }
    // Whether a process or thread was started on this machine between the last thaw and the last freeze. If
    // it was one of the player's it may have worked on after `halt`, which did not know it, and have ended
    // before it was looked for. Whose it was cannot be told.
    bool others_started() const { return m_others_started; }
    // Whether one of those has ended since: it may have been the player's, and what it has used is not known.
    bool some_came_and_went() const;
    // When the last freeze saw that all stood still.
    std::chrono::steady_clock::time_point still_since() const { return m_still_since; }
    // Processor time that those told by `halt` have used since, in milliseconds: a thread in a long system
    // call stops only when that is done, and the kernel may have copied a result there. Nothing when one of
    // them is gone.
    std::optional<double> worked_on_ms() const;
    // One signal per process: cheap enough to be part of a timed call. The jail's init comes later: it would
    // look around at once, and a short call would feel that.
    void thaw();
    void thaw_root();

    // After thaw(): returns when one of them runs again, or soon: they may sleep on.
    void await_running() const;

    // Processor time that all of them have used so far, in nanoseconds.
    int64_t cpu_ns() const;

    // Every process that there is now, but for a root that is ours.
    std::vector<pid_t> members() const;

    // The player itself: the first process that is not ours. 0 when it is gone.
    pid_t player() const;

  private:
    bool stop_all();
    bool stop_those_listed();
    bool are_listed_still() const;
    template <typename Look>
    bool have_not_run(Look look) const;
    void list_threads();
    void remember();
    bool rest_root();
    std::optional<long> last_started() const;
    const pid_t m_root;
    const Root m_kind;
    // The jail's init adds up the memory of all processes, and a candidate can see to it that this takes
    // seconds: it is stopped and continued with them. Outside a namespace of its own it must go on: it cleans
    // up when we are killed.
    const bool m_root_stops;
    bool m_root_awake = true;
    double m_unwatched_ms = 0;  // that they have run since it looked at their memory
    std::vector<pid_t> m_stopped;
    std::map<pid_t, Fd> m_known;        // handles: by its number a process that came later would be stopped
    std::map<pid_t, int64_t> m_halted;  // those told to stop, and what they had used by then
    bool m_met_new = false;
    bool m_missed_some = false;
    Fd m_counter;  // of all that is started
    const bool m_counter_is_alive;
    std::optional<long> m_last_started, m_last_met;  // by the last thaw, and by the last freeze
    bool m_others_started = false;
    // What the kernel says of each of their threads. These are all that there are while nothing was started
    // since.
    std::map<std::pair<pid_t, pid_t>, Fd> m_listed;
    std::optional<long> m_listed_at;
    std::chrono::steady_clock::time_point m_thawed_at;
    std::chrono::steady_clock::time_point m_still_since;
};

inline double milliseconds_between(std::chrono::steady_clock::time_point from,
                                   std::chrono::steady_clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
}

std::vector<pid_t> threads_of(pid_t pid);
std::vector<pid_t> children_of(pid_t pid);
// Whether a thread runs, or would if there were a processor for it.
bool is_at_work(pid_t pid, pid_t tid);

// Copies memory of another process, as it is at this moment, to `into`. False, with errno, when it may not be
// read, or is not there (EFAULT).
bool read_memory(pid_t pid, uint64_t address, size_t size, void* into);

}  // namespace kforge
