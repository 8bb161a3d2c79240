// The part of Stage that talks to the baseline process.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/sendfile.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "kforge/arena/processors.hpp"
#include "kforge/arena/stage.hpp"
#include "kforge/arena/waiting.hpp"
#include "kforge/util/errors.hpp"

namespace kforge {
namespace {

// torch.compile of a large module may take minutes the first time.
constexpr double k_prepare_limit_s = 900;
constexpr int k_placing_calls = 7;

}  // namespace

Result<Fd> Stage::copy_inputs() const {
    Fd copy(::memfd_create("kforge-given", MFD_CLOEXEC));
    bool done = copy && ::ftruncate(copy.get(), static_cast<off_t>(m_sizes[0])) == 0;
    const auto end = static_cast<off_t>(m_staged_bytes);
    for (off_t next = 0; done && next < end;) {
        const ssize_t n = ::sendfile(copy.get(), m_inputs.get(), &next, static_cast<size_t>(end - next));
        done = n > 0 || (n < 0 && errno == EINTR);
    }
    if (!done)
        return Error{ErrorKind::environment, fmt::format("cannot copy the inputs: {}", std::strerror(errno))};
    return copy;
}

// Its first work, which takes seconds, needs no problem.
Result<void> Stage::branch_baseline() {
    if (m_baseline.started()) return {};
    TRY_ASSIGN(m_baseline, Worker::branch(*m_nursery, "baseline", m_trusted_environment));
    TRY(m_baseline.post({{"op", "begin"}, {"sides", m_spec.baselines}}));
    m_baseline_replies = 1;
    return {};
}

Result<void> Stage::start_baselines() {
    if (std::exchange(m_baselines_started, true)) return {};
    TRY_ASSIGN(StagedCase given, stage_case("given", WeightSet{}));
    // Of a random problem no results can be compared, but inputs can be made.
    if (!given.applicable) {
        TRY_ASSIGN(given.spec, stage_round(WeightSet{}));
    }
    if (m_gpu) TRY(m_gpu->reveal(m_kept_inputs, m_baseline_inputs.on_device));
    TRY(branch_baseline());
    // While it makes itself ready, the shared inputs are others', and candidates can write to them.
    std::vector<int> files = {m_gpu ? m_baseline_inputs.get() : m_inputs.get(), m_weights.get()};
    Fd given_inputs;
    if (!m_gpu) {
        TRY_ASSIGN(given_inputs, copy_inputs());
        files.push_back(given_inputs.get());
    }
    confine(m_baseline.pid(), m_processors);
    if (in_two_steps()) m_baseline.stay_awake();
    TRY(m_baseline.post({{"op", "load"},
                         {"path", (m_folder->path() / "problem.py").string()},
                         {"name", m_spec.problem_name},
                         {"mode", std::string(to_string(m_spec.policies.mode))},
                         {"device", m_spec.device},
                         {"by_host", by_host()},
                         {"threads", m_threads},
                         {"size", m_sizes[0]},
                         {"weights_size", m_sizes[2]},
                         {"init_seed", m_init_seed},
                         {"spec", given.spec}},
                        files));
    std::vector<std::string> wanted = m_spec.baselines;
    if (m_spec.policies.precision == Precision::mixed)
        for (const std::string& side : m_spec.baselines) wanted.push_back("half_" + side);
    for (const std::string& side : wanted) {
        TRY(m_baseline.post({{"op", "prepare"}, {"name", side}, {"given_back", m_given_back}}));
        m_sides.push_back(BaselineSide{side, false, ""});
    }
    m_baseline_replies += 1 + wanted.size();
    return {};
}

// The replies to "begin" and "load", then one per side.
Result<void> Stage::collect_baseline_reply() {
    TRY_ASSIGN(const Message reply, m_baseline.collect(k_prepare_limit_s));
    if (m_baseline_replies <= m_sides.size()) {
        BaselineSide& side = m_sides[m_sides.size() - m_baseline_replies];
        side.ready = reply.body.at("ready");
        side.why = reply.body.value("why", "");
        side.out_of_memory = reply.body.value("out_of_memory", false);
    }
    --m_baseline_replies;
    return {};
}

Result<bool> Stage::baselines_settled() {
    TRY(start_baselines());
    while (m_baseline_replies > 0 && m_baseline.has_reply()) TRY(collect_baseline_reply());
    return m_baseline_replies == 0;
}

Result<void> Stage::await_baselines() {
    while (m_baseline_replies > 0) TRY(collect_baseline_reply());
    return {};
}

void Stage::forget_baselines() {
    m_baseline = Worker();
    m_baseline_replies = 0;
    m_baselines_started = m_baselines_placed = false;
    m_baseline_weights.reset();
    m_baseline_buffers.clear();
    m_sides.clear();
}

Result<std::vector<BaselineSide>> Stage::settle_baselines() {
    TRY(start_baselines());
    TRY(await_baselines());
    return m_sides;
}

Result<void> Stage::give_baselines(const WeightSet& weights) {
    TRY_ASSIGN(const std::vector<BaselineSide> sides, settle_baselines());
    const WeightSet plain{weights.index, weights.kind};
    if (sides.empty() || m_baseline_weights == plain) return {};
    TRY_ASSIGN(const nlohmann::json staged, stage_weights(weights));
    TRY_ASSIGN(const Message reply,
               m_baseline.call({{"op", "weights"}, {"spec", staged.at("spec")}}, {}, k_prepare_limit_s));
    m_baseline_weights = plain;
    m_baseline_buffers.clear();
    if (in_two_steps() || !m_memory_readable) return {};
    const nlohmann::json places = reply.body.value("places", nlohmann::json::object());
    for (const auto& [side, of_side] : places.items())
        if (auto buffers = PlacedTensors::find(m_baseline.pid(), of_side))
            m_baseline_buffers.emplace(side, std::move(*buffers));
    return {};
}

Result<void> Stage::place_baselines() {
    if (in_two_steps() || std::exchange(m_baselines_placed, true)) return {};
    const auto side = std::find_if(m_sides.begin(), m_sides.end(), [](const auto& one) { return one.ready; });
    if (side == m_sides.end()) return {};
    // On inputs that nobody is timed on: a reference may not accept what a buffer is wiped with.
    TRY_ASSIGN(const nlohmann::json spec, stage_round(WeightSet{}));
    TRY(baseline_bind(spec));
    std::map<Placement, std::vector<double>> calls_ms;
    for (int round = 0; round < k_placing_calls; ++round)
        for (const Placement placement : k_placements) {
            place_baselines(placement);
            TRY_ASSIGN(const double took_ms, baseline_go(side->name));
            calls_ms[placement].push_back(took_ms);
        }
    place_baselines(best_placement(calls_ms));
    return {};
}

void Stage::place_baselines(Placement placement) {
    place(m_baseline.pid(), placement, m_processors);
    m_placement = placement;
}

Result<void> Stage::baseline_bind(const nlohmann::json& spec) {
    TRY(m_baseline.call({{"op", "bind"}, {"spec", spec}}));
    m_baseline_bound = spec;
    m_baseline_told = nullptr;
    return {};
}

Result<void> Stage::baseline_tell(const nlohmann::json& spec) {
    m_baseline_told = spec == m_baseline_bound ? nlohmann::json() : spec;
    return {};
}

Result<double> Stage::echo_go(const std::vector<int>& processors) {
    if (!m_echo.started()) {
        TRY_ASSIGN(m_echo, Worker::branch(*m_nursery, in_two_steps() ? "device_echo" : "echo"));
        if (in_two_steps()) m_echo.stay_awake();
    }
    confine(m_echo.pid(), processors);
    return time_call(m_echo, {{"op", "go"}}, {{"op", "start"}});
}

Result<double> Stage::baseline_go(const std::string& side) {
    nlohmann::json request = {{"op", "go"}, {"side", side}}, start = {{"op", "start"}};
    if (!m_baseline_told.is_null()) (m_gpu ? start : request)["spec"] = m_baseline_told;
    const auto buffers = m_baseline_buffers.find(side);
    const bool are_placed = buffers != m_baseline_buffers.end();
    std::map<std::string, std::string> others;  // in half precision it goes on with its own
    for (const auto& [name, bytes] : m_others)
        if (are_placed && buffers->second.fits(name, bytes.size())) others.emplace(name, bytes);
    if (are_placed && !buffers->second.prepare_call(others))
        return Error{ErrorKind::process, "the buffers of a baseline cannot be written to any more"};
    TRY_ASSIGN(const double wall_ms, time_call(m_baseline, request, start));
    // Giving memory back costs time that must not fall into the next call. A player does the same.
    const auto done = std::chrono::steady_clock::now();
    TRY(m_baseline.call({{"op", "drop"}, {"written_from_outside", are_placed}}));
    m_let_go_ms = milliseconds_between(done, std::chrono::steady_clock::now());
    return wall_ms;
}

double Stage::processors_of_baselines() const {
    return m_placement == Placement::together ? 1 : static_cast<double>(m_processors.size());
}

// Stopped and continued like a player: what a timed call costs on one side it costs on the other.
Result<double> Stage::time_call(Worker& worker, const nlohmann::json& request, const nlohmann::json& then) {
    Freezer& freezer = worker.freezer();
    if (in_two_steps()) TRY(worker.call(request));
    freezer.freeze();
    if (m_gpu) TRY(m_gpu->reveal(m_kept_inputs, m_baseline_inputs.on_device));
    std::optional<Waiting> waiting;  // on a GPU others have that, not the processors
    if (!in_two_steps()) waiting.emplace(worker.pid());
    const int64_t used_before_ns = freezer.cpu_ns();
    auto start = std::chrono::steady_clock::now();
    const auto since_start = [&] { return milliseconds_between(start, std::chrono::steady_clock::now()); };
    freezer.thaw();
    if (!in_two_steps()) {
        TRY(worker.call(request));
    } else {
        freezer.await_running();
        if (&worker == &m_baseline) m_baseline_awake_ms.push_back(since_start());
        start = std::chrono::steady_clock::now();
        TRY_ASSIGN(const Message reply, worker.call(then));
        m_baseline_device_ms = reply.body.value("device_ms", 0.0);
    }
    freezer.halt();
    if (m_gpu) TRY(m_gpu->settle());
    double wall_ms = since_start();
    freezer.freeze();
    if (freezer.others_started()) {
        wall_ms = milliseconds_between(start, freezer.still_since());
    } else {
        wall_ms += freezer.worked_on_ms().value_or(0);
    }
    const double used_ms = static_cast<double>(freezer.cpu_ns() - used_before_ns) / 1e6;
    m_waited_ms = waiting ? for_others_ms(waiting->ms(), processors_of_baselines() * wall_ms, used_ms) : 0;
    freezer.thaw();
    return wall_ms;
}

double Stage::note_baseline(const std::string& side, double ms) {
    const int weights = m_baseline_weights ? m_baseline_weights->index : 0;
    double& best_ms = m_best_ms.emplace(std::tuple(side, weights, m_as_made), ms).first->second;
    return best_ms = std::min(best_ms, ms);
}

double Stage::slower_than_before(const std::string& side, double ms, double chance_ms) {
    return ms / (note_baseline(side, ms) + chance_ms);
}

}  // namespace kforge
