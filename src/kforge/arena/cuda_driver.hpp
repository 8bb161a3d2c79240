// The part of NVIDIA's driver interface that the arena needs, loaded when a GPU is used: KForge is built, and
// runs, where there is none. Names and meanings are those of cuda.h, which is not needed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kforge/util/result.hpp"

namespace kforge::cuda {

using Status = int;  // 0: success
using Device = int;
using Address = unsigned long long;
using Context = struct ContextStruct*;
using Module = struct ModuleStruct*;
using Function = struct FunctionStruct*;
using Stream = struct StreamStruct*;
using Allocation = unsigned long long;

constexpr Status k_out_of_memory = 2;
constexpr Status k_no_device = 100;
constexpr Status k_not_ready = 600;

struct IpcHandle {
    unsigned char bytes[64];
};

struct Uuid {
    unsigned char bytes[16];
};

struct Location {
    int type;
    int id;
};

struct AllocationProperties {
    int type;
    int handle_types;
    Location location;
    void* windows;
    unsigned char flags[8];
};

struct AccessDescription {
    Location location;
    int flags;
};

struct Driver {
    Status (*init)(unsigned flags);
    Status (*get_error_name)(Status status, const char** name);
    Status (*device_get)(Device* device, int ordinal);
    Status (*device_name)(char* name, int size, Device device);
    Status (*device_uuid)(Uuid* uuid, Device device);  // of the instance, where it is one of a GPU's (MIG)
    Status (*device_attribute)(int* value, int attribute, Device device);
    Status (*retain_context)(Context* context, Device device);
    Status (*release_context)(Device device);
    Status (*set_context_flags)(Device device, unsigned flags);
    Status (*set_context)(Context context);
    Status (*reset_persisting_l2)();
    Status (*memory_info)(size_t* free, size_t* total);
    Status (*stream_create)(Stream* stream, unsigned flags);
    Status (*stream_destroy)(Stream stream);
    Status (*stream_query)(Stream stream);
    Status (*load_module)(Module* module, const void* image);
    Status (*unload_module)(Module module);
    Status (*get_function)(Function* function, Module module, const char* name);
    Status (*launch)(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                     unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream stream,
                     void** arguments, void** extra);
    Status (*fill)(Address address, unsigned char value, size_t size, Stream stream);
    Status (*copy)(Address to, Address from, size_t size, Stream stream);
    Status (*host_alloc)(void** memory, size_t size);
    Status (*host_free)(void* memory);
    Status (*copy_to_device)(Address to, const void* from, size_t size, Stream stream);
    Status (*copy_to_host)(void* to, Address from, size_t size, Stream stream);
    Status (*granularity)(size_t* bytes, const AllocationProperties* properties, int option);
    Status (*create)(Allocation* allocation, size_t size, const AllocationProperties* properties,
                     unsigned long long flags);
    Status (*release)(Allocation allocation);
    Status (*reserve)(Address* address, size_t size, size_t alignment, Address wanted,
                      unsigned long long flags);
    Status (*free_reserved)(Address address, size_t size);
    Status (*map)(Address address, size_t size, size_t offset, Allocation allocation,
                  unsigned long long flags);
    Status (*unmap)(Address address, size_t size);
    Status (*set_access)(Address address, size_t size, const AccessDescription* description, size_t count);
    Status (*export_file)(void* file, Allocation allocation, int type, unsigned long long flags);
    Status (*open_ipc)(Address* address, IpcHandle handle, unsigned flags);
    Status (*close_ipc)(Address address);
    Status (*address_range)(Address* base, size_t* size, Address address);
};

// Loaded once in the life of the process. An Error environment where there is no driver.
Result<const Driver*> load_driver();
// "CUDA_ERROR_OUT_OF_MEMORY"
const char* error_name(const Driver& driver, Status status);

}  // namespace kforge::cuda
