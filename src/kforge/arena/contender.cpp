#include "kforge/arena/contender.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_longest_table = 64 << 10;
constexpr int k_profiled_calls = 10;
constexpr double k_trial_s = 10;
constexpr double k_trial_sampling_s = 2;
constexpr double k_expected_samples = 10;
constexpr double k_worth_keeping_ms = 1000;  // a build that took less is as quickly made again

}  // namespace

Finding integrity(std::string evidence) {
    return Verdict::because(Reason::integrity, std::move(evidence));
}

Finding broken_protocol(const std::string& doing) {
    return integrity("The player broke the protocol while " + doing);
}

Contender::Contender(Stage& stage, Player player, const Submission& submission)
    : m_stage(stage),
      m_player(std::move(player)),
      m_submission(submission),
      m_left_s(stage.spec().time_limit_s),
      m_caller(stage.seeds().next()) {}

// One request; a fault is judged at once. `reply` is filled only when nothing was found.
Result<Finding> Contender::ask(const nlohmann::json& request, const std::string& doing, double limit_s,
                               nlohmann::json* reply, const std::vector<int>& fds, Sampler* sampler,
                               const Player::Start* then) {
    const size_t blocks = m_attached ? m_stage.input_blocks() : 0;  // before that, others are at work there
    const auto start = std::chrono::steady_clock::now();
    TRY_ASSIGN(Player::Answer answer,
               m_player.call(request, std::min(limit_s, m_left_s), m_left_s, fds, sampler, then));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    const bool all_spent = m_left_s < limit_s;
    m_left_s = std::max(0.0, m_left_s - spent.count());
    if (Fault* fault = std::get_if<Fault>(&answer)) {
        if (m_stage.gpu() != nullptr) TRY(m_stage.gpu()->check_health());
        Verdict verdict = judge_fault(*fault, doing, m_player.printed(), m_submission.source);
        if (fault->kind == Fault::Kind::timeout && all_spent)
            verdict.evidence = fmt::format("All of its {:.3g} s are spent: {}", m_stage.spec().time_limit_s,
                                           verdict.evidence);
        return Finding(std::move(verdict));
    }
    // The others would have to map every page anew, in their timed calls.
    if (m_stage.input_blocks() < blocks) return integrity("It gave back memory of the shared inputs.");
    if (reply != nullptr) *reply = std::move(std::get<nlohmann::json>(answer));
    return Finding();
}

Result<Finding> Contender::load() {
    nlohmann::json reply;
    TRY_ASSIGN(Finding found, ask({{"op", "load"}, {"source", m_submission.source}},
                                  "importing the candidate", m_stage.spec().time_limit_s, &reply));
    if (found) return found;
    if (const auto name = reply.find("class"); name != reply.end() && *name == "ModelNew")
        m_may_repeat_a_seed = true;
    if (m_player.last_call_ms() > k_worth_keeping_ms) m_stage.keep_build(m_submission, m_player);
    return find_hoarding();
}

Result<Finding> Contender::attach() {
    TRY_ASSIGN(const Stage::Buffers buffers, m_stage.fresh_buffers());
    std::vector<int> fds;
    for (const Fd& file : buffers.files) fds.push_back(file.get());
    m_attached = true;
    return ask({{"op", "attach"}, {"sizes", buffers.sizes}}, "attaching the shared buffers",
               m_stage.spec().call_limit_s, nullptr, fds);
}

Result<Finding> Contender::use_weights(int index) {
    TRY_ASSIGN(const Finding found, load_weights(index));
    return found && fall_back_on_a_seed(*found) ? load_weights(index) : found;
}

// What it has prepared in its constructor, of weights that it had there, does not fit those that it is given.
bool Contender::fall_back_on_a_seed(const Verdict& found) {
    if (!m_may_repeat_a_seed || m_weights.kind == "seeded" || !running()) return false;
    m_weights.kind = "seeded";
    m_why_seeded = elide_middle(found.evidence.substr(0, found.evidence.find('\n')), 200);
    return true;
}

Result<Finding> Contender::use_first_instance() {
    return load_weights(0, true);
}

Result<Finding> Contender::load_weights(int index, bool again) {
    m_weights.index = index;
    TRY_ASSIGN(nlohmann::json request, m_stage.stage_weights(m_weights));
    nlohmann::json reply;
    if (m_has_instance && weights_are_live()) {
        request["op"] = "reweigh";
        TRY_ASSIGN(const Finding found, ask(request, "loading other weights into the same instance",
                                            m_stage.spec().time_limit_s, &reply));
        if (!found) TRY(place_tensors(request, reply));
        return found;
    }
    if (again) request["again"] = true;
    if (weights_are_live()) request["live"] = true;
    TRY_ASSIGN(const Finding found,
               ask(request, "constructing NewModel", m_stage.spec().time_limit_s, &reply));
    const bool is_first = !std::exchange(m_has_instance, true);
    if (found) return found;
    TRY(place_tensors(request, reply));
    return is_first ? find_hoarding() : found;
}

Result<void> Contender::place_tensors(const nlohmann::json& request, const nlohmann::json& reply) {
    m_placed.reset();
    m_weights.is_changing = m_keeps_what_may_change = false;
    if (!m_stage.memory_readable() || m_stage.in_two_steps()) return {};
    TRY_ASSIGN(Stage::Staged staged, m_stage.staged_weights(request, weights_are_live()));
    if (staged.bytes.empty() && staged.changing.empty()) return {};
    const auto is_there = [&](const std::string& name) { return staged.bytes.contains(name); };
    if (std::all_of(staged.changing.begin(), staged.changing.end(), is_there))
        m_placed = PlacedTensors::find(pid(), reply.value("places", nlohmann::json()),
                                       std::move(staged.bytes), std::move(staged.changing));
    m_weights.is_changing = m_placed.has_value();
    m_keeps_what_may_change = !m_placed;
    return {};
}

bool Contender::weights_are_live() const {
    return m_stage.spec().policies.weights == Weights::live && m_weights.kind == "loaded";
}

Result<Finding> Contender::bind(const nlohmann::json& spec, bool poison) {
    nlohmann::json request = {{"op", "bind"}, {"spec", spec}};
    if (poison) request["poison"] = m_stage.output_sizes();
    m_bound = spec;
    m_told = nullptr;
    return ask(request, "binding inputs", m_stage.spec().call_limit_s);
}

// Numbers are told in the call itself: what follows from them alone could be computed before it.
Result<Finding> Contender::tell(const nlohmann::json& spec) {
    m_told = spec == m_bound ? nlohmann::json() : spec;
    return Finding();
}

Result<Finding> Contender::go(const std::string& doing, Sampler* sampler, bool warm, bool* restless) {
    const auto reveal = [&]() -> Result<void> {
        TRY(m_stage.reveal_inputs());
        if (restless == nullptr || m_stage.gpu() == nullptr) return {};
        TRY_ASSIGN(const Gpu::Settled settled, m_stage.gpu()->settle());
        *restless = settled.delays > 0;
        return {};
    };
    if (m_placed && !m_placed->prepare_call(m_stage.others()))
        return integrity("the buffers or weights that it has shown cannot be written to any more");
    const bool in_two_steps = m_stage.in_two_steps();
    nlohmann::json request = {{"op", "go"}};
    Player::Start then = {reveal, {{"op", "start"}}};
    if (!m_told.is_null()) (m_stage.gpu() != nullptr ? then.message : request)["spec"] = m_told;
    if (warm && in_two_steps) request["warm"] = true;
    nlohmann::json reply;
    TRY_ASSIGN(const Finding found, ask(request, doing, m_stage.spec().call_limit_s, &reply, {}, sampler,
                                        in_two_steps ? &then : nullptr));
    if (found) return found;
    return read_forms(reply, doing);
}

Result<Finding> Contender::run_case(const std::string& name, bool by_policy, Comparison* comparison,
                                    std::string* not_applicable) {
    TRY_ASSIGN(const auto staged, m_stage.stage_case(name, m_weights));
    if (!staged.applicable) {
        if (not_applicable != nullptr) *not_applicable = staged.why;
        return Finding();
    }
    return first_finding([&] { return bind(staged.spec, true); },
                         [&] { return go(fmt::format("running forward on case '{}'", name)); },
                         [&]() -> Result<Finding> { return name == "given" ? find_hoarding() : Finding(); },
                         [&] { return compare(name, by_policy, comparison); },
                         [&] {
                             return ask({{"op", "inspect"}, {"given_back", m_stage.given_back()}},
                                        "looking at its outputs", m_stage.spec().call_limit_s);
                         });
}

Result<Finding> Contender::ask_on_given(const nlohmann::json& request, const std::string& doing,
                                        double limit_s, nlohmann::json& reply) {
    TRY_ASSIGN(const auto given, m_stage.stage_case("given", m_weights));
    return first_finding([&] { return bind(given.spec); },
                         [&]() -> Result<Finding> {
                             TRY(m_stage.reveal_inputs());
                             return ask(request, doing, limit_s, &reply);
                         });
}

// The messages are those of a timed call: nothing tells the candidate that it is looked at.
Result<Finding> Contender::sample_call() {
    if (!m_stage.players_can_be_sampled()) return Finding();
    if (!m_sampler) m_sampler = std::make_unique<Sampler>(m_player.scratch());
    TRY_ASSIGN(const nlohmann::json spec, m_stage.stage_round(m_weights));
    const nlohmann::json before = m_told.is_null() ? m_bound : m_told;
    TRY_ASSIGN(const Finding found, first_finding([&] { return tell(spec); },
                                                  [&] { return go(k_in_a_timed_call, m_sampler.get()); },
                                                  [&] { return drop(); }, [&] { return tell(before); }));
    if (!found && m_sampler->refused())
        return integrity("It keeps its threads from being looked at from outside.");
    return found;
}

std::optional<Work> Contender::work() const {
    if (!m_stage.players_can_be_sampled()) return std::nullopt;
    return m_sampler ? m_sampler->work() : Work();
}

// Looks for as long as it takes to tell from before, when `share` of its work was in code of its own.
Result<bool> Contender::still_runs_own_code(double share) {
    const Work before = m_sampler->work();
    const Deadline limit = deadline_in(k_trial_sampling_s);
    while (seconds_until(limit) > 0) {
        TRY_ASSIGN(const Finding found, sample_call());
        if (found) return true;
        const double expected = share * static_cast<double>(m_sampler->work().counted() - before.counted());
        const double seen = static_cast<double>(m_sampler->work().own - before.own);
        if (expected >= k_expected_samples) return seen > expected / 5;
    }
    return true;
}

Result<Contender::Need> Contender::try_without_own_functions() {
    if (!m_sampler || !running()) return Need::unclear;
    m_left_s = std::min(m_left_s, k_trial_s);  // what waits for such a function may wait for ever
    const double share = m_sampler->work().own_share();
    // A function may say whether it has succeeded, and the library may step in where it has not: of two
    // answers one means success.
    for (const uint8_t value : {0, 1}) {
        const Result<Disabled> disabled = m_player.disable_own_functions(value, deadline_in(k_trial_s));
        if (!disabled.ok() && disabled.error().kind != ErrorKind::timeout) return disabled.error();
        if (!disabled.ok() || disabled->beyond_bounds) return Need::too_much_to_tell;
        if (disabled->functions == 0) return Need::unclear;
        TRY_ASSIGN(const nlohmann::json spec, m_stage.stage_round(m_weights));
        Comparison comparison;
        TRY_ASSIGN(const Finding wrong,
                   first_finding([&] { return bind(spec, true); }, [&] { return go("running forward"); },
                                 [&] { return compare("without its functions", false, &comparison); },
                                 [&] { return drop(); }));
        if (wrong) return Need::proved;
        if (share == 0) continue;
        // What is not in a library, or in a process that is started anew, is still at work.
        TRY_ASSIGN(const bool runs, still_runs_own_code(share));
        if (runs) return Need::unclear;
    }
    return Need::disproved;
}

Result<Finding> Contender::profile(PlayerProfile& profile) {
    nlohmann::json reply;
    TRY_ASSIGN(const Finding found,
               ask_on_given({{"op", "profile"}, {"calls", k_profiled_calls}}, "profiling",
                            m_stage.spec().call_limit_s * (k_profiled_calls + 5), reply));
    if (found) return found;
    try {
        profile =
            PlayerProfile{elide_middle(sanitize(reply.at("table").get<std::string>()), k_longest_table)};
    } catch (const nlohmann::json::exception&) {
        return broken_protocol("profiling");
    }
    return Finding();
}

void Contender::allow(double seconds) {
    m_left_s = std::max(m_left_s, seconds);
}

std::vector<std::string> Contender::open_promises() const {
    std::vector<std::string> promises;
    if (m_stage.by_host())
        promises.push_back(
            "inputs reach the device in the call, its work is over when the call returns, and outputs are "
            "taken, not handed over (memory of this device cannot be shared: the player's own process sees "
            "to that)");
    else if (m_handed_over)
        promises.push_back(
            "outputs are taken the moment a call returns (memory of other processes may not be read here)");
    if (m_stage.spec().policies.kernels == Kernels::required && !m_stage.players_can_be_sampled())
        promises.push_back(
            m_stage.gpu() != nullptr
                ? "kernels of the candidate's own do the work (on a GPU its own profile tells)"
            : m_stage.by_host()
                ? "kernels of the candidate's own do the work (nobody sees whose kernels run on this device)"
                : "kernels of the candidate's own do the work (this machine does not let us see where a "
                  "process executes)");
    if (has_own_weights()) {
        const std::string alike =
            elide_middle(fmt::format("{}", fmt::join(m_stage.alike_parameters(), ", ")), 200);
        promises.push_back(
            fmt::format("weights are varied (ModelNew repeats those of a seed{}; with the "
                        "reference's by name: {})",
                        alike.empty() ? "" : ", and every seed makes the same " + alike, m_why_seeded));
    }
    if (m_keeps_what_may_change || (m_stage.spec().policies.weights == Weights::live && !m_placed))
        promises.push_back(
            "what may change between calls does between timed ones (its buffers or weights do not lie as "
            "those of "
            "the reference, or cannot be written from outside)");
    const nlohmann::json& report = m_player.jail_report();
    if (!report.is_object()) {
        promises.push_back("no jail");
        return promises;
    }
    for (const nlohmann::json& item : report.value("broken", nlohmann::json::array()))
        promises.push_back(fmt::format("{} ({})", item.value("promise", ""), item.value("why", "")));
    return promises;
}

}  // namespace kforge
