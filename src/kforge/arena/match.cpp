#include "kforge/arena/match.hpp"

#include <fmt/format.h>

#include <chrono>

#include "kforge/arena/race.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using Finding = std::optional<Verdict>;  // a verdict that ends the match, or nothing

struct CheckCase {
    const char* name;
    int weights;
    bool by_policy;
};

// Each weight set gets a fresh instance. The problem's own values come first: most mistakes show there.
const std::vector<CheckCase> k_checks = {
    {"given", 0, true}, {"normal", 1, true},    {"large", 1, false}, {"offset", 1, false},
    {"tiny", 1, false}, {"negative", 2, false}, {"zeros", 2, false}, {"rows", 2, false},
    {"ties", 2, false}, {"given", 2, true},
};
const std::vector<const char*> k_batch_variations = {"batch 1", "batch half", "batch less one"};
const std::vector<const char*> k_stride_variations = {"strides transposed", "strides sliced"};
constexpr double k_least_own_share = 0.05;
// What a player says of its outputs goes into evidence: more than this is no description of a tensor.
constexpr size_t k_most_outputs = 1024;
constexpr size_t k_most_dimensions = 64;
constexpr size_t k_longest_dtype = 64;
constexpr size_t k_longest_table = 64 << 10;

// Runs the steps in order until one finds something or fails.
template <typename... Steps>
Result<Finding> first_finding(Steps... steps) {
    Result<Finding> result = Finding();
    (void)((result = steps(), !result.ok() || result->has_value()) || ...);
    return result;
}

class Match {
  public:
    Match(Stage& stage, Player player, const std::string& source)
        : m_stage(stage),
          m_player(std::move(player)),
          m_source(source),
          m_left_s(stage.spec().time_limit_s) {}

    Result<Evaluation> play() {
        TRY_ASSIGN(Finding found, steps());
        m_evaluation.verdict = found ? *found : Verdict::correct(correct_evidence());
        if (!m_evaluation.verdict.is_correct()) {
            m_evaluation.speedup.reset();
            m_evaluation.same_permission_speedup.reset();
            m_evaluation.claim.clear();
        }
        if (m_handed_over)
            m_evaluation.open_promises.push_back(
                "outputs are taken the moment a call returns (memory of other processes may not be read "
                "here)");
        m_evaluation.output = elide_middle(m_player.printed(), 8000);
        TRY(timed("end", [&] {
            m_player.finish();
            return Result<Finding>(Finding());
        }));
        return std::move(m_evaluation);
    }

    Result<Verdict> confirm() {
        TRY_ASSIGN(const Finding found, first_finding([&] { return load(); }, [&] { return check(); }));
        return found ? *found : Verdict::correct(correct_evidence());
    }

    Result<std::variant<PlayerProfile, Verdict>> profile() {
        TRY_ASSIGN(const Finding found, first_finding([&] { return load(); }, [&] { return use_weights(0); },
                                                      [&] { return bind_case("given"); }));
        if (found) return std::variant<PlayerProfile, Verdict>(*found);
        return measure_profile();
    }

  private:
    Result<Finding> steps() {
        return first_finding([&] { return timed("load", [&] { return load(); }); },
                             [&] { return timed("check", [&] { return check(); }); },
                             [&] { return timed("time", [&] { return time(); }); },
                             [&] { return timed("kernels", [&] { return require_kernels(); }); },
                             [&] { return timed("vary", [&] { return vary(); }); });
    }

    template <typename Step>
    Result<Finding> timed(const char* name, Step step) {
        const auto start = std::chrono::steady_clock::now();
        Result<Finding> found = step();
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        m_evaluation.phases.push_back(Phase{name, spent.count()});
        return found;
    }

    // One request; a fault is judged at once. `reply` is filled only when nothing was found.
    Result<Finding> ask(const nlohmann::json& request, const std::string& doing, double limit_s,
                        nlohmann::json* reply = nullptr) {
        const auto start = std::chrono::steady_clock::now();
        TRY_ASSIGN(Player::Answer answer, m_player.call(request, std::min(limit_s, m_left_s)));
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        const bool all_spent = m_left_s < limit_s;
        m_left_s = std::max(0.0, m_left_s - spent.count());
        if (Fault* fault = std::get_if<Fault>(&answer)) {
            Verdict verdict = judge_fault(*fault, doing, m_player.printed(), m_source);
            if (fault->kind == Fault::Kind::timeout && all_spent)
                verdict.evidence = fmt::format("All of its {:.3g} s are spent: {}",
                                               m_stage.spec().time_limit_s, verdict.evidence);
            return Finding(std::move(verdict));
        }
        if (reply != nullptr) *reply = std::move(std::get<nlohmann::json>(answer));
        return Finding();
    }

    Result<Finding> load() {
        nlohmann::json reply;
        TRY_ASSIGN(Finding found, ask({{"op", "load"}, {"source", m_source}}, "importing the candidate",
                                      m_stage.spec().time_limit_s, &reply));
        if (found) return found;
        // KernelBench's contract repeats the construction from a seed; ours loads weights by name.
        if (const auto name = reply.find("class"); name != reply.end() && *name == "ModelNew")
            m_weights.kind = "seeded";
        return Finding();
    }

    Result<Finding> use_weights(int index) {
        m_weights.index = index;
        TRY_ASSIGN(nlohmann::json request, m_stage.stage_weights(m_weights));
        if (m_has_instance && m_stage.spec().policies.weights == Weights::live &&
            m_weights.kind == "loaded") {
            request["op"] = "reweigh";
            return ask(request, "loading other weights into the same instance", m_stage.spec().time_limit_s);
        }
        m_has_instance = true;
        return ask(request, "constructing NewModel", m_stage.spec().time_limit_s);
    }

    Result<Finding> bind(const nlohmann::json& spec, bool poison = false) {
        nlohmann::json request = {{"op", "bind"}, {"spec", spec}};
        if (poison) request["poison"] = m_stage.output_sizes();
        return ask(request, "binding inputs", m_stage.spec().call_limit_s);
    }

    Result<Finding> bind_case(const std::string& name) {
        TRY_ASSIGN(const auto staged, m_stage.stage_case(name, m_weights));
        return bind(staged.spec);
    }

    // One call of forward. Afterwards the player stands still and m_outputs says where its results are.
    Result<Finding> go(const std::string& doing) {
        nlohmann::json reply;
        TRY_ASSIGN(const Finding found, ask({{"op", "go"}}, doing, m_stage.spec().call_limit_s, &reply));
        if (found) return found;
        std::vector<OutputForm> outputs;
        try {
            for (const nlohmann::json& item : reply.at("outputs")) {
                outputs.push_back(
                    {sanitize(item.at(0).get<std::string>()), item.at(1), item.at(2), item.at(3)});
                const OutputForm& form = outputs.back();
                if (outputs.size() > k_most_outputs || form.shape.size() > k_most_dimensions ||
                    form.stride.size() != form.shape.size() || form.dtype.size() > k_longest_dtype)
                    return Finding(Verdict::because(Reason::integrity,
                                                    "It returned more outputs or dimensions "
                                                    "than a tensor program can mean."));
            }
        } catch (const nlohmann::json::exception&) {
            return Finding(
                Verdict::because(Reason::integrity, "The player broke the protocol while " + doing));
        }
        // The previous outputs are still alive: their memory cannot have been handed out again.
        for (size_t i = 0; i < outputs.size(); ++i)
            for (const OutputForm& earlier : m_outputs)
                if (outputs[i].span().value_or(0) > 0 && outputs[i].address == earlier.address)
                    return Finding(Verdict::because(
                        Reason::integrity,
                        fmt::format("output {} lies in the memory of an earlier output", i)));
        m_outputs = std::move(outputs);
        return Finding();
    }

    // Compares the outputs of the last call, taken out of the stopped player.
    Result<Finding> compare(const std::string& name, bool by_policy) {
        const Taken taken = m_stage.take_outputs(m_player, m_outputs);
        if (taken == Taken::not_there)
            return Finding(Verdict::because(
                Reason::integrity, fmt::format("case '{}': an output is not where the player said", name)));
        if (taken == Taken::not_allowed) {
            TRY_ASSIGN(const Finding found, hand_over(name));
            if (found) return found;
        }
        TRY_ASSIGN(const std::optional<std::string> changed, m_stage.inputs_changed());
        if (changed)
            return Finding(Verdict::because(Reason::integrity, fmt::format("case '{}': {}", name, *changed)));
        TRY_ASSIGN(const Comparison comparison, m_stage.compare(m_outputs));
        if (by_policy) note_error(comparison, name);
        return judge_comparison(comparison, name, by_policy, m_stage.spec().policies.precision);
    }

    // Where a process may not read another one's memory: the player copies, and that is said.
    Result<Finding> hand_over(const std::string& name) {
        TRY_ASSIGN(const Finding found,
                   ask({{"op", "publish"}}, fmt::format("handing over the result of case '{}'", name),
                       m_stage.spec().call_limit_s));
        if (found) return found;
        for (OutputForm& form : m_outputs) {
            int64_t step = 1;
            for (size_t i = form.shape.size(); i-- > 0;) {
                form.stride[i] = step;
                if (__builtin_mul_overflow(step, form.shape[i], &step)) break;  // a form that nobody expects
            }
        }
        m_handed_over = true;
        return Finding();
    }

    Result<Finding> inspect() {
        return ask({{"op", "inspect"}}, "looking at its outputs", m_stage.spec().call_limit_s);
    }

    void note_error(const Comparison& comparison, const std::string& name) {
        if (comparison.epsilon == 0) return;  // no floating-point values were compared
        const Precision precision = m_stage.spec().policies.precision;
        if (m_evaluation.error && m_evaluation.error->candidate >= comparison.error) return;
        m_evaluation.error =
            ErrorReport{comparison.error, comparison.eager_error, error_limit(comparison, precision),
                        std::string(to_string(precision)), name};
    }

    Result<Finding> run_case(const std::string& name, bool by_policy, std::string* not_applicable = nullptr) {
        TRY_ASSIGN(const auto staged, m_stage.stage_case(name, m_weights));
        if (!staged.applicable) {
            if (not_applicable != nullptr) *not_applicable = staged.why;
            return Finding();
        }
        const std::string doing = fmt::format("running forward on case '{}'", name);
        return first_finding([&] { return bind(staged.spec, true); }, [&] { return go(doing); },
                             [&] { return compare(name, by_policy); }, [&] { return inspect(); });
    }

    Result<Finding> check() {
        int weights = -1;
        for (const CheckCase& item : k_checks) {
            if (item.weights != weights) {
                weights = item.weights;
                TRY_ASSIGN(const Finding found, use_weights(weights));
                if (found) return found;
            }
            TRY_ASSIGN(const Finding found, run_case(item.name, item.by_policy));
            if (found) return found;
        }
        return repeat();
    }

    // The same inputs once more: what passed must pass again.
    Result<Finding> repeat() {
        TRY_ASSIGN(const Finding found, run_case("given", true));
        if (!found || found->state != State::mismatch) return found;
        return Finding(Verdict::because(
            Reason::nondeterministic, "The same inputs passed first and failed later:\n" + found->evidence));
    }

    Result<Finding> time() {
        m_left_s = std::max(m_left_s, m_stage.spec().timing_budget_s + m_stage.spec().call_limit_s);
        Runner runner;
        runner.bind = [&](const nlohmann::json& spec) { return bind(spec); };
        runner.go = [&]() -> Result<std::variant<double, Verdict>> {
            TRY_ASSIGN(const Finding found, go("running forward in a timed call"));
            if (found) return std::variant<double, Verdict>(*found);
            return std::variant<double, Verdict>(m_player.last_call_ms());
        };
        runner.check = [&] { return compare("timed call", true); };
        runner.drop = [&] {
            return ask({{"op", "drop"}}, "letting outputs go", m_stage.spec().call_limit_s);
        };
        TRY_ASSIGN(auto outcome, race(m_stage, m_weights, runner));
        if (const Verdict* verdict = std::get_if<Verdict>(&outcome)) return Finding(*verdict);
        RaceResult& result = std::get<RaceResult>(outcome);
        m_evaluation.timings = std::move(result.timings);
        m_evaluation.speedup = result.speedup;
        m_evaluation.same_permission_speedup = result.same_permission_speedup;
        m_evaluation.claim = result.claim;
        return Finding();
    }

    // Other leading sizes and strides: always measured; a failure counts only where the policy requires it.
    Result<Finding> vary() {
        Finding required_failure;
        const auto try_variation = [&](const char* name, bool required) -> Result<Finding> {
            GeneralityItem item{name, "pass", ""};
            if (!m_player.running()) {
                item.outcome = "not_measured";
                item.detail = "the player had ended";
                m_evaluation.generality.push_back(item);
                return Finding();
            }
            std::string not_applicable;
            TRY_ASSIGN(const Finding found, run_case(name, false, &not_applicable));
            if (!not_applicable.empty()) {
                item.outcome = "not_applicable";
                item.detail = not_applicable;
            } else if (found) {
                item.outcome = m_player.running() ? "fail" : "crash";
                item.detail = elide_middle(found->evidence, 600);
                if (required && !required_failure)
                    required_failure = Verdict::because(Reason::generalization, found->evidence);
            }
            m_evaluation.generality.push_back(item);
            return Finding();
        };
        for (const char* name : k_batch_variations)
            TRY(try_variation(name, m_stage.spec().policies.require_batch));
        for (const char* name : k_stride_variations)
            TRY(try_variation(name, m_stage.spec().policies.require_strides));
        return required_failure;
    }

    Result<std::variant<PlayerProfile, Verdict>> measure_profile() {
        nlohmann::json reply;
        TRY_ASSIGN(const Finding found, ask({{"op", "profile"}, {"calls", 10}}, "profiling",
                                            m_stage.spec().call_limit_s * 15, &reply));
        if (found) return std::variant<PlayerProfile, Verdict>(*found);
        try {
            return std::variant<PlayerProfile, Verdict>(
                PlayerProfile{elide_middle(sanitize(reply.at("table").get<std::string>()), k_longest_table),
                              reply.at("own_share")});
        } catch (const nlohmann::json::exception&) {
            return std::variant<PlayerProfile, Verdict>(
                Verdict::because(Reason::integrity, "The player broke the protocol while profiling"));
        }
    }

    Result<Finding> require_kernels() {
        if (m_stage.spec().policies.kernels == Kernels::any) return Finding();
        TRY_ASSIGN(const Finding found, bind_case("given"));
        if (found) return found;
        TRY_ASSIGN(const auto measured, measure_profile());
        if (const Verdict* verdict = std::get_if<Verdict>(&measured)) return Finding(*verdict);
        const double share = std::get<PlayerProfile>(measured).own_share;
        if (share >= k_least_own_share) return Finding();
        return Finding(Verdict::because(
            Reason::guardrail,
            fmt::format("The policy requires kernels of the candidate's own, but {:.0f} % of the "
                        "time is spent in PyTorch's operators.",
                        100 * (1 - share))));
    }

    std::string correct_evidence() const {
        if (!m_evaluation.error) return "agrees with the reference";
        return fmt::format(
            "agrees with the reference; largest error against fp64 {:.3g} (eager {:.3g}, limit {:.3g})",
            m_evaluation.error->candidate, m_evaluation.error->eager, m_evaluation.error->limit);
    }

    Stage& m_stage;
    Player m_player;
    const std::string& m_source;
    double m_left_s;  // of its time limit: only waiting for the player counts, not the trusted side's work
    WeightSet m_weights;
    bool m_has_instance = false;
    bool m_handed_over = false;
    std::vector<OutputForm> m_outputs;
    Evaluation m_evaluation;
};

}  // namespace

namespace {

std::vector<std::string> open_promises(const nlohmann::json& jail_report) {
    if (!jail_report.is_object()) return {"no jail"};
    std::vector<std::string> promises;
    for (const nlohmann::json& item : jail_report.value("broken", nlohmann::json::array()))
        promises.push_back(fmt::format("{} ({})", item.value("promise", ""), item.value("why", "")));
    return promises;
}

}  // namespace

Result<Evaluation> play_match(Stage& stage, const std::string& candidate,
                              const std::vector<fs::path>& auxiliary) {
    const auto start = std::chrono::steady_clock::now();
    TRY(stage.open());
    TRY(stage.start_baselines());
    TRY_ASSIGN(Player player, stage.spawn_player(auxiliary));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    TRY_ASSIGN(Evaluation evaluation, Match(stage, std::move(player), candidate).play());
    evaluation.phases.insert(evaluation.phases.begin(), Phase{"start", spent.count()});
    for (std::string& promise : open_promises(stage.jail_report()))
        evaluation.open_promises.push_back(std::move(promise));
    return evaluation;
}

Result<Verdict> play_confirmation(Stage& stage, const std::string& candidate,
                                  const std::vector<fs::path>& auxiliary) {
    TRY(stage.open());
    TRY(stage.reseed());
    TRY_ASSIGN(Player player, stage.spawn_player(auxiliary));
    return Match(stage, std::move(player), candidate).confirm();
}

Result<PlayerProfile> profile_in_player(Stage& stage, const std::string& candidate,
                                        const std::vector<fs::path>& auxiliary) {
    TRY(stage.open());
    TRY_ASSIGN(Player player, stage.spawn_player(auxiliary));
    TRY_ASSIGN(auto outcome, Match(stage, std::move(player), candidate).profile());
    if (const Verdict* verdict = std::get_if<Verdict>(&outcome))
        return Error{ErrorKind::process, "the candidate could not be profiled: " + verdict->evidence};
    return std::get<PlayerProfile>(outcome);
}

}  // namespace kforge
