// The part of Stage that starts players.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "kforge/arena/environments.hpp"
#include "kforge/arena/stage.hpp"
#include "kforge/util/sha256.hpp"

namespace kforge {
namespace {

constexpr double k_start_limit_s = 120;
constexpr off_t k_whole_file = off_t{1} << 60;
constexpr int k_first_uid = 200'000;
constexpr int k_uids = 10'000;
constexpr size_t k_scratch_bytes = size_t{2} << 30;
constexpr int k_processes = 256;

std::vector<std::string> device_files(const DeviceAccess& access) {
    std::vector<std::string> files;
    std::error_code ignored;
    for (const std::string& path : access.files) {
        if (!fs::is_directory(path, ignored)) {
            if (fs::exists(path, ignored)) files.push_back(path);
            continue;
        }
        const auto skip = fs::directory_options::skip_permission_denied;
        for (fs::recursive_directory_iterator entry(path, skip, ignored), end; entry != end;
             entry.increment(ignored))
            if (entry->is_character_file(ignored)) files.push_back(entry->path().string());
    }
    return files;
}

}  // namespace

Result<fs::path> Stage::gather_auxiliary(const fs::path& folder, const std::vector<fs::path>& auxiliary) {
    if (auxiliary.empty()) return fs::path();
    TRY(make_directories(folder));
    for (const fs::path& path : auxiliary) {
        std::error_code failure;
        fs::copy(path, folder / path.filename(), fs::copy_options::recursive, failure);
        if (failure)
            return Error{ErrorKind::io, fmt::format("cannot copy {}: {}", path.string(), failure.message())};
    }
    return folder;
}

nlohmann::json Stage::jail_settings(const PlayerSpec& player, size_t memory_bytes) const {
    if (m_spec.jail == "off" || m_spec.jail_library.empty()) return nullptr;
    nlohmann::json settings = {{"library", m_spec.jail_library.string()},
                               {"mode", m_spec.jail},
                               {"uid", k_first_uid + m_players % k_uids},
                               {"fallback_scratch", player.scratch.string()},
                               {"readable", nlohmann::json::array()},
                               {"hidden", nlohmann::json::array()},
                               {"memory_bytes", memory_bytes},
                               {"total_memory_bytes", memory_bytes},
                               {"scratch_bytes", k_scratch_bytes},
                               {"processes", k_processes}};
    std::error_code ignored;
    for (const fs::path& path : {player.auxiliary, player.build, player.headers})
        if (!path.empty()) settings["readable"].push_back(fs::absolute(path).string());
    // A driver reserves more addresses than any machine has memory; what is used is watched instead.
    if (m_spec.device != "cpu") settings["memory_bytes"] = 0;
    if (m_gpu) settings["devices"] = m_gpu->device_files();
    if (by_host()) {
        settings["devices"] = device_files(*m_spec.access);
        for (const std::string& path : m_spec.access->readable)
            if (fs::exists(path, ignored)) settings["readable"].push_back(path);
    }
    for (const fs::path& path : m_spec.hidden)
        if (fs::exists(path, ignored)) settings["hidden"].push_back(fs::absolute(path).string());
    return settings;
}

Result<void> Stage::wipe(const SharedBuffer& buffer) {
    if (m_gpu) return m_gpu->wipe(buffer.on_device);
    // Best effort: a file system that cannot do this would not give out memory files either.
    ::fallocate(buffer.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, k_whole_file);
    return {};
}

size_t Stage::input_blocks() const {
    struct stat facts {};
    return !m_gpu && ::fstat(m_inputs.get(), &facts) == 0 ? static_cast<size_t>(facts.st_blocks) : 0;
}

// A descriptor of its own, with its own position and flags, of a file that only we may mark.
Result<Fd> Stage::lend(const SharedBuffer& buffer) {
    TRY(wipe(buffer));
    if (m_gpu) return Fd(::fcntl(buffer.get(), F_DUPFD_CLOEXEC, 0));
    ::fchmod(buffer.get(), S_IRUSR | S_IWUSR);
    ::futimens(buffer.get(), nullptr);
    return Fd(::open(fmt::format("/proc/self/fd/{}", buffer.get()).c_str(), O_RDWR | O_CLOEXEC));
}

Result<Stage::Buffers> Stage::fresh_buffers() {
    Buffers buffers;
    const auto add = [&](size_t size, const SharedBuffer& buffer) -> Result<void> {
        buffers.sizes.push_back(size);
        TRY_ASSIGN(Fd file, lend(buffer));
        buffers.files.push_back(std::move(file));
        return {};
    };
    TRY(add(m_sizes[0], m_inputs));
    TRY(add(m_sizes[2], m_weights));
    // Outputs of one candidate are the answers for the next: only a player that must put its own there gets
    // the buffer.
    if (!m_memory_readable) TRY(add(m_sizes[1], m_outputs));
    return buffers;
}

Result<Stage::Rehearsal> Stage::rehearsal() {
    if (m_rehearsal.init.is_null()) {
        TRY_ASSIGN(const nlohmann::json instance, stage_weights(WeightSet{}));
        TRY_ASSIGN(m_rehearsal.inputs, stage_round(WeightSet{}));
        m_rehearsal.init = instance.at("spec").at("d").at("init");
    }
    return m_rehearsal;
}

void Stage::retire(Player player) {
    end_retired();
    m_retired.emplace(std::move(player));
}

void Stage::end_retired() {
    if (!m_retired) return;
    await_ending();
    m_ending =
        std::async(std::launch::async, [ending = std::move(*m_retired)]() mutable { ending.finish(); });
    m_retired.reset();
}

void Stage::await_ending() {
    if (m_ending.valid()) m_ending.get();
}

Result<void> Stage::clear_buffers() {
    TRY(wipe(m_inputs));
    return wipe(m_weights);
}

// Where load_inline finds our torch/extension.h. Empty: nowhere.
Result<fs::path> Stage::prepare_headers(const std::string& candidate) {
    // nvcc cannot use a precompiled one, and takes longer than the C++ compiler beside it takes without.
    if (m_gpu) return builds_inline(candidate) ? m_headers.as_text() : fs::path();
    if (m_spec.device != "cpu" || m_spec.cache.empty() || inline_build_flags(candidate).empty())
        return fs::path();
    // The referee is asked once how load_inline would call the compiler.
    if (!m_toolchain) {
        TRY_ASSIGN(const Message reply, m_referee.call({{"op", "toolchain"}}));
        m_toolchain = HeaderCache::Toolchain{m_torch, reply.body.at("standard"), reply.body.at("includes"),
                                             inherit_environment({"PATH", "LD_LIBRARY_PATH", "TMPDIR"})};
    }
    TRY(m_headers.prepare(candidate, *m_toolchain));
    return m_headers.folder();
}

bool Stage::gave_too_few_headers(const std::string& candidate, const Verdict& verdict) {
    return verdict.reason == Reason::toolchain && m_toolchain &&
           lacks_header(verdict.evidence, m_toolchain->includes) && m_headers.give_all(candidate);
}

// All that a build depends on. Empty: it cannot be named.
std::string Stage::build_key(const Submission& submission) const {
    if (!submission.auxiliary.empty()) return "";
    return sha256_hex(fmt::format("{}\n{}\n{}\n{}\n{}", compiler_identity(), m_spec.python.string(), m_torch,
                                  m_spec.jail, submission.source));
}

void Stage::keep_build(const Submission& submission, const Player& player) {
    const std::string key = build_key(submission);
    if (!key.empty() && player.jail_report().is_object())
        m_builds.keep(key, fmt::format("/proc/{}/root{}", player.pid(), player.scratch()));
}

Result<Player> Stage::spawn_player(const Submission& submission, bool fresh,
                                   const std::map<std::string, std::string>& environment) {
    PlayerSpec spec;
    const std::string name = fmt::format("player-{}", ++m_players);
    spec.scratch = m_folder->path() / name;
    TRY(make_directories(spec.scratch));
    TRY_ASSIGN(spec.auxiliary,
               gather_auxiliary(m_folder->path() / (name + "-auxiliary"), submission.auxiliary));
    TRY_ASSIGN(spec.headers, prepare_headers(submission.source));
    if (!fresh) spec.build = m_builds.find(build_key(submission));
    spec.environment = player_environment(m_threads);
    if (by_host()) inherit(spec.environment, m_spec.access->environment);
    if (!spec.headers.empty()) spec.environment.push_back("CPATH=" + spec.headers.string());
    if (m_gpu) {
        spec.environment.push_back("TORCH_CUDA_ARCH_LIST=" + m_gpu->architecture());
        if (submission.auxiliary.empty()) limit_queues(spec.environment, submission.source);
        if (!spec.headers.empty())
            spec.environment.push_back(fmt::format("PYTORCH_NVCC=sh {}/nvcc", spec.headers.string()));
    }
    for (const auto& [variable, value] : environment) spec.environment.push_back(variable + "=" + value);
    spec.threads = m_threads;
    // The shared buffers are ours, not the candidate's.
    spec.memory_bytes = m_spec.memory_limit_mb << 20;
    if (!m_gpu) spec.memory_bytes += m_sizes[0] + m_sizes[1] + m_sizes[2];
    spec.mode = to_string(m_spec.policies.mode);
    spec.device = m_spec.device;
    spec.by_host = by_host();
    spec.gpu = m_gpu;
    spec.jail = jail_settings(spec, spec.memory_bytes);
    TRY_ASSIGN(Player player, Player::spawn(m_zygote, spec));
    TRY_ASSIGN(const Player::Answer greeted,
               player.call({{"op", "greet"}}, k_start_limit_s, k_start_limit_s));
    if (const Fault* fault = std::get_if<Fault>(&greeted))
        return Error{ErrorKind::environment,
                     fmt::format("a player could not be started: {} {}", fault->message, player.printed())};
    // Said before a line of the candidate was loaded: this can be believed.
    const nlohmann::json& said = std::get<nlohmann::json>(greeted);
    player.set_jail_report(said.value("jail", nlohmann::json()));
    char probe[4];
    m_memory_readable =
        m_gpu || (!by_host() && player.read_memory(said.value("probe", uint64_t{0}), sizeof probe, probe));
    // Kernels on a GPU are not seen in the threads of the host.
    if (m_spec.policies.kernels == Kernels::required && !in_two_steps())
        m_can_be_sampled = may_sample(player.pid());
    return player;
}

}  // namespace kforge
