#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <span>
#include <thread>

#include "kforge/arena/arena.hpp"
#include "kforge/arena/baseline_times.hpp"
#include "kforge/arena/match.hpp"
#include "kforge/arena/stage.hpp"

namespace kforge {
namespace {

// A build takes a core and, with PyTorch's headers, two gigabytes.
constexpr size_t k_build_bytes = size_t{3} << 30;
// Matches that are built together, and that wait for the baselines, hold a player each.
constexpr size_t k_least_together = 8, k_most_together = 16;
constexpr size_t k_most_waiting = 24;

size_t builds_by_memory() {
    const auto pages = static_cast<size_t>(::sysconf(_SC_AVPHYS_PAGES));
    return pages * static_cast<size_t>(::sysconf(_SC_PAGESIZE)) / k_build_bytes;
}

size_t builds_at_once() {
    return std::max<size_t>(1, std::min<size_t>(std::thread::hardware_concurrency(), builds_by_memory()));
}

size_t built_together() {
    return std::clamp<size_t>(std::thread::hardware_concurrency(), k_least_together, k_most_together);
}

// Some threads, and work for them. What has not begun when it goes is not done.
class Loaders {
  public:
    explicit Loaders(size_t threads) {
        for (size_t i = 0; i < threads; ++i)
            m_threads.emplace_back([this](const std::stop_token& stop) { work(stop); });
    }
    ~Loaders() {
        const std::lock_guard lock(m_mutex);
        m_loads.clear();
    }
    std::future<Result<void>> add(std::function<Result<void>()> load) {
        const std::lock_guard lock(m_mutex);
        m_loads.emplace_back(std::move(load));
        m_more.notify_one();
        return m_loads.back().get_future();
    }

  private:
    void work(const std::stop_token& stop) {
        for (;;) {
            std::unique_lock lock(m_mutex);
            if (!m_more.wait(lock, stop, [&] { return !m_loads.empty(); })) return;
            std::packaged_task<Result<void>()> load = std::move(m_loads.front());
            m_loads.pop_front();
            lock.unlock();
            load();
        }
    }

    std::mutex m_mutex;
    std::condition_variable_any m_more;
    std::deque<std::packaged_task<Result<void>()>> m_loads;
    std::vector<std::jthread> m_threads;  // last: they end before what they use
};

class LocalArena final : public Arena {
  public:
    explicit LocalArena(ArenaSpec spec) : m_spec(std::move(spec)) { start_over(); }

    Result<VetReport> vet() override {
        Result<VetReport> report = m_stage->vet();
        const bool failed = report.ok() ? report->state == "broken" : !is_cancelled(report.error());
        if (!failed || m_begun.empty()) return report;
        start_over();  // candidates that began early may have taken what the problem needs
        return m_stage->vet();
    }

    Result<ProblemFacts> facts() override {
        TRY(m_stage->open());
        return m_stage->facts();
    }

    Result<void> prepare() override {
        TRY(m_stage->open(true));
        return m_stage->start_baselines();
    }

    Result<void> rest() override { return m_stage->await_baselines(); }

    Result<void> settle() override {
        TRY(prepare());
        TRY(m_stage->settle_baselines());
        return {};
    }

    Result<BaselineTimes> time_baselines() override {
        TRY(prepare());
        return kforge::time_baselines(*m_stage);
    }

    Result<Evaluation> evaluate(const Submission& submission) override {
        Evaluation evaluation;
        TRY(evaluate_all({submission}, [&](size_t, Evaluation made) -> Result<void> {
            evaluation = std::move(made);
            return {};
        }));
        return evaluation;
    }

    void expect(const std::vector<Submission>& submissions) override {
        forget_expected();
        // Nobody waits for a build when the problem turns out to be broken.
        if (std::any_of(submissions.begin(), submissions.end(),
                        [](const Submission& one) { return builds_inline(one.source); }))
            return;
        const size_t together = std::min(built_together(), submissions.size());
        m_expected.assign(submissions.begin(), submissions.begin() + static_cast<ptrdiff_t>(together));
        m_stage->do_meanwhile([this] {
            Result<void> begun = begin_expected();
            if (!begun.ok()) forget_expected();
            return begun;
        });
    }

    Result<void> evaluate_all(const std::vector<Submission>& submissions, const Done& done) override {
        size_t finished = 0;
        Result<void> told;
        const Done tell = [&](size_t index, Evaluation evaluation) {
            finished = index + 1;
            return told = done(index, std::move(evaluation));
        };
        Result<void> all = evaluate_together(submissions, tell);
        const bool is_ours = all.ok() || !told.ok() || is_cancelled(all.error());
        if (is_ours || !m_stage->in_two_steps()) return all;
        // One of them can have taken what the others, and our own processes, need of a device.
        TRY(settle_anew());
        while (finished < submissions.size()) {
            TRY_ASSIGN(Evaluation evaluation, evaluate_alone(submissions[finished]));
            await_ending();
            TRY(tell(finished, std::move(evaluation)));
        }
        return {};
    }

    Result<Verdict> confirm(const Submission& submission) override {
        TRY(m_stage->open());
        return confirm_in_player(*m_stage, submission);
    }

    Result<std::string> profile(const Submission& submission) override {
        TRY(m_stage->open());
        TRY_ASSIGN(const PlayerProfile profile, profile_in_player(*m_stage, submission));
        return profile.table;
    }

    Result<std::string> render(const RenderRequest& request) override { return m_stage->render(request); }

  private:
    using Matches = std::vector<std::unique_ptr<Match>>;

    // A match whose player has been started, and loads its candidate.
    struct Begun {
        std::unique_ptr<Match> match;
        std::shared_future<Result<void>> loaded;
        std::shared_future<Result<void>> ready;  // and rehearsed, where that is done
        bool is_ready() const { return ready.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
    };

    static bool is_cancelled(const Error& error) { return error.kind == ErrorKind::cancelled; }

    // With processes that no player has disturbed.
    void start_over() {
        forget_expected();
        m_expected.clear();
        m_stage.emplace(m_spec);
        m_spec.nursery = nullptr;  // one stage has it
        m_settled_alone = false;
    }

    Result<void> evaluate_together(const std::vector<Submission>& submissions, const Done& done) {
        TRY(m_stage->open(true));
        // On a GPU players begin first: to open it takes them longer than the baselines take to get there.
        if (m_stage->gpu() == nullptr) TRY(prepare());
        if (!are_expected(submissions)) forget_expected();
        size_t finished = 0;
        Matches waiting;
        for (size_t next = 0; next < submissions.size();) {
            const size_t together = std::min(built_together(), submissions.size() - next);
            TRY(load(waiting, std::span(submissions).subspan(next, together)));
            next += together;
            // While torch.compile is at work, others can be built and checked; nothing is timed beside that.
            TRY_ASSIGN(const bool settled, m_stage->baselines_settled());
            const bool room = waiting.size() < k_most_waiting && builds_by_memory() > 0;
            if (!settled && next < submissions.size() && room) continue;
            TRY(get_ready_to_time(waiting));
            for (std::unique_ptr<Match>& match : waiting) {
                if (!match) TRY(load_alone(match, submissions[finished]));
                TRY(match->check());
                // There was no memory for all of them: each of the others begins anew when it is its turn.
                if (match->was_killed())
                    for (std::unique_ptr<Match>& other : waiting)
                        if (&other > &match) other.reset();
                // One that takes all processors, or all memory, must not cost its neighbours their verdict.
                if ((match->may_do_better_alone() && submissions.size() > 1) || match->lacked_headers())
                    TRY(load_alone(match, submissions[finished]));
                TRY_ASSIGN(Evaluation evaluation, match->finish());
                if (evaluation.timings) TRY(require_memory_for_baselines());
                TRY(done(finished++, std::move(evaluation)));
            }
            waiting.clear();
        }
        await_ending();
        return {};
    }

    // Until the baselines are: what the first candidate would wait for.
    Result<void> get_ready_to_time(const Matches& matches) {
        const auto waiting = [&] {
            const Result<bool> settled = m_stage->baselines_settled();
            return settled.ok() && !*settled;
        };
        if (waiting() && m_stage->gpu() == nullptr) m_stage->cache_sweep();
        for (const std::unique_ptr<Match>& match : matches)
            if (match && !match->is_decided()) return match->prepare_checks(waiting);
        return {};
    }

    void await_ending() {
        m_stage->end_retired();
        m_stage->await_ending();
    }

    // A baseline that is missing because a candidate had all memory must not be a win for it.
    Result<void> require_memory_for_baselines() {
        if (!m_stage->in_two_steps() || m_settled_alone) return {};
        TRY_ASSIGN(const std::vector<BaselineSide> sides, m_stage->settle_baselines());
        for (const BaselineSide& side : sides)
            if (side.out_of_memory)
                return Error{ErrorKind::environment,
                             fmt::format("no memory was left for '{}': {}", side.name, side.why)};
        return {};
    }

    // What is missing then is missing for want of a larger device.
    Result<void> settle_anew() {
        start_over();
        TRY(settle());
        m_settled_alone = true;
        return {};
    }

    // The baselines are ready, and no other player is there: who fails us now is known.
    Result<Evaluation> evaluate_alone(const Submission& submission) {
        std::unique_ptr<Match> match;
        Result<Evaluation> evaluation = play_alone(match, submission);
        if (evaluation.ok() || is_cancelled(evaluation.error()) || !match) return evaluation;
        const Finding hoarding = match->find_hoarding();
        if (!hoarding) return evaluation;
        match.reset();
        TRY(settle_anew());
        return Evaluation{.verdict = *hoarding};
    }

    Result<Evaluation> play_alone(std::unique_ptr<Match>& match, const Submission& submission) {
        TRY(load_alone(match, submission));
        if (match->lacked_headers()) TRY(load_alone(match, submission));
        return match->finish();
    }

    std::unique_ptr<Loaders> take_loaders() {
        return m_loaders ? std::move(m_loaders) : std::make_unique<Loaders>(builds_at_once());
    }

    Result<Begun> begin(const Submission& submission, Loaders& loaders) {
        TRY_ASSIGN(Match opened, Match::open(*m_stage, submission));
        auto match = std::make_unique<Match>(std::move(opened));
        std::shared_future<Result<void>> loaded =
            loaders.add([match = match.get()] { return match->load(); });
        return Begun{std::move(match), loaded, loaded};
    }

    bool are_expected(const std::vector<Submission>& submissions) const {
        return m_expected.size() <= submissions.size() &&
               std::equal(m_expected.begin(), m_expected.end(), submissions.begin());
    }

    Result<void> begin_expected() {
        m_loaders = take_loaders();
        for (const Submission& submission : m_expected) {
            TRY_ASSIGN(Begun next, begin(submission, *m_loaders));
            m_begun.push_back(std::move(next));
        }
        return {};
    }

    void forget_expected() {
        m_loaders.reset();  // waits for those that are at work
        m_begun.clear();
    }

    // Builds as many at a time as there are processors while the next are started, and checks, one after the
    // other, what is built. On a GPU, when there is nothing more to wait for, the others are checked when it
    // is their turn, while the player before them ends.
    Result<void> load(Matches& matches, std::span<const Submission> submissions) {
        std::deque<Begun> begun = std::exchange(m_begun, {});
        std::optional<Stage::Rehearsal> rehearsal;
        const std::unique_ptr<Loaders> loaders = take_loaders();  // they end before what they work on
        while (begun.size() < submissions.size()) {
            TRY_ASSIGN(Begun next, begin(submissions[begun.size()], *loaders));
            begun.push_back(std::move(next));
        }
        if (m_stage->gpu() != nullptr && submissions.size() > 1) {
            TRY_ASSIGN(rehearsal, m_stage->rehearsal());
            for (Begun& one : begun)
                one.ready = loaders->add(
                    [match = one.match.get(), loaded = one.loaded, &rehearsal]() -> Result<void> {
                        TRY(loaded.get());
                        return match->rehearse(*rehearsal);
                    });
        }
        TRY(prepare());
        if (rehearsal) {
            const Begun& first = begun.front();
            TRY(first.match->prepare_checks([&] { return !first.is_ready(); }));
        }
        const auto is_loading = [](const Begun& one) { return !one.is_ready(); };
        for (Begun& one : begun) {
            TRY(one.ready.get());
            TRY_ASSIGN(const bool settled, m_stage->baselines_settled());
            if (m_stage->gpu() == nullptr || !settled || std::any_of(begun.begin(), begun.end(), is_loading))
                TRY(one.match->check());
        }
        for (Begun& one : begun) matches.push_back(std::move(one.match));
        return {};
    }

    Result<void> load_alone(std::unique_ptr<Match>& match, const Submission& submission) {
        match.reset();
        TRY_ASSIGN(Match fresh, Match::open(*m_stage, submission));
        match = std::make_unique<Match>(std::move(fresh));
        TRY(match->load());
        return match->check();
    }

    ArenaSpec m_spec;
    std::optional<Stage> m_stage;
    bool m_settled_alone = false;  // its baselines, while no player was there
    std::vector<Submission> m_expected;
    std::deque<Begun> m_begun;           // of these
    std::unique_ptr<Loaders> m_loaders;  // last: they end before what they work on
};

}  // namespace

Result<BaselineTimes> Arena::time_baselines() {
    return Error{ErrorKind::environment,
                 "the device of this platform is not on this machine: nothing can be timed"};
}

Result<void> Arena::evaluate_all(const std::vector<Submission>& submissions, const Done& done) {
    for (size_t i = 0; i < submissions.size(); ++i) {
        TRY_ASSIGN(Evaluation evaluation, evaluate(submissions[i]));
        TRY(done(i, std::move(evaluation)));
    }
    return {};
}

Result<void> can_evaluate_on(const Platform& platform) {
    if (platform.device == "cpu" || platform.access) return {};
    if (platform.device != "cuda")
        return Error{ErrorKind::environment, "its platform.toml does not say how players reach it: [access]"};
    TRY(cuda::load_driver());
    return {};
}

std::unique_ptr<Arena> make_arena(ArenaSpec spec) {
    return std::make_unique<LocalArena>(std::move(spec));
}

}  // namespace kforge
