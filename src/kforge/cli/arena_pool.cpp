#include "kforge/cli/arena_pool.hpp"

#include <algorithm>
#include <utility>

namespace kforge {

class ArenaPool::Leased final : public Arena {
  public:
    Leased(ArenaPool& pool, Entry& entry) : m_pool(pool), m_entry(entry) {}
    ~Leased() override { m_pool.give_back(m_entry); }

    bool has_device() const override { return m_entry.arena->has_device(); }
    Result<VetReport> vet() override {
        return turn([](Arena& arena) { return arena.vet(); });
    }
    Result<ProblemFacts> facts() override {
        return turn([](Arena& arena) { return arena.facts(); });
    }
    // torch.compile in the background would disturb what another run times.
    Result<void> prepare() override { return {}; }
    Result<Evaluation> evaluate(const Submission& submission) override {
        return turn([&](Arena& arena) { return arena.evaluate(submission); });
    }
    Result<Verdict> confirm(const Submission& submission) override {
        return turn([&](Arena& arena) { return arena.confirm(submission); });
    }
    Result<std::string> profile(const Submission& submission) override {
        return turn([&](Arena& arena) { return arena.profile(submission); });
    }
    Result<std::string> render(const RenderRequest& request) override {
        return turn([&](Arena& arena) { return arena.render(request); });
    }
    Result<void> alone(const std::function<Result<void>()>& work) override {
        const std::lock_guard machine(m_pool.m_machine);
        return work();
    }

  private:
    template <typename Work>
    auto turn(const Work& work) -> decltype(work(std::declval<Arena&>())) {
        const std::lock_guard machine(m_pool.m_machine);
        auto result = work(*m_entry.arena);
        const Result<void> rested = result.ok() ? m_entry.arena->rest() : Result<void>();
        if (result.ok() && rested.ok()) return result;
        const std::lock_guard lock(m_pool.m_mutex);
        m_entry.broken = true;
        if (!result.ok()) return result;
        return rested.error();
    }

    ArenaPool& m_pool;
    Entry& m_entry;
};

std::unique_ptr<Arena> ArenaPool::take(const std::string& key) {
    const std::lock_guard lock(m_mutex);
    for (Entry& entry : m_arenas) {
        if (entry.key != key || entry.broken) continue;
        ++entry.users;
        return std::make_unique<Leased>(*this, entry);
    }
    return nullptr;
}

std::unique_ptr<Arena> ArenaPool::lease(const std::string& key, const Open& open) {
    if (std::unique_ptr<Arena> there = take(key)) return there;
    const std::lock_guard machine(m_machine);  // opening looks at the machine
    if (std::unique_ptr<Arena> there = take(key)) return there;
    std::unique_ptr<Arena> arena = open();
    const std::lock_guard lock(m_mutex);
    m_arenas.push_back(Entry{key, std::move(arena), 1, false});
    return std::make_unique<Leased>(*this, m_arenas.back());
}

std::unique_lock<std::mutex> ArenaPool::alone() {
    return std::unique_lock(m_machine);
}

void ArenaPool::give_back(Entry& given) {
    std::list<Entry> closed;  // their processes end when no lock is held
    const std::lock_guard lock(m_mutex);
    --given.users;
    const auto position =
        std::find_if(m_arenas.begin(), m_arenas.end(), [&](const Entry& entry) { return &entry == &given; });
    m_arenas.splice(m_arenas.end(), m_arenas, position);
    auto idle = std::count_if(m_arenas.begin(), m_arenas.end(),
                              [](const Entry& entry) { return entry.users == 0 && !entry.broken; });
    for (auto entry = m_arenas.begin(); entry != m_arenas.end();) {
        const auto here = entry++;
        const bool surplus = here->broken || idle > static_cast<long>(m_idle_kept);
        if (here->users > 0 || !surplus) continue;
        if (!here->broken) --idle;
        closed.splice(closed.end(), m_arenas, here);
    }
}

}  // namespace kforge
