#include "kforge/arena/nvml.hpp"

#include <dlfcn.h>

#include <initializer_list>
#include <optional>
#include <type_traits>

namespace kforge::nvml {
namespace {

const Library* g_for_test = nullptr;

std::optional<Library> load() {
    void* file = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (file == nullptr) return std::nullopt;
    Library nvml{};
    bool complete = true;
    const auto get = [&](auto& function, std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (function == nullptr)
                function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(file, name));
        complete = complete && function != nullptr;
    };
    get(nvml.init, {"nvmlInit_v2"});
    get(nvml.by_uuid, {"nvmlDeviceGetHandleByUUID"});
    get(nvml.uuid, {"nvmlDeviceGetUUID"});
    get(nvml.gpu_of, {"nvmlDeviceGetDeviceHandleFromMigDeviceHandle"});
    get(nvml.gpu_instance, {"nvmlDeviceGetGpuInstanceId"});
    get(nvml.compute_instance, {"nvmlDeviceGetComputeInstanceId"});
    get(nvml.clock, {"nvmlDeviceGetClockInfo"});
    get(nvml.temperature, {"nvmlDeviceGetTemperature"});
    get(nvml.power, {"nvmlDeviceGetPowerUsage"});
    // The second is what drivers before 535 call it.
    get(nvml.throttle,
        {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    get(nvml.processes, {"nvmlDeviceGetComputeRunningProcesses_v3"});
    get(nvml.minor, {"nvmlDeviceGetMinorNumber"});
    if (!complete || nvml.init() != 0) return std::nullopt;
    return nvml;
}

}  // namespace

const Library* library() {
    if (g_for_test != nullptr) return g_for_test;
    static const std::optional<Library> nvml = load();
    return nvml ? &*nvml : nullptr;
}

void set_library_for_test(const Library* library) {
    g_for_test = library;
}

}  // namespace kforge::nvml
