#include <unistd.h>

#include <algorithm>
#include <thread>

#include "kforge/arena/arena.hpp"
#include "kforge/arena/match.hpp"
#include "kforge/arena/stage.hpp"

namespace kforge {
namespace {

// A build takes a core and, with PyTorch's headers, two gigabytes.
constexpr size_t k_build_bytes = size_t{3} << 30;
// Matches that wait for the baselines hold a player each.
constexpr size_t k_most_waiting = 8;

size_t builds_at_once() {
    const auto pages = static_cast<size_t>(::sysconf(_SC_AVPHYS_PAGES));
    const size_t by_memory = pages * static_cast<size_t>(::sysconf(_SC_PAGESIZE)) / k_build_bytes;
    return std::max<size_t>(1, std::min<size_t>(std::thread::hardware_concurrency(), by_memory));
}

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

    Result<Evaluation> evaluate(const Submission& submission) override {
        // What an earlier candidate printed may have reached the author of this one.
        TRY(m_stage.new_rounds());
        Evaluation evaluation;
        TRY(evaluate_all({submission}, [&](size_t, Evaluation made) -> Result<void> {
            evaluation = std::move(made);
            return {};
        }));
        return evaluation;
    }

    Result<void> evaluate_all(const std::vector<Submission>& submissions, const Done& done) override {
        TRY(prepare());
        const size_t width = builds_at_once();
        size_t finished = 0;
        std::vector<Match> waiting;
        for (size_t next = 0; next < submissions.size();) {
            const size_t first = waiting.size();
            for (size_t i = 0; i < width && next < submissions.size(); ++i) {
                TRY_ASSIGN(Match match, Match::open(m_stage, submissions[next++]));
                waiting.push_back(std::move(match));
            }
            TRY(load_side_by_side(waiting, first));
            for (size_t i = first; i < waiting.size(); ++i) TRY(waiting[i].check());
            // While torch.compile is at work, others can be built and checked; nothing is timed beside that.
            TRY_ASSIGN(const bool settled, m_stage.baselines_settled());
            if (!settled && next < submissions.size() && waiting.size() < k_most_waiting) continue;
            for (Match& match : waiting) {
                TRY_ASSIGN(Evaluation evaluation, match.finish());
                TRY(done(finished++, std::move(evaluation)));
            }
            waiting.clear();
        }
        return {};
    }

    Result<Verdict> confirm(const Submission& submission) override {
        TRY(m_stage.open());
        return confirm_in_player(m_stage, submission);
    }

    Result<std::string> profile(const Submission& submission) override {
        TRY(m_stage.open());
        TRY_ASSIGN(const PlayerProfile profile, profile_in_player(m_stage, submission));
        return profile.table;
    }

    Result<std::string> render(const RenderRequest& request) override { return m_stage.render(request); }

  private:
    static Result<void> load_side_by_side(std::vector<Match>& matches, size_t first) {
        std::vector<Result<void>> loaded(matches.size(), Result<void>());
        std::vector<std::jthread> threads;
        for (size_t i = first; i < matches.size(); ++i)
            threads.emplace_back([&, i] { loaded[i] = matches[i].load(); });
        threads.clear();  // joins
        for (const Result<void>& result : loaded) TRY(result);
        return {};
    }

    Stage m_stage;
};

}  // namespace

Result<void> Arena::evaluate_all(const std::vector<Submission>& submissions, const Done& done) {
    for (size_t i = 0; i < submissions.size(); ++i) {
        TRY_ASSIGN(Evaluation evaluation, evaluate(submissions[i]));
        TRY(done(i, std::move(evaluation)));
    }
    return {};
}

std::unique_ptr<Arena> make_arena(ArenaSpec spec) {
    return std::make_unique<LocalArena>(std::move(spec));
}

}  // namespace kforge
