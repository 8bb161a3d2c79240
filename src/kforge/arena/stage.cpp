#include "kforge/arena/stage.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kforge/arena/environments.hpp"
#include "kforge/arena/processors.hpp"
#include "kforge/util/errors.hpp"

namespace kforge {
namespace {

constexpr double k_referee_limit_s = 900;
constexpr const char* k_folder_prefix = "kforge-arena-";
constexpr int k_weight_sets = 5;
// Some players with 64 known processes each; the more, the more threads are known without a search.
constexpr rlim_t k_least_open_files = 1024, k_open_files = 4096;

// Every process of a player that we know is an open file of ours (see Freezer), and what cannot be opened for
// want of more seems to be gone: an honest candidate would be called dead, another one would not be stopped.
Result<void> allow_open_files() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur >= k_open_files) return {};
    const rlim_t before = std::exchange(limit.rlim_cur, std::min(limit.rlim_max, k_open_files));
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
    if (limit.rlim_cur >= k_least_open_files) return {};
    return Error{ErrorKind::environment,
                 fmt::format("KForge needs up to {} open files, and may have no more than {}: allow them "
                             "(ulimit -Hn)",
                             k_least_open_files, limit.rlim_max)};
}

// Folders of processes that were killed: nobody else removes them.
void remove_abandoned(const fs::path& temporary) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(temporary, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(k_folder_prefix)) continue;
        const long pid = std::atol(name.c_str() + std::strlen(k_folder_prefix));
        if (pid > 0 && ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH)
            fs::remove_all(entry.path(), ignored);
    }
}

Result<std::string> read_part(const Fd& file, off_t offset, size_t size) {
    std::string bytes(size, '\0');
    if (::pread(file.get(), bytes.data(), size, offset) != static_cast<ssize_t>(size))
        return Error{ErrorKind::internal, "what the referee has staged cannot be read"};
    return bytes;
}

}  // namespace

Result<std::shared_ptr<Worker>> start_nursery(const fs::path& python, const fs::path& python_path) {
    TRY_ASSIGN(Worker worker, Worker::start({python, python_path, "nursery", nursery_environment()}));
    return std::make_shared<Worker>(std::move(worker));
}

Stage::Stage(ArenaSpec spec)
    : m_spec(std::move(spec)),
      m_seeds(m_spec.seed),
      m_headers(m_spec.cache, m_spec.python_path / "kforge_arena" / "headers"),
      m_builds(m_spec.cache) {}

Stage::~Stage() {
    m_retired.reset();
    await_ending();
    if (m_nursery) m_nursery->end();  // and with it, at once, all that it has forked
    if (!m_gpu) return;
    for (SharedBuffer* buffer : {&m_inputs, &m_outputs, &m_weights, &m_staged_inputs, &m_baseline_inputs})
        m_gpu->release(buffer->on_device);
    m_gpu->release(m_kept_inputs);
}

Result<void> Stage::open(bool with_baselines) {
    if (m_open) return {};
    if (m_failed) return *m_failed;
    TRY(allow_open_files());
    std::error_code failure;
    const fs::path temporary = fs::temp_directory_path(failure);
    if (failure)
        return Error{
            ErrorKind::environment,
            fmt::format("there is no folder for temporary files ({}): set TMPDIR to one", failure.message())};
    remove_abandoned(temporary);
    TRY_ASSIGN(m_folder,
               TemporaryDirectory::create(temporary, fmt::format("{}{}-", k_folder_prefix, ::getpid())));
    const fs::path problem = m_folder->path() / "problem.py";
    TRY(write_file_durable(problem, m_spec.problem));
    // Where nothing can be mounted a player of another user works in a folder below: it may pass, not look
    // around.
    fs::permissions(problem, fs::perms::owner_read | fs::perms::owner_write, failure);
    fs::permissions(m_folder->path(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec,
                    failure);
    m_trusted_environment = trusted_environment(m_spec.cache);
    if (by_host()) inherit(m_trusted_environment, m_spec.access->environment);
    m_nursery = std::exchange(m_spec.nursery, nullptr);
    if (!m_nursery) {
        TRY_ASSIGN(m_nursery, start_nursery(m_spec.python, m_spec.python_path));
    }
    if (m_spec.device != "cpu" && !by_host()) {  // while PyTorch is being imported there
        TRY_ASSIGN(m_gpu, Gpu::open());
    }
    // First: players inherit its memory, and nothing of the others' environment may have been in it.
    TRY_ASSIGN(m_zygote, Worker::branch(*m_nursery, "zygote"));
    const fs::path& cache = m_spec.cache.empty() ? m_folder->path() : m_spec.cache;
    TRY(m_zygote.post({{"op", "preload"}, {"source", m_spec.preload}, {"cache", cache.string()}}));
    Environment referee_environment = m_trusted_environment;  // nothing is timed there
    if (m_gpu) limit_queues(referee_environment, "");
    TRY_ASSIGN(m_referee, Worker::branch(*m_nursery, "referee", referee_environment));
    if (m_gpu) m_referee.stay_awake();  // there are processors enough, and little else takes long
    if (with_baselines && !m_spec.baselines.empty()) TRY(branch_baseline());

    TRY(m_referee.post({{"op", "load"},
                        {"device", by_host() ? "cpu" : m_spec.device},
                        {"path", problem.string()},
                        {"name", m_spec.problem_name},
                        {"mode", std::string(to_string(m_spec.policies.mode))},
                        {"precision", std::string(to_string(m_spec.policies.precision))},
                        {"draws", m_spec.draws_library.string()},
                        {"live", m_spec.policies.weights == Weights::live},
                        {"init_seed", m_init_seed},
                        {"seeds", new_seeds()}}));
    TRY_ASSIGN(const Message ready, m_zygote.collect());
    m_torch = ready.body.value("torch", "");
    if (m_gpu && m_meanwhile) TRY(m_meanwhile());
    Result<Message> loaded = m_referee.collect(k_referee_limit_s);
    if (!loaded.ok()) {
        if (loaded.error().kind == ErrorKind::cancelled) return loaded.error();
        m_failed = loaded.error();
        if (m_failed->kind == ErrorKind::process)  // all that it had to do was the problem's own code
            m_failed = Error{ErrorKind::config, fmt::format("{} crashes where it is loaded and run once: {}",
                                                            m_spec.problem_name, m_failed->message)};
        return *m_failed;
    }
    const nlohmann::json& body = loaded->body;
    m_sizes = body.at("sizes").get<std::vector<size_t>>();
    if (m_gpu) {
        TRY(share_device_memory());
    } else {
        if (loaded->fds.size() != 4) throw InternalError("the referee sent no buffers");
        m_inputs.file = std::move(loaded->fds[0]);
        m_outputs.file = std::move(loaded->fds[1]);
        m_weights.file = std::move(loaded->fds[2]);
        m_other_tensors = std::move(loaded->fds[3]);
    }
    // On a GPU the processors only launch: every thread more takes longer to stop and to continue.
    if (!in_two_steps()) m_threads = body.at("threads").get<int>();
    // Both sides of a race run on the same processors; players inherit them from the zygote.
    if (!in_two_steps()) m_processors = choose_processors(m_threads);
    if (!confine(m_zygote.pid(), m_processors)) m_processors.clear();
    m_output_sizes = body.at("output_sizes").get<std::vector<size_t>>();
    m_given_back = body.value("given_back", std::vector<size_t>());
    m_passed_on = body.value("passed_on", std::vector<size_t>());
    m_sharing = body.value("sharing", std::vector<std::pair<size_t, size_t>>());
    m_alike = body.value("alike", std::vector<std::string>());
    if (!m_gpu && !m_output_map.map(m_outputs.get(), m_sizes[1]))
        return Error{ErrorKind::environment, "cannot map the shared output buffer: not enough memory"};
    const nlohmann::json& facts = body.at("facts");
    m_facts.inputs = facts.at("inputs").get<std::vector<std::string>>();
    m_facts.outputs = facts.at("outputs").get<std::vector<std::string>>();
    m_facts.parameters = facts.at("parameters").get<std::vector<std::string>>();
    m_facts.makes_the_same = facts.value("makes_the_same", false);
    m_open = true;
    // Players inherit their processors, so not before these are known.
    return !m_gpu && m_meanwhile ? m_meanwhile() : Result<void>();
}

Result<void> Stage::share_device_memory() {
    std::vector<int> files;
    size_t index = 0;
    for (SharedBuffer* buffer : {&m_inputs, &m_outputs, &m_weights}) {
        TRY_ASSIGN(buffer->on_device, m_gpu->allocate(m_sizes[index]));
        m_sizes[index++] = buffer->on_device.size;  // whole pages
        files.push_back(buffer->get());
    }
    for (SharedBuffer* buffer : {&m_staged_inputs, &m_baseline_inputs}) {
        TRY_ASSIGN(buffer->on_device, m_gpu->allocate(m_sizes[0]));
    }
    std::vector<size_t> sizes = m_sizes;
    sizes.push_back(m_sizes[0]);
    files.push_back(m_staged_inputs.get());
    TRY(m_referee.call({{"op", "attach"}, {"sizes", sizes}}, files));
    return {};
}

Result<void> Stage::keep_inputs(const nlohmann::json& staged) {
    m_staged_bytes = staged.at("bytes").get<size_t>();
    return m_gpu ? m_gpu->keep(m_staged_inputs.on_device, m_staged_bytes, m_kept_inputs) : Result<void>();
}

Result<void> Stage::hide_inputs() {
    return m_gpu ? Result<void>() : wipe(m_inputs);  // there they are hidden until they are revealed
}

Result<void> Stage::reveal_inputs() {
    return m_gpu ? m_gpu->reveal(m_kept_inputs, m_inputs.on_device) : Result<void>();
}

nlohmann::json Stage::new_seeds() {
    nlohmann::json seeds = {
        {"given", m_seeds.next()}, {"cases", m_seeds.next()}, {"weights", nlohmann::json::array()}};
    for (int i = 0; i < k_weight_sets; ++i) seeds["weights"].push_back(m_seeds.next());
    return seeds;
}

Result<void> Stage::reseed() {
    TRY(m_referee.call({{"op", "reseed"}, {"seeds", new_seeds()}}));
    m_baseline_weights.reset();
    return {};
}

Result<VetReport> Stage::vet() {
    if (Result<void> opened = open(true); !opened.ok()) {
        if (opened.error().kind != ErrorKind::config) return opened.error();
        return VetReport{"broken", "problem", opened.error().message};
    }
    TRY_ASSIGN(const Message reply, m_referee.call({{"op", "vet"}}, {}, k_referee_limit_s));
    return VetReport{reply.body.at("state"), reply.body.at("reason"), reply.body.at("evidence")};
}

Result<std::string> Stage::render(const RenderRequest& request) {
    TRY(open());
    nlohmann::json message = {
        {"op", "render"}, {"folders", nlohmann::json::array()}, {"context", request.context}};
    for (const fs::path& folder : request.folders) message["folders"].push_back(folder.string());
    message[request.name.empty() ? "text" : "name"] = request.name.empty() ? request.text : request.name;
    TRY_ASSIGN(const Message reply, m_referee.call(message));
    return reply.body.at("text").get<std::string>();
}

Result<nlohmann::json> Stage::stage_weights(const WeightSet& weights) {
    TRY_ASSIGN(Message reply,
               m_referee.call({{"op", "weights"}, {"index", weights.index}, {"kind", weights.kind}}));
    nlohmann::json request = {{"op", "instance"}, {"spec", reply.body.at("spec")}};
    if (reply.body.contains("seed")) request["seed"] = reply.body["seed"];
    return request;
}

Result<Stage::Staged> Stage::staged_weights(const nlohmann::json& request, bool all) const {
    const nlohmann::json& tree = request.at("spec").at("d");
    Staged staged;
    for (const nlohmann::json& name : tree.at("changing").at("l")) staged.changing.push_back(name.at("v"));
    for (const auto& [name, tensor] : tree.at("state").at("d").items()) {
        const auto& changing = staged.changing;
        if (!all && std::find(changing.begin(), changing.end(), name) == changing.end()) continue;
        const nlohmann::json& form = tensor.at("t");  // type, shape, strides, offset, bytes
        TRY_ASSIGN(staged.bytes[name], read_part(m_weights.file, form.at(3), form.at(4)));
    }
    return staged;
}

Result<Stage::StagedCase> Stage::stage_case(const std::string& name, const WeightSet& weights,
                                            bool leniently) {
    TRY_ASSIGN(Message reply, m_referee.call({{"op", leniently ? "unusual" : "case"},
                                              {"name", name},
                                              {"weights", weights.index},
                                              {"kind", weights.kind},
                                              {"seed", m_seeds.next()}},
                                             {}, k_referee_limit_s));
    StagedCase staged;
    m_others.clear();
    staged.applicable = reply.body.at("applicable");
    if (staged.applicable) TRY(keep_inputs(reply.body));
    staged.why = reply.body.value("why", "");
    staged.spec = reply.body.value("spec", nlohmann::json());
    return staged;
}

Result<nlohmann::json> Stage::stage_round(const WeightSet& weights, Values values) {
    TRY_ASSIGN(Message reply, m_referee.call({{"op", "fill"},
                                              {"seed", m_seeds.next()},
                                              {"weights", weights.index},
                                              {"kind", weights.kind},
                                              {"drawn_by_torch", values != Values::fresh},
                                              {"as_made", values == Values::as_made},
                                              {"others", weights.is_changing}},
                                             {}, k_referee_limit_s));
    TRY(keep_inputs(reply.body));
    m_others.clear();
    const nlohmann::json others = reply.body.value("others", nlohmann::json::object());
    for (const auto& [name, place] : others.items()) {
        TRY_ASSIGN(m_others[name], read_part(m_other_tensors, place.at(0), place.at(1)));
    }
    m_as_made = values == Values::as_made;
    return reply.body.at("spec");
}

Result<double> Stage::least_bytes() {
    if (!m_least_bytes) {
        TRY_ASSIGN(const Message reply, m_referee.call({{"op", "least_bytes"}}, {}, k_referee_limit_s));
        m_least_bytes = reply.body.value("bytes", 0.0);
    }
    return *m_least_bytes;
}

Result<std::optional<GpuTurn>> Stage::take_turn() const {
    if (!m_gpu) return std::optional<GpuTurn>();
    TRY_ASSIGN(GpuTurn turn, GpuTurn::take(m_gpu->uuid()));
    return std::optional<GpuTurn>(std::move(turn));
}

CacheSweep& Stage::cache_sweep() {
    if (!m_sweep) m_sweep.emplace(m_processors);
    return *m_sweep;
}

Result<void> Stage::show_inputs() {
    if (m_gpu) return {};
    TRY(m_referee.call({{"op", "show"}}));
    return {};
}

Result<std::optional<std::string>> Stage::inputs_changed() {
    TRY_ASSIGN(const Message reply, m_referee.call({{"op", "unchanged"}}));
    const std::string changed = reply.body.at("changed");
    return changed.empty() ? std::optional<std::string>() : std::optional(changed);
}

Result<void> Stage::forget_outputs() {
    return m_memory_readable ? Result<void>() : wipe(m_outputs);
}

Result<Comparison> Stage::compare(const std::vector<OutputForm>& outputs, bool by_policy, bool exact) {
    nlohmann::json forms = nlohmann::json::array();
    for (const OutputForm& form : outputs) forms.push_back({form.dtype, form.shape, form.stride});
    TRY_ASSIGN(
        const Message reply,
        m_referee.call({{"op", "compare"}, {"outputs", forms}, {"by_policy", by_policy}, {"exact", exact}},
                       {}, k_referee_limit_s));
    return comparison_from_json(reply.body, m_spec.policies.precision);
}

}  // namespace kforge
