#include "kforge/arena/gpu_monitor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>

#include "kforge/arena/nvml.hpp"
#include "kforge/util/process.hpp"

namespace kforge {
namespace {

// nvml.h
constexpr int k_clock_sm = 1, k_clock_memory = 2;
constexpr int k_temperature_gpu = 0;
constexpr unsigned k_most_processes = 1024;
constexpr unsigned long long k_not_told = ~0ULL;
constexpr unsigned k_uuid_size = 96;
struct ThrottleReason {
    unsigned long long bit;
    const char* name;
};
// Idle clocks and the user's own settings are none.
constexpr ThrottleReason k_throttle_reasons[] = {{0x4, "power cap"},
                                                 {0x8, "hardware slowdown"},
                                                 {0x20, "heat"},
                                                 {0x40, "heat (hardware)"},
                                                 {0x80, "power brake"}};

constexpr const char* k_outermost_pids = "pid:[4026531836]";  // PROC_PID_INIT_INO of the kernel

nvml::Device find_gpu(const nvml::Library* nvml, const std::string& uuid) {
    nvml::Device device = nullptr;
    return nvml != nullptr && !uuid.empty() && nvml->by_uuid(uuid.c_str(), &device) == 0 ? device : nullptr;
}

template <typename Ask>
std::optional<unsigned> told(Ask ask) {
    unsigned value = 0;
    return ask(&value) == 0 ? std::optional<unsigned>(value) : std::nullopt;
}

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// "DeviceFileMinor: 12" of the file by which the driver says who may use an instance.
std::string capability_file(const fs::path& access) {
    const std::string key = "DeviceFileMinor: ";
    const Result<std::string> text = read_file(access);
    const size_t at = text.ok() ? text->find(key) : std::string::npos;
    if (at == std::string::npos) return "";
    const size_t begin = at + key.size();
    const std::string number = text->substr(begin, text->find_first_not_of("0123456789", begin) - begin);
    return is_number(number) ? "nvidia-cap" + number : "";
}

// Those of the instance and of the part of it that computes; none where they cannot be told.
std::vector<std::string> capability_files(const nvml::Library* nvml, const GpuIdentity& identity,
                                          unsigned minor, const fs::path& proc) {
    const nvml::Device instance = find_gpu(nvml, identity.instance);
    if (instance == nullptr) return {};
    const auto gpu_instance = told([&](unsigned* id) { return nvml->gpu_instance(instance, id); });
    const auto compute_instance = told([&](unsigned* id) { return nvml->compute_instance(instance, id); });
    if (!gpu_instance || !compute_instance) return {};
    const fs::path folder = proc / fmt::format("capabilities/gpu{}/mig/gi{}", minor, *gpu_instance);
    const std::string whole = capability_file(folder / "access");
    const std::string part = capability_file(folder / fmt::format("ci{}/access", *compute_instance));
    if (whole.empty() || part.empty()) return {};
    return {whole, part};
}

bool exists(pid_t pid) {
    return ::kill(pid, 0) == 0 || errno == EPERM;
}

bool names(const GpuConditions& conditions, pid_t pid) {
    return conditions.users && std::any_of(conditions.users->begin(), conditions.users->end(),
                                           [&](const auto& user) { return user.pid == pid; });
}

bool belongs_to(pid_t pid, pid_t root) {
    return pid == root || descends_from(pid, root);
}

// Processes that have a context there; nothing: it is not told.
std::optional<std::vector<GpuConditions::User>> users_of(const nvml::Library* nvml, nvml::Device device,
                                                         const GpuIdentity& identity) {
    // Of a GPU with instances only root is told who uses all of it.
    const nvml::Device used = identity.instance.empty() ? device : find_gpu(nvml, identity.instance);
    unsigned count = k_most_processes;
    std::vector<nvml::ProcessInfo> infos(count);
    if (used == nullptr || nvml->processes(used, &count, infos.data()) != 0) return std::nullopt;
    std::vector<GpuConditions::User> users;
    for (unsigned i = 0; i < std::min(count, k_most_processes); ++i)
        users.push_back(
            {static_cast<pid_t>(infos[i].pid), infos[i].used_bytes == k_not_told ? 0 : infos[i].used_bytes});
    return users;
}

}  // namespace

GpuIdentity identify_gpu(const std::string& uuid) {
    const nvml::Library* nvml = nvml::library();
    const GpuIdentity whole{"GPU-" + uuid, ""};
    if (find_gpu(nvml, whole.gpu) != nullptr) return whole;
    const std::string instance = "MIG-" + uuid;
    nvml::Device gpu = nullptr;
    char name[k_uuid_size] = {};
    if (const nvml::Device part = find_gpu(nvml, instance);
        part != nullptr && nvml->gpu_of(part, &gpu) == 0 && nvml->uuid(gpu, name, sizeof name - 1) == 0)
        return {name, instance};
    return whole;
}

std::vector<std::string> gpu_files(const GpuIdentity& identity, const fs::path& dev, const fs::path& proc) {
    const std::string prefix = "nvidia";
    const std::string capabilities = "nvidia-caps";
    const nvml::Library* nvml = nvml::library();
    const nvml::Device gpu = find_gpu(nvml, identity.gpu);
    const std::optional<unsigned> minor =
        gpu == nullptr ? std::nullopt : told([&](unsigned* number) { return nvml->minor(gpu, number); });
    const std::string own = minor ? std::to_string(*minor) : "";
    std::vector<std::string> files;
    if (minor)
        for (const std::string& name : capability_files(nvml, identity, *minor, proc))
            files.push_back((dev / capabilities / name).string());
    const bool own_only = !files.empty();
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(dev, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(prefix) || (own_only && name == capabilities)) continue;
        const std::string rest = name.substr(prefix.size());
        if (!is_number(rest) || own.empty() || rest == own) files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

GpuConditions gpu_users(const GpuIdentity& identity) {
    GpuConditions conditions;
    const nvml::Library* nvml = nvml::library();
    if (const nvml::Device device = find_gpu(nvml, identity.gpu); device != nullptr)
        conditions.users = users_of(nvml, device, identity);
    return conditions;
}

GpuConditions gpu_conditions(const GpuIdentity& identity) {
    GpuConditions conditions;
    const nvml::Library* nvml = nvml::library();
    const nvml::Device device = find_gpu(nvml, identity.gpu);
    if (device == nullptr) return conditions;
    conditions.known = true;
    conditions.sm_mhz = told([&](unsigned* mhz) { return nvml->clock(device, k_clock_sm, mhz); });
    conditions.memory_mhz = told([&](unsigned* mhz) { return nvml->clock(device, k_clock_memory, mhz); });
    conditions.celsius =
        told([&](unsigned* degrees) { return nvml->temperature(device, k_temperature_gpu, degrees); });
    if (const auto milliwatts = told([&](unsigned* power) { return nvml->power(device, power); }))
        conditions.watts = *milliwatts / 1e3;
    if (unsigned long long reasons = 0; nvml->throttle(device, &reasons) == 0)
        for (const ThrottleReason& reason : k_throttle_reasons)
            if (reasons & reason.bit) conditions.throttled.push_back(reason.name);
    conditions.users = users_of(nvml, device, identity);
    return conditions;
}

nlohmann::json to_json(const GpuConditions& conditions) {
    nlohmann::json told = {{"throttled", conditions.throttled}};
    if (conditions.sm_mhz) told["sm_mhz"] = *conditions.sm_mhz;
    if (conditions.memory_mhz) told["memory_mhz"] = *conditions.memory_mhz;
    if (conditions.celsius) told["celsius"] = *conditions.celsius;
    if (conditions.watts) told["watts"] = *conditions.watts;
    return told;
}

bool sees_all_processes() {
    std::error_code failure;
    return fs::read_symlink("/proc/self/ns/pid", failure) == k_outermost_pids;
}

GpuCompany company_on(const GpuConditions& conditions, pid_t self, bool sees_all) {
    using Others = GpuCompany::Others;
    if (!conditions.users) return {Others::unclear, "the driver does not tell who uses the GPU"};
    if (!names(conditions, self))
        return {Others::unclear, "the driver counts processes by other numbers than this container"};
    for (const GpuConditions::User& user : *conditions.users)
        // One that has ended since was as likely ours.
        if (!belongs_to(user.pid, self) && exists(user.pid)) return {Others::some, ""};
    if (sees_all) return {Others::none, ""};
    return {Others::unclear, "processes outside of this container cannot be seen"};
}

std::optional<size_t> gpu_bytes_of(const GpuConditions& conditions, pid_t self, pid_t root) {
    if (!names(conditions, self)) return std::nullopt;
    size_t bytes = 0;
    for (const GpuConditions::User& user : *conditions.users)
        if (belongs_to(user.pid, root)) bytes += user.bytes;
    return bytes;
}

}  // namespace kforge
