// FakeDriver: a GPU driver that does nothing but count what it has given out and not got back. One at a time.
#pragma once

#include <chrono>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "kforge/arena/cuda_driver.hpp"

namespace kforge {

struct FakeDriver {
    static constexpr cuda::Address k_ipc = 0x7000, k_ipc_begin = 0x6000;
    int contexts = 0, streams = 0, modules = 0, allocations = 0, reservations = 0, mappings = 0, host = 0;
    std::multiset<cuda::Address> opened;
    cuda::Status query = 0;  // what stream_query says
    cuda::Status use = 0;    // what set_context says
    cuda::Status create = 0;
    int mps = 0;
    std::chrono::microseconds launching{0};  // takes so long
    cuda::Address copied_from = 0;
    std::vector<std::string> calls;  // those that give something back

    static FakeDriver& it() {
        static FakeDriver driver;
        return driver;
    }
    int held() const {
        return contexts + streams + modules + allocations + reservations + mappings + host +
               static_cast<int>(opened.size());
    }
    static cuda::Status give_back(int& count, const char* call) {
        it().calls.push_back(call);
        --count;
        return 0;
    }
    static cuda::Driver table();
};

inline cuda::Driver FakeDriver::table() {
    using namespace cuda;
    Driver t{};
    t.init = [](unsigned) { return 0; };
    t.get_error_name = [](Status, const char** name) {
        *name = "FAKE_ERROR";
        return 0;
    };
    t.device_get = [](Device* device, int) { return *device = 0; };
    t.device_name = [](char* name, int, Device) {
        std::strcpy(name, "Fake");
        return 0;
    };
    t.device_uuid = [](Uuid* uuid, Device) {
        for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<unsigned char>(i);
        return 0;
    };
    t.device_attribute = [](int* value, int attribute, Device) {
        *value = attribute == 133 ? it().mps : 9;
        return 0;
    };
    t.retain_context = [](Context* context, Device) {
        *context = reinterpret_cast<Context>(&it());
        ++it().contexts;
        return 0;
    };
    t.release_context = [](Device) { return give_back(it().contexts, "context"); };
    t.set_context_flags = [](Device, unsigned) { return 0; };
    t.set_context = [](Context) { return it().use; };
    t.reset_persisting_l2 = [] { return 0; };
    t.memory_info = [](size_t* free, size_t* total) {
        *free = *total = 1 << 30;
        return 0;
    };
    t.stream_create = [](Stream* stream, unsigned) {
        *stream = reinterpret_cast<Stream>(&it());
        ++it().streams;
        return 0;
    };
    t.stream_destroy = [](Stream) { return give_back(it().streams, "stream"); };
    t.stream_query = [](Stream) { return it().query; };
    t.load_module = [](Module* module, const void*) {
        *module = reinterpret_cast<Module>(&it());
        ++it().modules;
        return 0;
    };
    t.unload_module = [](Module) { return give_back(it().modules, "module"); };
    t.get_function = [](Function*, Module, const char*) { return 0; };
    t.launch = [](Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream,
                  void**, void**) {
        const auto end = std::chrono::steady_clock::now() + it().launching;
        while (std::chrono::steady_clock::now() < end) {
        }
        return 0;
    };
    t.fill = [](Address, unsigned char, size_t, Stream) { return 0; };
    t.copy = [](Address, Address from, size_t, Stream) {
        it().copied_from = from;
        return 0;
    };
    t.host_alloc = [](void** memory, size_t size) {
        if (size == 0) return 1;  // CUDA_ERROR_INVALID_VALUE
        *memory = &it();
        ++it().host;
        return 0;
    };
    t.host_free = [](void*) { return give_back(it().host, "host"); };
    t.copy_to_device = [](Address, const void*, size_t, Stream) { return 0; };
    t.copy_to_host = [](void*, Address, size_t, Stream) { return 0; };
    t.granularity = [](size_t* bytes, const AllocationProperties*, int) {
        *bytes = 2 << 20;
        return 0;
    };
    t.create = [](Allocation* allocation, size_t, const AllocationProperties*, unsigned long long) {
        if (it().create != 0) return it().create;
        *allocation = 1;
        ++it().allocations;
        return 0;
    };
    t.release = [](Allocation) { return give_back(it().allocations, "allocation"); };
    t.reserve = [](Address* address, size_t, size_t, Address, unsigned long long) {
        *address = 0x1000;
        ++it().reservations;
        return 0;
    };
    t.free_reserved = [](Address, size_t) { return give_back(it().reservations, "reservation"); };
    t.map = [](Address, size_t, size_t, Allocation, unsigned long long) {
        ++it().mappings;
        return 0;
    };
    t.unmap = [](Address, size_t) { return give_back(it().mappings, "mapping"); };
    t.set_access = [](Address, size_t, const AccessDescription*, size_t) { return 0; };
    t.export_file = [](void* file, Allocation, int, unsigned long long) {
        *static_cast<int*>(file) = -1;
        return 0;
    };
    t.open_ipc = [](Address* address, IpcHandle, unsigned) {
        it().opened.insert(*address = k_ipc);
        return 0;
    };
    t.close_ipc = [](Address address) { return it().opened.erase(address) == 1 ? 0 : 1; };
    t.address_range = [](Address* base, size_t* size, Address) {
        *base = k_ipc_begin;
        *size = 0x2000;
        return 0;
    };
    return t;
}

}  // namespace kforge
