#include "kforge/arena/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

using Clock = std::chrono::steady_clock;

// cuda.h
constexpr unsigned k_spin = 1;             // CU_CTX_SCHED_SPIN
constexpr unsigned k_independent = 1;      // CU_STREAM_NON_BLOCKING
constexpr int k_pinned = 1;                // CU_MEM_ALLOCATION_TYPE_PINNED
constexpr int k_file_descriptor = 1;       // CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
constexpr int k_on_device = 1;             // CU_MEM_LOCATION_TYPE_DEVICE
constexpr int k_read_write = 3;            // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
constexpr unsigned k_lazy_peers = 1;       // CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
constexpr int k_l2_bytes = 38;             // CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
constexpr int k_major = 75, k_minor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*
constexpr int k_mps = 133;                 // CU_DEVICE_ATTRIBUTE_MPS_ENABLED

constexpr int k_least_major = 7;  // of an architecture: that of the sentinel

constexpr const char* k_sentinel = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry sentinel() { ret; }
)";

constexpr double k_patience_s = 60;   // of which the GPU must give us a moment
constexpr double k_farewell_s = 0.2;  // likewise, when nothing more is wanted of it
constexpr double k_pause_us = 30;     // in which work that waits for the GPU gets it
// A sentinel takes 10 us on an H200 when nobody else has the GPU, 160 when it must be taken over. Where
// launching takes longer, both do.
constexpr double k_undisturbed_us = 80;
constexpr double k_takeover_us = 70;  // at least, beyond what it takes undisturbed
constexpr int k_trial_sentinels = 50;
constexpr size_t k_most_others = 4096;

double microseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

std::string format_uuid(const cuda::Uuid& uuid) {
    std::string text;
    for (size_t i = 0; i < sizeof uuid.bytes; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", uuid.bytes[i]);
    }
    return text;
}

}  // namespace

Result<std::shared_ptr<Gpu>> Gpu::open() {
    static std::mutex turn;
    static std::weak_ptr<Gpu> shared;
    const std::lock_guard lock(turn);
    if (std::shared_ptr<Gpu> known = shared.lock()) return known;
    TRY_ASSIGN(const cuda::Driver* driver, cuda::load_driver());
    TRY_ASSIGN(std::shared_ptr<Gpu> gpu, open(*driver));
    shared = gpu;
    return gpu;
}

Result<std::shared_ptr<Gpu>> Gpu::open(const cuda::Driver& driver) {
    std::shared_ptr<Gpu> gpu(new Gpu());
    gpu->m_driver = &driver;
    TRY(gpu->start());
    return gpu;
}

Result<void> Gpu::check(cuda::Status status, const char* doing) const {
    if (status == 0) return {};
    if (status == cuda::k_no_device)
        return Error{ErrorKind::environment,
                     "the NVIDIA driver shows no GPU: CUDA_VISIBLE_DEVICES names none that is here, or this "
                     "user may not open /dev/nvidia*"};
    const std::string name = m_name.empty() ? "an NVIDIA GPU" : "the GPU " + m_name;
    const char* error = cuda::error_name(*m_driver, status);
    if (status == cuda::k_out_of_memory)
        return Error{ErrorKind::environment,
                     fmt::format("not enough memory on {} or its host: {}: {}. nvidia-smi tells who uses "
                                 "it; --set makes a problem smaller",
                                 name, doing, error)};
    return Error{ErrorKind::environment, fmt::format("{} does not answer as it should: {}: {}. See whether "
                                                     "nvidia-smi and dmesg tell more",
                                                     name, doing, error)};
}

Result<void> Gpu::start() {
    TRY(check(m_driver->init(0), "starting the driver"));
    TRY(check(m_driver->device_get(&m_device, 0), "looking for the first GPU"));
    char name[256] = {};
    TRY(check(m_driver->device_name(name, sizeof name - 1, m_device), "asking for its name"));
    m_name = name;
    cuda::Uuid uuid{};
    TRY(check(m_driver->device_uuid(&uuid, m_device), "asking for its identity"));
    m_identity = identify_gpu(format_uuid(uuid));
    int major = 0, minor = 0, l2_bytes = 0;
    TRY(check(m_driver->device_attribute(&major, k_major, m_device), "asking for its architecture"));
    TRY(check(m_driver->device_attribute(&minor, k_minor, m_device), "asking for its architecture"));
    TRY(check(m_driver->device_attribute(&l2_bytes, k_l2_bytes, m_device), "asking for its cache"));
    m_architecture = fmt::format("{}.{}", major, minor);
    if (major < k_least_major)
        return Error{ErrorKind::environment,
                     fmt::format("the GPU {} is too old: its compute capability is {}, and {}.0 or later is "
                                 "needed. Choose another with CUDA_VISIBLE_DEVICES",
                                 m_name, m_architecture, k_least_major)};
    // There the work of several processes runs at the same time, and ours is done before theirs is.
    if (int shared = 0; m_driver->device_attribute(&shared, k_mps, m_device) == 0 && shared != 0)
        return Error{ErrorKind::environment,
                     fmt::format("the GPU {} is shared by MPS: it cannot be seen from outside when the work "
                                 "of a candidate is done. Set CUDA_MPS_PIPE_DIRECTORY to an empty folder, or "
                                 "end MPS: echo quit | nvidia-cuda-mps-control",
                                 m_name)};
    m_driver->set_context_flags(m_device, k_spin);
    TRY(check(m_driver->retain_context(&m_context, m_device), "opening a context"));
    TRY(check(m_driver->set_context(m_context), "using its context"));
    size_t free_bytes = 0;
    TRY(check(m_driver->memory_info(&free_bytes, &m_total_bytes), "asking for its memory"));
    TRY(check(m_driver->stream_create(&m_stream, k_independent), "opening a stream"));
    TRY(check(m_driver->load_module(&m_module, k_sentinel), "loading a kernel"));
    TRY(check(m_driver->get_function(&m_sentinel, m_module, "sentinel"), "finding a kernel"));
    for (int i = 0; i < k_trial_sentinels; ++i) TRY(run_sentinel());
    TRY_ASSIGN(m_sweep, allocate(4 * static_cast<size_t>(std::max(l2_bytes, 16 << 20))));
    return {};
}

Gpu::~Gpu() {
    if (m_context == nullptr) return;
    // Nor at the end of the process, when the driver has gone before us.
    if (m_driver->set_context(m_context) != 0 || !is_idle()) return;
    forget_others();
    release(m_sweep);
    if (m_stream != nullptr) m_driver->stream_destroy(m_stream);
    if (m_module != nullptr) m_driver->unload_module(m_module);
    m_driver->set_context(nullptr);
    m_driver->release_context(m_device);
}

// An error is no work that goes on: what can be given back then, is.
bool Gpu::is_idle() {
    const auto start = Clock::now();
    while (m_stream != nullptr && m_driver->stream_query(m_stream) == cuda::k_not_ready)
        if (microseconds_since(start) > k_farewell_s * 1e6) return false;
    return true;
}

void Gpu::release(Memory& memory) {
    const std::lock_guard lock(m_turn);
    if (m_driver->set_context(m_context) == 0) let_go(memory);
}

// Whatever of it has been made.
void Gpu::let_go(Memory& memory) {
    if (memory.address != 0) {
        m_driver->unmap(memory.address, memory.size);
        m_driver->free_reserved(memory.address, memory.size);
    }
    if (memory.allocation != 0) m_driver->release(memory.allocation);
    memory = Memory();
}

Result<Gpu::Memory> Gpu::allocate(size_t size) {
    const std::lock_guard lock(m_turn);
    TRY(check(m_driver->set_context(m_context), "using its context"));
    Memory memory;
    if (Result<void> shared = share(memory, size); !shared.ok()) {
        let_go(memory);
        return shared.error();
    }
    return memory;
}

Result<void> Gpu::share(Memory& memory, size_t size) {
    cuda::AllocationProperties properties{};
    properties.type = k_pinned;
    properties.handle_types = k_file_descriptor;
    properties.location = {k_on_device, m_device};
    size_t granularity = 0;
    TRY(check(m_driver->granularity(&granularity, &properties, 0), "asking for the size of its pages"));
    memory.size = (std::max<size_t>(size, 1) + granularity - 1) / granularity * granularity;
    TRY(check(m_driver->create(&memory.allocation, memory.size, &properties, 0), "taking shared memory"));
    int file = -1;
    TRY(check(m_driver->export_file(&file, memory.allocation, k_file_descriptor, 0), "sharing memory"));
    memory.file = Fd(file);
    TRY(check(m_driver->reserve(&memory.address, memory.size, 0, 0, 0), "reserving addresses"));
    TRY(check(m_driver->map(memory.address, memory.size, 0, memory.allocation, 0), "mapping memory"));
    const cuda::AccessDescription access{{k_on_device, m_device}, k_read_write};
    TRY(check(m_driver->set_access(memory.address, memory.size, &access, 1), "using memory"));
    return {};
}

// Waits by asking: a GPU that hangs must not take us with it.
Result<void> Gpu::wait_for_stream() {
    const auto start = Clock::now();
    for (;;) {
        const cuda::Status status = m_driver->stream_query(m_stream);
        if (status == 0) return {};
        if (status != cuda::k_not_ready) return check(status, "waiting for its work");
        if (microseconds_since(start) > k_patience_s * 1e6)
            return Error{ErrorKind::environment,
                         fmt::format("the GPU {} has not come to an end with an empty kernel in {:.0f} s: it "
                                     "hangs, or others use it all the time",
                                     m_name, k_patience_s)};
        if (interrupted()) return interrupted_error();
    }
}

Result<void> Gpu::wipe(const Memory& memory) {
    const std::lock_guard lock(m_turn);
    TRY(check(m_driver->set_context(m_context), "using its context"));
    TRY(check(m_driver->fill(memory.address, 0, memory.size, m_stream), "emptying memory"));
    return wait_for_stream();
}

Result<void> Gpu::keep(const Memory& from, size_t size, Kept& kept) {
    if (size > kept.room) release(kept);
    const std::lock_guard lock(m_turn);
    TRY(check(m_driver->set_context(m_context), "using its context"));
    if (kept.data == nullptr) {
        TRY(check(m_driver->host_alloc(&kept.data, std::max<size_t>(size, 1)), "taking memory of the host"));
        kept.room = size;
    }
    kept.size = size;
    TRY(check(m_driver->copy_to_host(kept.data, from.address, size, m_stream), "keeping inputs"));
    return wait_for_stream();
}

Result<void> Gpu::reveal(const Kept& kept, const Memory& to) {
    const std::lock_guard lock(m_turn);
    TRY(check(m_driver->set_context(m_context), "using its context"));
    const size_t size = std::min(kept.size, to.size);
    TRY(check(m_driver->copy_to_device(to.address, kept.data, size, m_stream), "handing out inputs"));
    return wait_for_stream();
}

void Gpu::release(Kept& kept) {
    const std::lock_guard lock(m_turn);
    if (kept.data != nullptr && m_driver->set_context(m_context) == 0) m_driver->host_free(kept.data);
    kept = Kept();
}

Result<double> Gpu::run_sentinel() {
    const auto start = Clock::now();
    TRY(check(m_driver->launch(m_sentinel, 1, 1, 1, 1, 1, 1, 0, m_stream, nullptr, nullptr),
              "starting an empty kernel"));
    TRY(wait_for_stream());
    const double took_us = microseconds_since(start);
    m_quickest_us = std::min(m_quickest_us, took_us);
    return took_us;
}

Result<bool> Gpu::had_to_be_taken_over() {
    const auto pause = Clock::now();
    while (microseconds_since(pause) < k_pause_us) {
    }
    TRY_ASSIGN(const double took_us, run_sentinel());
    return took_us >= std::max(k_undisturbed_us, m_quickest_us + k_takeover_us);
}

Result<bool> Gpu::is_at_work() {
    const std::lock_guard lock(m_turn);
    TRY(check(m_driver->set_context(m_context), "using its context"));
    TRY(run_sentinel());
    return had_to_be_taken_over();
}

Result<Gpu::Settled> Gpu::settle() {
    const std::lock_guard lock(m_turn);
    TRY(check(m_driver->set_context(m_context), "using its context"));
    TRY(run_sentinel());
    Settled settled;
    const auto start = Clock::now();
    for (;;) {
        TRY_ASSIGN(const bool taken_over, had_to_be_taken_over());
        if (!taken_over) return settled;
        ++settled.delays;
        if (microseconds_since(start) > k_patience_s * 1e6) return settled;
    }
}

const Gpu::Opened* Gpu::open_other(const std::string& handle) {
    if (const auto known = m_others.find(handle); known != m_others.end()) return &known->second;
    cuda::IpcHandle raw{};
    if (handle.size() != 2 * sizeof raw.bytes || m_others.size() >= k_most_others) return nullptr;
    for (size_t i = 0; i < sizeof raw.bytes; ++i) {
        const auto digit = [&](char c) { return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c - '0'; };
        const int high = digit(handle[2 * i]), low = digit(handle[2 * i + 1]);
        if (high < 0 || high > 15 || low < 0 || low > 15) return nullptr;
        raw.bytes[i] = static_cast<unsigned char>(high * 16 + low);
    }
    Opened opened;
    if (m_driver->open_ipc(&opened.opened, raw, k_lazy_peers) != 0) return nullptr;
    if (m_driver->address_range(&opened.address, &opened.size, opened.opened) != 0) opened.size = 0;
    return &m_others.emplace(handle, opened).first->second;
}

Result<bool> Gpu::copy_from(const std::string& handle, uint64_t offset, size_t size, cuda::Address to) {
    const std::lock_guard lock(m_turn);
    TRY(check(m_driver->set_context(m_context), "using its context"));
    const Opened* other = open_other(handle);
    if (other == nullptr || offset > other->size || size > other->size - offset) return false;
    if (m_driver->copy(to, other->address + offset, size, m_stream) != 0) return false;
    const Result<void> done = wait_for_stream();
    if (!done.ok() && done.error().kind == ErrorKind::cancelled) return done.error();  // nobody's fault
    return done.ok();
}

void Gpu::forget_others() {
    const std::lock_guard lock(m_turn);
    if (m_driver->set_context(m_context) != 0) return;
    for (const auto& [handle, opened] : m_others) m_driver->close_ipc(opened.opened);
    m_others.clear();
}

Result<void> Gpu::flush_cache() {
    const std::lock_guard lock(m_turn);
    TRY(check(m_driver->set_context(m_context), "using its context"));
    m_driver->reset_persisting_l2();  // not every GPU has such a thing
    TRY(check(m_driver->fill(m_sweep.address, 1, m_sweep.size, m_stream), "emptying its cache"));
    return wait_for_stream();
}

Result<void> Gpu::check_health() {
    constexpr unsigned char k_pattern = 0xA5;
    TRY(settle());
    const std::lock_guard lock(m_turn);
    TRY(check(m_driver->fill(m_sweep.address, k_pattern, 4096, m_stream), "writing to its memory"));
    unsigned char back[4096] = {};
    TRY(check(m_driver->copy_to_host(back, m_sweep.address, sizeof back, m_stream), "reading its memory"));
    TRY(wait_for_stream());
    if (std::all_of(std::begin(back), std::end(back), [](unsigned char c) { return c == k_pattern; }))
        return {};
    return Error{ErrorKind::environment,
                 fmt::format("the GPU {} no longer remembers what is written to it: reset it", m_name)};
}

}  // namespace kforge
