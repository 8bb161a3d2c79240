#include "kforge/arena/cuda_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace kforge::cuda {
namespace {

constexpr const char* k_library = "libcuda.so.1";

class Loader {
  public:
    explicit Loader(void* library) : m_library(library) {}

    template <typename F>
    void get(F& function, const char* name) {
        void* found = ::dlsym(m_library, name);
        if (found == nullptr && m_missing.empty()) m_missing = name;
        function = reinterpret_cast<F>(found);
    }
    const std::string& missing() const { return m_missing; }

  private:
    void* m_library;
    std::string m_missing;
};

Result<Driver> load() {
    void* library = ::dlopen(k_library, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return Error{ErrorKind::environment, fmt::format("there is no NVIDIA driver here ({})", ::dlerror())};
    Driver driver{};
    Loader loader(library);
    loader.get(driver.init, "cuInit");
    loader.get(driver.get_error_name, "cuGetErrorName");
    loader.get(driver.device_get, "cuDeviceGet");
    loader.get(driver.device_name, "cuDeviceGetName");
    loader.get(driver.device_uuid, "cuDeviceGetUuid_v2");
    loader.get(driver.device_attribute, "cuDeviceGetAttribute");
    loader.get(driver.retain_context, "cuDevicePrimaryCtxRetain");
    loader.get(driver.release_context, "cuDevicePrimaryCtxRelease_v2");
    loader.get(driver.set_context_flags, "cuDevicePrimaryCtxSetFlags_v2");
    loader.get(driver.set_context, "cuCtxSetCurrent");
    loader.get(driver.reset_persisting_l2, "cuCtxResetPersistingL2Cache");
    loader.get(driver.memory_info, "cuMemGetInfo_v2");
    loader.get(driver.stream_create, "cuStreamCreate");
    loader.get(driver.stream_destroy, "cuStreamDestroy_v2");
    loader.get(driver.stream_query, "cuStreamQuery");
    loader.get(driver.load_module, "cuModuleLoadData");
    loader.get(driver.unload_module, "cuModuleUnload");
    loader.get(driver.get_function, "cuModuleGetFunction");
    loader.get(driver.launch, "cuLaunchKernel");
    loader.get(driver.fill, "cuMemsetD8Async");
    loader.get(driver.copy, "cuMemcpyDtoDAsync_v2");
    loader.get(driver.host_alloc, "cuMemAllocHost_v2");
    loader.get(driver.host_free, "cuMemFreeHost");
    loader.get(driver.copy_to_device, "cuMemcpyHtoDAsync_v2");
    loader.get(driver.copy_to_host, "cuMemcpyDtoHAsync_v2");
    loader.get(driver.granularity, "cuMemGetAllocationGranularity");
    loader.get(driver.create, "cuMemCreate");
    loader.get(driver.release, "cuMemRelease");
    loader.get(driver.reserve, "cuMemAddressReserve");
    loader.get(driver.free_reserved, "cuMemAddressFree");
    loader.get(driver.map, "cuMemMap");
    loader.get(driver.unmap, "cuMemUnmap");
    loader.get(driver.set_access, "cuMemSetAccess");
    loader.get(driver.export_file, "cuMemExportToShareableHandle");
    loader.get(driver.open_ipc, "cuIpcOpenMemHandle_v2");
    loader.get(driver.close_ipc, "cuIpcCloseMemHandle");
    loader.get(driver.address_range, "cuMemGetAddressRange_v2");
    if (!loader.missing().empty())
        return Error{ErrorKind::environment, fmt::format("the NVIDIA driver is too old: it has no {}. "
                                                         "Version 525 or later is needed",
                                                         loader.missing())};
    return driver;
}

}  // namespace

Result<const Driver*> load_driver() {
    static const Result<Driver> driver = load();
    if (!driver.ok()) return driver.error();
    return &driver.value();
}

const char* error_name(const Driver& driver, Status status) {
    const char* name = nullptr;
    return driver.get_error_name(status, &name) == 0 && name != nullptr ? name : "unknown error";
}

}  // namespace kforge::cuda
