// Arena: evaluates candidates for one problem under one set of policies. Owns the trusted processes (referee,
// baseline, zygote) and the clock; forks one player per candidate. A bad candidate is an Evaluation; only a
// fault of ours or of the machine is an Error. Used by one thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kforge/arena/evaluation.hpp"
#include "kforge/platform/platform.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/policy.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

// The process that all others of an arena are forked from. It imports PyTorch, which takes longest of all
// that an arena begins with.
class Worker;
Result<std::shared_ptr<Worker>> start_nursery(const fs::path& python, const fs::path& python_path);

struct ArenaSpec {
    fs::path python;
    fs::path python_path;      // the folder that holds kforge_arena
    std::string problem_name;  // for messages
    std::string problem;       // source text
    Policies policies;
    std::string device = "cpu";          // PyTorch's name: "cpu", "cuda"
    std::optional<DeviceAccess> access;  // where its memory cannot be shared
    double device_bytes_per_ms = 0;      // what its memory can move at most; 0: not known
    std::string preload;                 // the platform's
    std::shared_ptr<Worker> nursery;     // one that was started ahead, with this Python; null: none was
    std::vector<std::string> baselines = {"eager", "compile"};
    double time_limit_s = 120;   // wall time of one candidate, building included
    double call_limit_s = 20;    // wall time of one forward call
    double timing_budget_s = 5;  // for the interleaved series of one candidate
    size_t memory_limit_mb = 8192;
    bool sanitize = false;         // on a GPU: what is correct runs once more under a memory checker
    fs::path cache;                // compile caches of the trusted side
    std::string seed;              // empty: from the operating system; tests fix it
    std::string jail = "off";      // auto, require, off
    fs::path jail_library;         // needed unless off
    fs::path draws_library;        // libkforge_draws.so; empty: inputs take longer to make
    std::vector<fs::path> hidden;  // what no player may see, wherever it lies
};

struct VetReport {
    std::string state;  // ok, degenerate, random, broken
    std::string reason;
    std::string evidence;
};

// A candidate as it is handed in.
struct Submission {
    std::string source;
    std::vector<fs::path> auxiliary;  // files and folders that it may import
    bool operator==(const Submission&) const = default;
};

// What the prompt tells about the problem, read off the real tensors.
struct ProblemFacts {
    std::vector<std::string> inputs;  // "x: float32 [1024, 8192]"
    std::vector<std::string> outputs;
    std::vector<std::string> parameters;
    bool makes_the_same = false;  // get_inputs(), of some numbers, each time
};

// A template, by name in the first folder that has it or as text, and its variables.
struct RenderRequest {
    std::vector<fs::path> folders;
    std::string name;  // empty: `text` is the template
    std::string text;
    nlohmann::json context;
};

class Arena {
  public:
    virtual ~Arena() = default;
    // False: candidates can only be checked here; what was checked elsewhere should be evaluated where this
    // is true.
    virtual bool has_device() const { return true; }
    virtual Result<VetReport> vet() = 0;
    virtual Result<ProblemFacts> facts() = 0;
    // Begins in the background what the first evaluation will wait for (torch.compile takes seconds); an LLM
    // takes as long to answer.
    virtual Result<void> prepare() { return {}; }
    // Waits until nothing that was begun goes on in the background: before another arena of this machine
    // times.
    virtual Result<void> rest() { return {}; }
    // Waits for what prepare() began.
    virtual Result<void> settle() { return {}; }
    // How long the baselines take, without a candidate.
    virtual Result<BaselineTimes> time_baselines();
    virtual Result<Evaluation> evaluate(const Submission& submission) = 0;
    // What evaluate_all() will be asked to do. Told before vet(), it can begin sooner.
    virtual void expect(const std::vector<Submission>&) {}
    // Many at once take less time than one after the other: they are built side by side and wait for their
    // baselines together. `done` gets them in order; its Error ends the rest.
    using Done = std::function<Result<void>(size_t index, Evaluation evaluation)>;
    virtual Result<void> evaluate_all(const std::vector<Submission>& submissions, const Done& done);
    // Checks a candidate that was found correct once more, in a fresh player with new secret inputs and
    // weights.
    virtual Result<Verdict> confirm(const Submission& submission) = 0;
    // The table of the profiler built into PyTorch, for a candidate that was found correct.
    virtual Result<std::string> profile(const Submission& submission) = 0;
    // Does what measures or loads the machine, and is none of the above, while no candidate is evaluated on
    // it.
    virtual Result<void> alone(const std::function<Result<void>()>& work) { return work(); }
    // Jinja2 lives in the referee, because PyTorch always brings it along.
    virtual Result<std::string> render(const RenderRequest& request) = 0;
};

// Starts nothing yet: processes start when they are first needed.
// Whether players can run on the platform's device, where that is here; otherwise why not.
Result<void> can_evaluate_on(const Platform& platform);
std::unique_ptr<Arena> make_arena(ArenaSpec spec);

// For a machine without the platform's device: evaluates by the checks that can be done without it, to
// verdicts that are `checked` at best, and times nothing. `notes`: checks that are not possible here, and
// why.
std::unique_ptr<Arena> make_offline_arena(ArenaSpec spec, std::vector<OfflineCheck> checks,
                                          std::vector<std::string> notes);

}  // namespace kforge
