// ArenaPool: the arenas of a campaign. Runs with the same problem, platform and policies share one, which
// stays warm between them; and nothing is done in one arena while another works, because timings must not
// disturb each other. Thread-safe.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "kforge/arena/arena.hpp"

namespace kforge {

class ArenaPool {
  public:
    // Keeps the processes of at most that many arenas that nobody uses.
    explicit ArenaPool(size_t idle_kept) : m_idle_kept(idle_kept) {}

    // The arena of that key, opened by `open` where there is none. Must not be called by who is alone().
    using Open = std::function<std::unique_ptr<Arena>()>;
    std::unique_ptr<Arena> lease(const std::string& key, const Open& open);

    // The machine, for who loads it outside of an arena: while this is held, no arena works.
    std::unique_lock<std::mutex> alone();

  private:
    struct Entry {
        std::string key;
        std::unique_ptr<Arena> arena;
        int users = 0;
        bool broken = false;  // an Error came out of it: nobody new gets it
    };
    class Leased;
    std::unique_ptr<Arena> take(const std::string& key);  // null where there is none
    void give_back(Entry& entry);

    const size_t m_idle_kept;
    std::mutex m_machine;
    std::mutex m_mutex;         // of what follows; never held while an arena works
    std::list<Entry> m_arenas;  // those used last at the end
};

}  // namespace kforge
