#include "kforge/arena/gpu_monitor.hpp"

#include <dlfcn.h>

#include <nlohmann/json.hpp>
#include <optional>

namespace kforge {
namespace {

// nvml.h
using Device = struct DeviceStruct*;
struct ProcessInfo {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance;
    unsigned compute_instance;
};
constexpr int k_clock_sm = 1, k_clock_memory = 2;
constexpr int k_temperature_gpu = 0;
constexpr unsigned k_most_processes = 256;
constexpr unsigned long long k_not_known = ~0ULL;
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

struct Nvml {
    int (*init)();
    int (*by_uuid)(const char* uuid, Device* device);
    int (*clock)(Device device, int type, unsigned* mhz);
    int (*temperature)(Device device, int sensor, unsigned* celsius);
    int (*power)(Device device, unsigned* milliwatts);
    int (*throttle)(Device device, unsigned long long* reasons);
    int (*processes)(Device device, unsigned* count, ProcessInfo* infos);
    int (*minor)(Device device, unsigned* number);
};

std::optional<Nvml> load() {
    void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::nullopt;
    Nvml nvml{};
    bool complete = true;
    const auto get = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(library, name));
        complete = complete && function != nullptr;
    };
    get(nvml.init, "nvmlInit_v2");
    get(nvml.by_uuid, "nvmlDeviceGetHandleByUUID");
    get(nvml.clock, "nvmlDeviceGetClockInfo");
    get(nvml.temperature, "nvmlDeviceGetTemperature");
    get(nvml.power, "nvmlDeviceGetPowerUsage");
    get(nvml.throttle, "nvmlDeviceGetCurrentClocksThrottleReasons");
    get(nvml.processes, "nvmlDeviceGetComputeRunningProcesses_v3");
    get(nvml.minor, "nvmlDeviceGetMinorNumber");
    if (!complete || nvml.init() != 0) return std::nullopt;
    return nvml;
}

const std::optional<Nvml>& library() {
    static const std::optional<Nvml> nvml = load();
    return nvml;
}

}  // namespace

std::optional<unsigned> gpu_minor(const std::string& uuid) {
    const std::optional<Nvml>& nvml = library();
    Device device = nullptr;
    unsigned number = 0;
    if (!nvml || nvml->by_uuid(uuid.c_str(), &device) != 0 || nvml->minor(device, &number) != 0)
        return std::nullopt;
    return number;
}

GpuConditions gpu_conditions(const std::string& uuid) {
    const std::optional<Nvml>& nvml = library();
    GpuConditions conditions;
    Device device = nullptr;
    if (!nvml || nvml->by_uuid(uuid.c_str(), &device) != 0) return conditions;
    conditions.known = true;
    nvml->clock(device, k_clock_sm, &conditions.sm_mhz);
    nvml->clock(device, k_clock_memory, &conditions.memory_mhz);
    nvml->temperature(device, k_temperature_gpu, &conditions.celsius);
    if (unsigned milliwatts = 0; nvml->power(device, &milliwatts) == 0) conditions.watts = milliwatts / 1e3;
    if (unsigned long long reasons = 0; nvml->throttle(device, &reasons) == 0)
        for (const ThrottleReason& reason : k_throttle_reasons)
            if (reasons & reason.bit) conditions.throttled.push_back(reason.name);
    unsigned count = k_most_processes;
    std::vector<ProcessInfo> infos(count);
    if (nvml->processes(device, &count, infos.data()) == 0)
        for (unsigned i = 0; i < count; ++i)
            conditions.users.push_back({static_cast<pid_t>(infos[i].pid),
                                        infos[i].used_bytes == k_not_known ? 0 : infos[i].used_bytes});
    return conditions;
}

nlohmann::json to_json(const GpuConditions& conditions) {
    return {{"sm_mhz", conditions.sm_mhz},
            {"memory_mhz", conditions.memory_mhz},
            {"celsius", conditions.celsius},
            {"watts", conditions.watts},
            {"throttled", conditions.throttled}};
}

}  // namespace kforge
