// Rounds: one after the other, new inputs and a call of every side in random order. Knows who is called, when
// and what is looked at afterwards; how many rounds there are and what follows from them is the race's.
#pragma once

#include "kforge/arena/gpu_watch.hpp"
#include "kforge/arena/kernel_work.hpp"
#include "kforge/arena/race.hpp"
#include "kforge/arena/samples.hpp"
#include "kforge/util/random.hpp"

namespace kforge {

// What is looked at when every side has had its call; all means the results too.
enum class Check { nothing, inputs, all };

class Rounds {
  public:
    // Of all calls in rounds since reset().
    struct Log {
        Samples device_ms;      // on the GPU itself
        Samples waited_ms;      // of the baselines: for a processor that others had
        Samples for_kernel_ms;  // of that: no longer than the kernel's own threads have worked meanwhile
        Samples let_go_ms;      // after the calls, to let their results go
        std::vector<double> used_ms;  // processor time of the candidate's calls
    };

    Rounds(Stage& stage, const WeightSet& weights, const Runner& candidate, GpuWatch& watch)
        : m_stage(stage),
          m_weights(weights),
          m_candidate(candidate),
          m_watch(watch),
          m_random(stage.seeds().next()) {}

    // New inputs for everyone, unless something was found: those of the runner, or others. The candidate's
    // refusal is a finding.
    Result<void> stage_inputs(std::optional<Values> values = std::nullopt);
    // One call of every side, on the inputs that were staged last. With `cold`, the caches are emptied before
    // each. Nothing more is called once something was found.
    Result<void> call_all(const std::vector<std::string>& sides, Check check, bool cold, Samples* walls);
    // Both.
    Result<void> run(const std::vector<std::string>& sides, Check check, bool cold, Samples* walls);
    // A call of the candidate that is checked and not timed. A kernel that a stopped player has left behind,
    // or armed to begin when the inputs arrive, keeps the GPU from being idle; looking for it costs the
    // candidate its turn there.
    Result<void> watch(std::optional<Values> values = std::nullopt);
    // One that is neither, on the inputs that were staged last.
    Result<void> call_unseen();
    // As watch(), on the inputs of a case, where it applies. It can tell either from other calls by these
    // inputs, and in part by how soon it is called: no other side comes before it.
    Result<void> surprise(const Surprise& surprise);
    // A round, but for the candidate, which stands still all the while: wall milliseconds of the baseline.
    Result<double> run_without_candidate(const std::string& baseline);
    // Outside of rounds, on the inputs that are there: wall milliseconds. As in these others have had the
    // processors before it, and its caches.
    Result<double> call_alone(const std::string& baseline);

    // What ends the race; nothing so far.
    const std::optional<Verdict>& found() const { return m_found; }
    void find(std::optional<Verdict> verdict) { m_found = std::move(verdict); }
    // What the conversation about a call takes, by the calls of the same rounds.
    Overhead overhead(const Samples& walls) const;
    // Every call contains the least that there is. Calls that are mostly answered sooner than the quickest of
    // these do not: somebody else answers.
    void find_missing_overhead();
    // Work of the candidate that its middle call does not show. `samples` are the times of this series.
    struct Unseen {
        double certain_ms = 0, unclear_ms = 0;  // the latter besides
    };
    Unseen unseen(const Samples& samples, const Overhead& overhead, std::vector<std::string>& notes) const;
    // What it takes the baselines to let a result go, and the conversation about that.
    double due_to_let_go_ms(const Overhead& overhead) const;

    void reset() { m_log = Log{}; }
    const Log& log() const { return m_log; }
    const std::vector<double>& awake_ms() const { return m_awake_ms; }
    Lots& random() { return m_random; }
    bool on_gpu() const { return m_stage.gpu() != nullptr; }
    bool in_two_steps() const { return m_stage.in_two_steps(); }

  private:
    Result<void> hand_out(const nlohmann::json& spec);
    Result<void> call_watched(const Surprise* surprise);
    Result<double> call(const std::string& side);
    Result<double> call_baseline(const std::string& side);
    Result<double> call_candidate(bool* restless = nullptr);
    Result<void> end_call(Check check, const Surprise* surprise = nullptr);
    void add_conversations(std::vector<std::string>& order, bool cold) const;
    Result<void> empty_caches();
    std::optional<double> kernel_worked_ms();
    Unseen late_end(const Overhead& overhead, std::vector<std::string>& notes) const;
    Unseen unevenness(const Samples& samples, std::vector<std::string>& notes) const;

    Stage& m_stage;
    const WeightSet& m_weights;
    const Runner& m_candidate;
    GpuWatch& m_watch;
    Lots m_random;
    bool m_bound = false;  // everyone knows where inputs are
    std::optional<Verdict> m_found;
    Log m_log;
    std::optional<KernelWork> m_kernel;  // made when it is needed first
    // Of the candidate's calls as they are, and of the least that there is between them.
    std::vector<double> m_full_ms, m_least_ms;
    std::vector<double> m_awake_ms;
};

}  // namespace kforge
