// Limiter: all calls to one server with one key take turns, first come first served, so that they stay within
// its limits instead of running into them together: those of this process in memory, the processes of this
// user among each other by a shared file. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "kforge/llm/limit_file.hpp"

namespace kforge {

class Limiter {
  public:
    // The one for this server (and LLM: servers count by both) and key.
    static std::shared_ptr<Limiter> shared(const std::string& server, std::uint32_t key_hash);
    explicit Limiter(fs::path shared_file = {});

    // A request that is under way; the turn ends with it.
    class Turn {
      public:
        explicit Turn(Limiter* limiter = nullptr, Grant grant = {}) : m_limiter(limiter), m_grant(grant) {}
        Turn(Turn&& other) noexcept
            : m_limiter(std::exchange(other.m_limiter, nullptr)), m_grant(other.m_grant) {}
        Turn& operator=(Turn&& other) = delete;
        ~Turn() {
            if (m_limiter != nullptr) m_limiter->leave();
        }
        const Grant& grant() const { return m_grant; }

      private:
        Limiter* m_limiter;
        Grant m_grant;
    };

    // Waits until a request may be sent. Error timeout when that is not before `deadline`, cancelled when the
    // user interrupts.
    Result<Turn> enter(const Load& load, const Pace& pace, Clock::time_point deadline);
    // What the server said of its limits, and whether it took the request.
    void heard(const Turn& turn, const RateLimits& limits, bool taken);
    // It was too much for the server: nobody asks before `until`, and then fewer at a time.
    void too_much(const Turn& turn, Clock::time_point until);
    // The request is over: what it really weighed.
    void used(const Turn& turn, long tokens);

  private:
    void leave();
    std::optional<Grant> try_start(const Load& load, const Pace& pace, Moment& start, bool& first);

    LimitFile m_file;
    const std::uint64_t m_who;  // this process in the queue
    std::mutex m_mutex;
    std::condition_variable m_changed;
    uint64_t m_next_ticket = 0;
    uint64_t m_serving = 0;
    uint64_t m_last_grant = 0;  // to this process
    uint64_t m_last_cut = 0;    // grants up to this one knew the old window
    int m_under_way = 0;
    double m_window = 1e6;  // how many at a time; shrinks when it is too much, grows with every answer
};

}  // namespace kforge
