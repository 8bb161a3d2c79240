// The part of NVIDIA's management library that the arena needs, loaded when it is first asked for. Names and
// meanings are those of nvml.h, which is not needed.
#pragma once

namespace kforge::nvml {

using Status = int;  // 0: success
using Device = struct DeviceStruct*;

struct ProcessInfo {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance;
    unsigned compute_instance;
};

struct Library {
    Status (*init)();
    Status (*by_uuid)(const char* uuid, Device* device);  // of a GPU, or of an instance of one (MIG)
    Status (*uuid)(Device device, char* uuid, unsigned size);
    Status (*gpu_of)(Device instance, Device* gpu);
    Status (*gpu_instance)(Device instance, unsigned* id);
    Status (*compute_instance)(Device instance, unsigned* id);
    Status (*clock)(Device device, int type, unsigned* mhz);
    Status (*temperature)(Device device, int sensor, unsigned* celsius);
    Status (*power)(Device device, unsigned* milliwatts);
    Status (*throttle)(Device device, unsigned long long* reasons);
    Status (*processes)(Device device, unsigned* count, ProcessInfo* infos);
    Status (*minor)(Device device, unsigned* number);
};

// Null where there is none, or one that is too old.
const Library* library();
// Null: the real one again.
void set_library_for_test(const Library* library);

}  // namespace kforge::nvml
