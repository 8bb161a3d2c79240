// The part of Contender that is about a GPU.
#include <fmt/format.h>
#include <unistd.h>

#include "kforge/arena/contender.hpp"
#include "kforge/arena/device_kernels.hpp"
#include "kforge/arena/gpu_monitor.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr double k_most_gpu_memory = 0.5;  // of all
constexpr double k_much_gpu_memory = 0.1;
constexpr int k_kernel_calls = 10;
constexpr double k_grace_s = 10;
constexpr size_t k_longest_sanitizer_report = 3000;
constexpr size_t k_longest_reason = 300;

}  // namespace

Result<Finding> Contender::open_device() {
    if (m_stage.gpu() == nullptr) return Finding();
    const Turnstile::Pass pass(m_stage.openings());
    return ask({{"op", "open_device"}}, "opening the GPU", m_stage.spec().call_limit_s);
}

Result<Finding> Contender::rehearse(const Stage::Rehearsal& rehearsal) {
    const nlohmann::json request = {
        {"op", "rehearse"}, {"init", rehearsal.init}, {"inputs", rehearsal.inputs}};
    TRY_ASSIGN(const Finding found, ask(request, "rehearsing", m_stage.spec().call_limit_s));
    return found ? found : find_hoarding();
}

// By the player, and all that it has started; its own process is below that of the jail.
std::optional<double> Contender::held_gpu_bytes() const {
    const std::optional<size_t> bytes =
        gpu_bytes_of(gpu_users(m_stage.gpu()->identity()), ::getpid(), m_player.pid());
    return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

bool Contender::holds_much() const {
    const double all = static_cast<double>(m_stage.gpu()->total_bytes());
    return m_player.running() && held_gpu_bytes().value_or(all) > k_much_gpu_memory * all;
}

// What is left of a GPU's memory is for the others: the referee, the baseline, and candidates that wait.
Finding Contender::find_hoarding() {
    const Gpu* gpu = m_stage.gpu();
    if (gpu == nullptr) return Finding();
    const double held = held_gpu_bytes().value_or(0);
    const auto all = static_cast<double>(gpu->total_bytes());
    if (held < k_most_gpu_memory * all) return Finding();
    m_player.finish();
    return Verdict::because(
        Reason::out_of_memory,
        fmt::format("It takes {:.1f} of {:.1f} GB of the GPU's memory.", held / 1e9, all / 1e9));
}

Result<Finding> Contender::profile_kernels(Work& work) {
    nlohmann::json reply;
    TRY_ASSIGN(const Finding found,
               ask_on_given({{"op", "kernels"}, {"calls", k_kernel_calls}}, "looking at its kernels",
                            m_stage.spec().call_limit_s * k_kernel_calls, reply));
    if (found) return found;
    try {
        std::vector<DeviceKernel> kernels;
        for (const nlohmann::json& item : reply.at("kernels"))
            kernels.push_back({item.at(0).get<std::string>(), item.at(1).get<double>()});
        work = work_of(kernels);
    } catch (const nlohmann::json::exception&) {
        return broken_protocol("looking at its kernels");
    }
    return Finding();
}

Result<Finding> Contender::check_memory(std::string& not_done) {
    const double limit_s = m_stage.spec().time_limit_s;
    allow(limit_s + k_grace_s);
    nlohmann::json reply;
    TRY_ASSIGN(const Finding found,
               ask_on_given({{"op", "sanitize"}, {"limit_s", limit_s}}, "running under compute-sanitizer",
                            limit_s + k_grace_s, reply));
    if (found) return found;
    try {
        if (const auto why = reply.find("not_done"); why != reply.end()) {
            not_done = elide_middle(sanitize(why->get<std::string>()), k_longest_reason);
            return Finding();
        }
        if (!reply.at("found").get<bool>()) return Finding();
        return Finding(Verdict::because(
            Reason::device_fault,
            "Its results are right, but compute-sanitizer finds invalid accesses to memory:\n" +
                elide_middle(sanitize(reply.at("report").get<std::string>()), k_longest_sanitizer_report)));
    } catch (const nlohmann::json::exception&) {
        return broken_protocol("running under compute-sanitizer");
    }
}

}  // namespace kforge
