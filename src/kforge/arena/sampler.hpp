// Sampler: where the threads of a player execute, seen from outside. It stops a thread that runs for some
// microseconds at random moments (ptrace), looks whose code it is in, and lets it go on. Nothing that the
// player says or could patch takes part in it. Used by one thread at a time; looks in a thread of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "kforge/arena/code_map.hpp"
#include "kforge/arena/freezer.hpp"

namespace kforge {

// How often threads were seen at work, and in whose code. Waiting, the interpreter and system calls are
// nobody's.
struct Work {
    size_t own = 0;
    size_t library = 0;
    size_t nobody = 0;
    size_t counted() const { return own + library; }
    double own_share() const {
        return counted() == 0 ? 0 : static_cast<double>(own) / static_cast<double>(counted());
    }
};

// Whether this machine lets us look at the threads of `pid`, which stands still or is at work.
bool may_sample(pid_t pid);

// `scratch`: the folder, as the process sees it, whose files are the candidate's own. Empty when it is gone.
CodeMap read_code_map(pid_t pid, const std::string& scratch);

class Sampler {
  public:
    explicit Sampler(std::string scratch) : m_scratch(std::move(scratch)) {}
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;
    ~Sampler() { stop(); }

    // Looks at all processes of the freezer until stop(); ready when this returns, so that even a call of
    // microseconds can be met. The freezer must rest meanwhile.
    void start(const Freezer& processes);
    void stop();

    // Of all calls so far. Not while it looks.
    const Work& work() const { return m_work; }
    // A thread may not be looked at. Where may_sample() was true before, the candidate sees to that.
    bool refused() const { return m_refused; }

  private:
    void look(const Freezer& processes);
    void find_threads(const Freezer& processes);
    // False: the calling thread must end.
    bool sample(pid_t pid, pid_t tid);

    const std::string m_scratch;
    int m_refusals = 0;                              // in a row
    std::map<pid_t, CodeMap> m_maps;                 // of this call: code may come and go between calls
    std::vector<std::pair<pid_t, pid_t>> m_threads;  // process and thread, as of the last look
    Work m_work;
    std::atomic<bool> m_refused = false;
    std::chrono::steady_clock::time_point m_started;
    double m_call_us = 0;  // how long it looked the last time
    std::atomic<bool> m_ready = false;
    std::atomic<bool> m_done = false;
    std::thread m_thread;
};

}  // namespace kforge
