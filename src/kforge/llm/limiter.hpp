// Limiter: all calls of this process to one server with one key take turns, first come first served, so that
// they stay within its limits instead of running into them together; processes share the pauses that a server
// asks for. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "kforge/llm/rate_limits.hpp"
#include "kforge/llm/shared_pause.hpp"

namespace kforge {

class Limiter {
  public:
    // The one for this server and key. Other processes of this user that name their key the same way pause
    // when this one must, and the other way round.
    static std::shared_ptr<Limiter> shared(const std::string& server, const std::string& key_name,
                                           size_t key_fingerprint);
    explicit Limiter(SharedPause pause = SharedPause()) : m_pause(std::move(pause)) {}

    // A request that is under way; the turn ends with it.
    class Turn {
      public:
        explicit Turn(Limiter* limiter = nullptr, uint64_t number = 0)
            : m_limiter(limiter), m_number(number) {}
        Turn(Turn&& other) noexcept
            : m_limiter(std::exchange(other.m_limiter, nullptr)), m_number(other.m_number) {}
        Turn& operator=(Turn&& other) = delete;
        ~Turn() {
            if (m_limiter != nullptr) m_limiter->leave();
        }
        uint64_t number() const { return m_number; }

      private:
        Limiter* m_limiter;
        uint64_t m_number;
    };

    // Waits until a request of about `tokens` may be sent. Error timeout when that is not before `deadline`,
    // cancelled when the user interrupts.
    Result<Turn> enter(long tokens, Clock::time_point deadline);
    // What the server said of its limits, and whether it took the request.
    void heard(const RateLimits& limits, bool taken);
    // It was too much for the server: nobody asks before `until`, and then fewer at a time.
    void too_much(const Turn& turn, Clock::time_point until);

  private:
    void leave();
    // When the next one may go, as far as is known; now or earlier: at once.
    Clock::time_point next_start(long tokens) const;

    void heed_others();

    const SharedPause m_pause;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    uint64_t m_next_ticket = 0;
    uint64_t m_serving = 0;
    uint64_t m_started = 0;   // turns so far
    uint64_t m_last_cut = 0;  // turns up to this one knew the old window
    int m_under_way = 0;
    double m_window = 1e6;  // how many at a time; shrinks when it is too much, grows with every answer
    Clock::time_point m_not_before;
    RateLimits m_limits;
    Clock::time_point m_last_start;
};

}  // namespace kforge
