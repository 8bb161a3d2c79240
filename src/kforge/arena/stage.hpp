// Stage: the trusted processes of the arena and the shared memory between them, for one problem. Typed calls
// over the messages of referee and baseline; decides nothing. Used by one thread; others may meanwhile load
// candidates into players that they have.
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kforge/arena/arena.hpp"
#include "kforge/arena/build_cache.hpp"
#include "kforge/arena/gpu.hpp"
#include "kforge/arena/gpu_turn.hpp"
#include "kforge/arena/header_cache.hpp"
#include "kforge/arena/judge.hpp"
#include "kforge/arena/placed_tensors.hpp"
#include "kforge/arena/player.hpp"
#include "kforge/arena/processors.hpp"
#include "kforge/arena/worker.hpp"
#include "kforge/util/random.hpp"
#include "kforge/util/turnstile.hpp"

namespace kforge {

// Which weights a candidate gets: "loaded" by parameter name, or "seeded" by repeating the reference's
// construction (where KernelBench's ModelNew cannot do with the former).
struct WeightSet {
    int index = 0;
    std::string kind = "loaded";
    // What may change between calls (buffers that a call changes, `live` weights) is something else in each
    // that is like any other.
    bool is_changing = false;
    bool operator==(const WeightSet&) const = default;
};

// Of the inputs of a call that is like any other. Fresh ones nobody has seen, also where get_inputs() makes
// the same each time; they are made in no time, and by a look at all of them can be told from what torch
// itself draws.
enum class Values { fresh, drawn_by_torch, as_made };

// An output as a player describes it: nothing of this is believed until the bytes have been compared.
struct OutputForm {
    std::string dtype;
    std::vector<int64_t> shape;
    std::vector<int64_t> stride;
    uint64_t address = 0;
    // On a GPU: by what name the memory can be opened from outside, and where in it the tensor begins.
    std::string handle = {};
    uint64_t offset = 0;
    bool given_back = false;  // not made by the call

    size_t item_bytes() const;  // none of a type that we do not know
    // Bytes from its first to its last element; nothing where the description makes no sense.
    std::optional<size_t> span() const;
    bool overlaps(const OutputForm& other) const;
    // Strides along which there is no second element mean nothing, and may be anything.
    void forget_idle_strides();
};

// How it went: the player may have named an address where nothing is, or the machine may not let us read.
enum class Taken { done, not_there, not_allowed, not_its_own, not_stored };

// A side of the race in the baseline process that is ready, or why it is not.
struct BaselineSide {
    std::string name;
    bool ready = false;
    std::string why;
    bool out_of_memory = false;  // that is why
};

// A shared buffer, mapped into this process.
class SharedMap {
  public:
    SharedMap() = default;
    SharedMap(const SharedMap&) = delete;
    SharedMap& operator=(const SharedMap&) = delete;
    ~SharedMap();
    bool map(int fd, size_t size);
    char* data() const { return m_data; }
    size_t size() const { return m_size; }

  private:
    char* m_data = nullptr;
    size_t m_size = 0;
};

class Stage {
  public:
    explicit Stage(ArenaSpec spec);
    ~Stage();
    const ArenaSpec& spec() const { return m_spec; }
    SeedSource& seeds() { return m_seeds; }
    int threads() const { return m_threads; }

    // Starts the processes and loads the problem, once. A faulty problem is an Error config. With baselines:
    // they will be wanted soon, and their process begins as well.
    Result<void> open(bool with_baselines = false);
    // What open() does as soon as players can be started: on a GPU while the problem is still being read.
    void do_meanwhile(std::function<Result<void>()> work) { m_meanwhile = std::move(work); }
    const ProblemFacts& facts() const { return m_facts; }
    // New secret inputs and weights for all that follows.
    Result<void> reseed();
    Result<VetReport> vet();
    Result<std::string> render(const RenderRequest& request);

    // The shared buffers now hold this; the returned specs are for the player's messages `instance` and
    // `bind`.
    Result<nlohmann::json> stage_weights(const WeightSet& weights);
    // Of what was staged so: the names of the buffers that a call changes, and the bytes of these or of
    // `all`.
    struct Staged {
        std::vector<std::string> changing;
        std::map<std::string, std::string> bytes;
    };
    Result<Staged> staged_weights(const nlohmann::json& request, bool all) const;
    struct StagedCase {
        bool applicable = false;
        std::string why;
        nlohmann::json spec;
    };
    // `leniently`: with weights for which nobody has tried whether the reference makes sense of it. Nothing
    // is then wrong with a result where it does not.
    Result<StagedCase> stage_case(const std::string& name, const WeightSet& weights, bool leniently = false);
    Result<nlohmann::json> stage_round(const WeightSet& weights, Values values = Values::fresh);
    // What is something else in the call on the inputs that were staged last, by name: to be written from
    // outside.
    const std::map<std::string, std::string>& others() const { return m_others; }
    // What was staged last leaves the shared memory, and comes back.
    Result<void> hide_inputs();
    // How much memory the shared inputs have; none on a GPU.
    size_t input_blocks() const;
    Result<void> show_inputs();
    // On a GPU inputs reach a player, and the baseline, right before the call: nothing that it has left there
    // sees them earlier.
    Result<void> reveal_inputs();
    // Whether the inputs in shared memory are as they were staged; otherwise what was changed.
    Result<std::optional<std::string>> inputs_changed();
    // Copies the outputs of a stopped player into the shared buffer.
    Result<Taken> take_outputs(const Player& player, const std::vector<OutputForm>& outputs);
    // How long a reader waits for those of their pages that nobody has written to: they are made when they
    // are first looked at. Zeros are quickly "computed" that way. Nothing where one cannot be written to.
    std::optional<double> unwritten_ms(const Player& player, const std::vector<OutputForm>& outputs) const;
    // The copy of an output that was taken last; null where there is none, or it is on a GPU.
    const char* taken_copy(size_t output) const;
    // Whether the memory of players can be read, and written to, from outside.
    bool memory_readable() const { return m_memory_readable; }
    // Compares what lies in the shared buffer. Unless it must be `exact`, a bound of the error may do; where
    // no policy applies, that it is near what eager gives.
    Result<Comparison> compare(const std::vector<OutputForm>& outputs, bool by_policy, bool exact = false);
    // Players may have that buffer too, where their memory cannot be read, and the next one waits already.
    Result<void> forget_outputs();
    const std::vector<size_t>& output_sizes() const { return m_output_sizes; }
    // Outputs for which the reference itself passes on an input: a candidate may do the same.
    const std::vector<size_t>& given_back() const { return m_given_back; }
    bool is_given_back(size_t output) const;
    // Whether it was, in this call: an input that was passed on lies where inputs are, and what lies
    // elsewhere is an output like any other.
    bool was_given_back(const Player& player, size_t output, const OutputForm& form) const;
    // Whether two of its outputs, the first of them first, may lie in the same memory: those of the reference
    // do, or it did not make them.
    bool may_share(size_t one, size_t other) const;
    // Parameters that every seed makes the same: of a KernelBench candidate they cannot be varied.
    const std::vector<std::string>& alike_parameters() const { return m_alike; }

    // A player with the candidate's auxiliary files in its scratch folder. Unless it is to be `fresh`, it
    // also finds there what the same candidate has built before.
    Result<Player> spawn_player(const Submission& submission, bool fresh = false,
                                const std::map<std::string, std::string>& environment = {});
    // The forms of what a model is made of and called with, for a call whose result does not matter.
    struct Rehearsal {
        nlohmann::json init, inputs;
    };
    Result<Rehearsal> rehearsal();
    // Taken by each player while it opens the GPU: the driver lets few do so at a time, and those that wait
    // for each other would all be ready at the same time, late.
    Turnstile& openings() { return m_openings; }
    // A player that is done on a GPU: to leave it takes as long as to time a short call, and is felt there.
    // It stands still until end_retired(), and then ends while others go on; await_ending() returns when it
    // is gone.
    void retire(Player player);
    void end_retired();
    void await_ending();
    // A candidate may not compile for want of headers that we have left out: then it has all of them from the
    // next player on. False: that is not why.
    bool gave_too_few_headers(const std::string& candidate, const Verdict& verdict);
    // Keeps what the candidate has built, for the next player of the same candidate.
    void keep_build(const Submission& submission, const Player& player);
    // The shared buffers for a player, empty: nothing that an earlier one left there reaches it.
    struct Buffers {
        std::vector<size_t> sizes;
        std::vector<Fd> files;
    };
    Result<Buffers> fresh_buffers();
    // Players that wait for each other have the same buffers: what one has left there must not reach the
    // next.
    Result<void> clear_buffers();
    // Whether it can be seen from outside where a player executes; found out where the policy asks for it.
    bool players_can_be_sampled() const { return m_can_be_sampled; }

    // Starts preparing the baselines in the background (torch.compile takes seconds); idempotent.
    Result<void> start_baselines();
    // Whether settle_baselines() would return at once.
    Result<bool> baselines_settled();
    // Waits for what has begun.
    Result<void> await_baselines();
    // Waits until they are prepared; which sides can be timed.
    Result<std::vector<BaselineSide>> settle_baselines();
    // The weights of a candidate, where they have not got them; no player may run meanwhile.
    Result<void> give_baselines(const WeightSet& weights);
    // Ends their process: others begin when they are wanted.
    void forget_baselines();
    // Decides, once, where the threads of the baselines run. Nothing else may run meanwhile.
    Result<void> place_baselines();
    void place_baselines(Placement placement);
    Placement placement_of_baselines() const { return m_placement; }
    // Whether nobody has asked before in this session: once it has been found out, it is known.
    bool may_place_better(const std::string& side) { return m_well_placed.insert(side).second; }
    Result<void> baseline_bind(const nlohmann::json& spec);
    // The inputs of the calls that follow, told in each of them.
    Result<void> baseline_tell(const nlohmann::json& spec);
    Result<double> baseline_go(const std::string& side);  // wall milliseconds, message included
    // Likewise of a process that only answers, on these processors. No player can answer sooner.
    Result<double> echo_go(const std::vector<int>& processors);
    // On a GPU: how long it took each time until the process was awake, before that.
    const std::vector<double>& baseline_awake_ms() const { return m_baseline_awake_ms; }
    // And what the last call took on the GPU itself.
    double baseline_device_ms() const { return m_baseline_device_ms; }
    // How much of its last call a baseline has waited for a processor that others had.
    double baseline_waited_ms() const { return m_waited_ms; }
    // How long it took to let the result go.
    double baseline_let_go_ms() const { return m_let_go_ms; }
    // Remembers what a side took, with the weights that it has and values like those that were staged last:
    // with others it may take another time. slower_than_before(): how many times as long it takes now as it
    // did at its best in this session, where that may have been so much longer by chance.
    double note_baseline(const std::string& side, double ms);  // the best so far
    // How long two calls of the same side took, one after the other, each time that was tried in this
    // session.
    using Pairs = std::deque<std::pair<double, double>>;
    Pairs& pairs_of(const std::string& side) { return m_pairs[side]; }
    double slower_than_before(const std::string& side, double ms, double chance_ms);
    // To time on its GPU; nothing where it is none.
    Result<std::optional<GpuTurn>> take_turn() const;
    // Where players and baselines run.
    const std::vector<int>& processors() const { return m_processors; }
    // Where the device is a GPU whose memory can be shared; null elsewhere.
    Gpu* gpu() const { return m_gpu.get(); }
    // Whether what crosses between us and the device crosses by the host's memory: players themselves put
    // inputs there and copy outputs from there.
    bool by_host() const { return m_spec.access.has_value(); }
    // Whether a call is asked for first, and started when the player says that it is ready.
    bool in_two_steps() const { return m_gpu || by_host(); }
    // Empties their caches; made at the first question, for its memory takes long to get.
    CacheSweep& cache_sweep();
    // Bytes that every call must at least load and store; counted at the first question.
    Result<double> least_bytes();

  private:
    // Memory that the processes share: of the host, or of the GPU.
    struct SharedBuffer {
        Fd file;
        Gpu::Memory on_device;
        int get() const { return on_device.address != 0 ? on_device.file.get() : file.get(); }
    };
    Result<void> wipe(const SharedBuffer& buffer);
    Result<Fd> lend(const SharedBuffer& buffer);
    Result<void> share_device_memory();
    Result<void> keep_inputs(const nlohmann::json& staged);
    // What was staged last, in memory of its own.
    Result<Fd> copy_inputs() const;
    Result<void> branch_baseline();
    Result<void> collect_baseline_reply();
    double processors_of_baselines() const;
    // `then` starts the call on a GPU.
    Result<double> time_call(Worker& worker, const nlohmann::json& request, const nlohmann::json& then);
    nlohmann::json new_seeds();
    Result<fs::path> prepare_headers(const std::string& candidate);
    std::string build_key(const Submission& submission) const;
    static Result<fs::path> gather_auxiliary(const fs::path& folder, const std::vector<fs::path>& auxiliary);
    nlohmann::json jail_settings(const PlayerSpec& player, size_t memory_bytes) const;
    ArenaSpec m_spec;
    SeedSource m_seeds;
    bool m_open = false;
    std::optional<Error> m_failed;
    std::function<Result<void>()> m_meanwhile;
    Environment m_trusted_environment;
    std::optional<TemporaryDirectory> m_folder;
    int m_players = 0;
    Rehearsal m_rehearsal;
    Turnstile m_openings{8};
    HeaderCache m_headers;
    BuildCache m_builds;
    std::string m_torch;
    std::optional<HeaderCache::Toolchain> m_toolchain;
    bool m_memory_readable = false;  // of players, on this machine
    bool m_can_be_sampled = false;   // likewise
    int m_threads = 1;
    std::shared_ptr<Worker> m_nursery;  // the others are forked from it, and end with it
    Worker m_referee;
    Worker m_baseline;
    Worker m_echo;
    Worker m_zygote;
    std::shared_ptr<Gpu> m_gpu;
    std::vector<double> m_baseline_awake_ms;
    double m_baseline_device_ms = 0;
    double m_waited_ms = 0;
    double m_let_go_ms = 0;
    SharedBuffer m_inputs, m_outputs, m_weights;
    // On a GPU the referee puts inputs where no player looks, and the baseline has its own.
    SharedBuffer m_staged_inputs, m_baseline_inputs;
    Gpu::Kept m_kept_inputs;  // what was staged last
    std::vector<size_t> m_sizes;
    std::vector<size_t> m_output_sizes;
    std::vector<size_t> m_given_back, m_passed_on;  // the latter among the former
    std::vector<std::pair<size_t, size_t>> m_sharing;
    std::vector<std::string> m_alike;
    SharedMap m_output_map;
    std::vector<const char*> m_taken;
    ProblemFacts m_facts;
    size_t m_staged_bytes = 0;
    Fd m_other_tensors;  // shared with the referee alone
    std::map<std::string, std::string> m_others;
    bool m_baselines_started = false;
    size_t m_baseline_replies = 0;  // still to come
    std::vector<BaselineSide> m_sides;
    std::optional<WeightSet> m_baseline_weights;  // that it has been given
    std::map<std::string, PlacedTensors>
        m_baseline_buffers;  // with these, by side; those that are written from outside
    nlohmann::json m_baseline_bound, m_baseline_told;  // told: null where it is what is bound
    uint64_t m_init_seed = m_seeds.next();             // of what all models are made with
    bool m_as_made = false;                            // what was staged last
    std::map<std::tuple<std::string, int, bool>, double> m_best_ms;
    std::map<std::string, Pairs> m_pairs;
    std::vector<int> m_processors;
    bool m_baselines_placed = false;
    Placement m_placement = Placement::loose;
    std::set<std::string> m_well_placed;
    std::optional<CacheSweep> m_sweep;
    std::optional<double> m_least_bytes;
    std::optional<Player> m_retired;
    std::future<void> m_ending;  // last: it needs the zygote
};

}  // namespace kforge
