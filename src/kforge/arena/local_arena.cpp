#include "kforge/arena/arena.hpp"
#include "kforge/arena/match.hpp"
#include "kforge/arena/stage.hpp"

namespace kforge {
namespace {

class LocalArena final : public Arena {
  public:
    explicit LocalArena(ArenaSpec spec) : m_stage(std::move(spec)) {}

    Result<VetReport> vet() override { return m_stage.vet(); }

    Result<ProblemFacts> facts() override {
        TRY(m_stage.open());
        return m_stage.facts();
    }

    Result<void> prepare() override {
        TRY(m_stage.open());
        return m_stage.start_baselines();
    }

    Result<Evaluation> evaluate(const std::string& candidate,
                                const std::vector<fs::path>& auxiliary) override {
        return play_match(m_stage, candidate, auxiliary);
    }

    Result<Verdict> confirm(const std::string& candidate, const std::vector<fs::path>& auxiliary) override {
        return play_confirmation(m_stage, candidate, auxiliary);
    }

    Result<std::string> profile(const std::string& candidate,
                                const std::vector<fs::path>& auxiliary) override {
        TRY_ASSIGN(const PlayerProfile profile, profile_in_player(m_stage, candidate, auxiliary));
        return profile.table;
    }

    Result<std::string> render(const RenderRequest& request) override { return m_stage.render(request); }

  private:
    Stage m_stage;
};

}  // namespace

std::unique_ptr<Arena> make_arena(ArenaSpec spec) {
    return std::make_unique<LocalArena>(std::move(spec));
}

}  // namespace kforge
