// Turnstile: lets so many threads in at a time.
#pragma once

#include <condition_variable>
#include <mutex>

namespace kforge {

class Turnstile {
  public:
    explicit Turnstile(int places) : m_free(places) {}

    // Waits for a place, and has it until it goes.
    class Pass {
      public:
        explicit Pass(Turnstile& turnstile) : m_turnstile(turnstile) {
            std::unique_lock lock(m_turnstile.m_mutex);
            m_turnstile.m_left.wait(lock, [&] { return m_turnstile.m_free > 0; });
            --m_turnstile.m_free;
        }
        ~Pass() {
            const std::lock_guard lock(m_turnstile.m_mutex);
            ++m_turnstile.m_free;
            m_turnstile.m_left.notify_one();
        }
        Pass(const Pass&) = delete;
        Pass& operator=(const Pass&) = delete;

      private:
        Turnstile& m_turnstile;
    };

  private:
    std::mutex m_mutex;
    std::condition_variable m_left;
    int m_free;
};

}  // namespace kforge
