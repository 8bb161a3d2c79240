// Contender: a candidate in its player, as a match deals with it. Every answer of the player is judged at
// once: a call yields a finding, the verdict that ends the match, or nothing. Nothing that the player says is
// believed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kforge/arena/caller.hpp"
#include "kforge/arena/kept_outputs.hpp"
#include "kforge/arena/placed_tensors.hpp"
#include "kforge/arena/stage.hpp"

namespace kforge {

using Finding = std::optional<Verdict>;

// Runs the steps in order until one finds something or fails.
template <typename... Steps>
Result<Finding> first_finding(Steps... steps) {
    Result<Finding> result = Finding();
    (void)((result = steps(), !result.ok() || result->has_value()) || ...);
    return result;
}

Finding integrity(std::string evidence);
Finding broken_protocol(const std::string& doing);

// What the player is said to be doing in calls that it cannot tell from timed ones, too.
inline constexpr const char* k_in_a_timed_call = "running forward in a timed call";

// What PyTorch's profiler says, in the player: advice for whoever writes the next candidate, no more.
struct PlayerProfile {
    std::string table;
};

// What a checker that runs beside the candidate says of it, without the platform's device.
struct CheckReport {
    struct Tally {
        int64_t handed = 0;  // pieces of code that the candidate gave to be compiled
        int64_t judged = 0;  // those of them about which something was found out
    };
    std::vector<std::string> lines;
    std::optional<Tally> tally;  // none: the checker does not count
};

class Contender {
  public:
    Contender(Stage& stage, Player player, const Submission& submission);

    // Before there is a candidate in it. This and the next two touch its own player only: contenders may
    // load side by side.
    Result<Finding> open_device();
    // Writes, builds and imports the candidate.
    Result<Finding> load();
    // One call on inputs that mean nothing, in which it compiles what it compiles in its first.
    Result<Finding> rehearse(const Stage::Rehearsal& rehearsal);
    // Gives the player the shared buffers: they hold nothing of what came before.
    Result<Finding> attach();

    Result<Finding> use_weights(int index);
    // The one that it began with, with the problem's own weights, unless it was too large to be kept.
    Result<Finding> use_first_instance();
    // KernelBench's contract: a ModelNew that cannot do with weights that are loaded by name makes its own,
    // by repeating the reference's construction from a seed. After this all begins anew; false where nothing
    // else is left to try.
    bool fall_back_on_a_seed(const Verdict& found);
    // Whether it did so, and the reference has weights: then they are such as nobody has trained.
    bool has_own_weights() const { return m_weights.kind == "seeded" && !m_stage.facts().parameters.empty(); }
    const WeightSet& weights() const { return m_weights; }
    // Whether something that may change between calls could be, and is not: it lies otherwise than in the
    // reference, and is not written from outside.
    bool keeps_what_may_change() const { return m_keeps_what_may_change; }
    uint64_t draw_seed() { return m_stage.seeds().next(); }
    // `poison`: memory that is handed out next is full of NaN, so that an output that is not written shows.
    Result<Finding> bind(const nlohmann::json& spec, bool poison = false);
    // The inputs of the calls that follow, in place of those that are bound.
    Result<Finding> tell(const nlohmann::json& spec);
    // One call of forward. Afterwards the player stands still. `warm`, on a GPU: after some on inputs that it
    // has had before; the player, and the GPU that has worked for others meanwhile, are then ready for a
    // timed one. `restless`: whether the GPU was at work before the call began, while the player stood still.
    Result<Finding> go(const std::string& doing, Sampler* sampler = nullptr, bool warm = false,
                       bool* restless = nullptr);
    const std::vector<OutputForm>& outputs() const { return m_outputs; }  // of the last call
    double last_call_ms() const { return m_player.last_call_ms(); }
    // What its caller has to wait for before the last outputs can be read and written, its call included.
    Finding last_wall_ms(double& wall_ms) const;
    double last_used_ms() const { return m_player.last_used_ms(); }
    double last_busy_ms() const { return m_player.last_busy_ms(); }
    double last_awake_ms() const { return m_player.last_awake_ms(); }
    double last_device_ms() const { return m_last_device_ms; }  // on a GPU, as the player says
    // Compares the outputs of the last call, taken out of the stopped player. `comparison` may be null.
    Result<Finding> compare(const std::string& name, bool by_policy, Comparison* comparison = nullptr);
    // Lets the outputs go, when nothing is timed, or keeps them in the player until its end.
    Result<Finding> drop(bool keep = false);
    // Whether there is room for one more result that is kept.
    bool may_hold() const;
    // Calls it more often, and keeps all results: whether one of them is changed by a later call.
    Result<Finding> find_changed_outputs();

    // One case from staging to the inspection of outputs and weights. Where the case does not apply to the
    // problem nothing is found, and `not_applicable` says why.
    Result<Finding> run_case(const std::string& name, bool by_policy, Comparison* comparison = nullptr,
                             std::string* not_applicable = nullptr);
    // Before load(): readies the player for a check without the device.
    Result<Finding> prepare_check(const OfflineCheck& check);
    // One call on the problem's own inputs for such a check; its outputs are not looked at. What the checker
    // has to tell is added to `report`.
    Result<Finding> try_out(CheckReport& report);
    // One call on inputs it has not seen, like a timed one, during which its threads are looked at.
    Result<Finding> sample_call();
    // What was seen in these calls; nothing where this machine does not let us look.
    std::optional<Work> work() const;

    // On a GPU, by the player's own profile: whose kernels take the time of ordinary calls.
    Result<Finding> profile_kernels(Work& work);

    // On a GPU: one call under a memory checker. What it finds is a fault of the device; `not_done` says why
    // it could not look.
    Result<Finding> check_memory(std::string& not_done);

    // Whether the next one may miss the memory that it has on the GPU.
    bool holds_much() const;
    // Whether it has so much of it that others, and our own processes, have too little. Ends it then.
    Finding find_hoarding();

    // Whether its results need the functions of its own libraries: these are taken away for good.
    enum class Need { proved, disproved, unclear, too_much_to_tell };
    Result<Need> try_without_own_functions();

    // Ten calls under PyTorch's profiler, on the problem's own inputs.
    Result<Finding> profile(PlayerProfile& profile);

    // For what follows it has at least this long, whatever was spent before.
    void allow(double seconds);
    const Submission& submission() const { return m_submission; }
    pid_t pid() const { return m_player.pid(); }
    bool running() const { return m_player.running(); }
    bool was_killed() const { return m_player.was_killed(); }
    std::string printed() { return m_player.printed(); }
    void finish() { m_player.finish(); }
    Player release_player() { return std::move(m_player); }  // nothing more can be asked of it
    // The promises of docs/arena.md that were not kept for this player, and why.
    std::vector<std::string> open_promises() const;

  private:
    Result<Finding> load_weights(int index, bool again = false);
    Result<void> place_tensors(const nlohmann::json& request, const nlohmann::json& reply);
    bool weights_are_live() const;
    Result<Finding> ask(const nlohmann::json& request, const std::string& doing, double limit_s,
                        nlohmann::json* reply = nullptr, const std::vector<int>& fds = {},
                        Sampler* sampler = nullptr, const Player::Start* then = nullptr);
    // One request about the problem's own inputs, which are bound and shown for it.
    Result<Finding> ask_on_given(const nlohmann::json& request, const std::string& doing, double limit_s,
                                 nlohmann::json& reply);
    Result<bool> still_runs_own_code(double share);
    Result<Finding> hand_over(const std::string& name);
    // A result is its caller's, who may write to it. With `look`: whether more than that has changed.
    Finding write_to_outputs(bool look);
    std::optional<double> held_gpu_bytes() const;
    Finding read_forms(const nlohmann::json& reply, const std::string& doing);
    Finding find_shared_outputs() const;

    Stage& m_stage;
    Player m_player;
    const Submission& m_submission;
    double m_left_s;  // of its time limit: only waiting for the player counts, not the trusted side's work
    WeightSet m_weights;
    bool m_may_repeat_a_seed = false;
    std::string m_why_seeded;
    nlohmann::json m_bound;
    nlohmann::json m_told;  // with every call; null: what is bound
    std::unique_ptr<Sampler> m_sampler;
    bool m_attached = false;
    bool m_has_instance = false;
    bool m_handed_over = false;
    double m_last_device_ms = 0;
    std::vector<OutputForm> m_outputs;
    bool m_keeps_what_may_change = false;
    std::optional<PlacedTensors> m_placed;  // what may change between calls, where there is any
    KeptOutputs m_kept;
    Caller m_caller;
    bool m_still_held = false;  // the outputs that the caller has written to last
};

}  // namespace kforge
