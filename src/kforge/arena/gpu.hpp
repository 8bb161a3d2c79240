// Gpu: KForge's own hold on one NVIDIA GPU, beside the processes that compute there. Owns the memory that
// they share, sees from outside when their work is done, and reads what a stopped player has left. Trusts
// nothing that a player says. Threads take turns.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kforge/arena/cuda_driver.hpp"
#include "kforge/arena/gpu_monitor.hpp"
#include "kforge/arena/gpu_turn.hpp"
#include "kforge/util/fd.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

class Gpu {
  public:
    // The first that CUDA_VISIBLE_DEVICES shows, as for PyTorch, be it an instance of a GPU (MIG); one for
    // all that use it at the same time.
    static Result<std::shared_ptr<Gpu>> open();
    // One of its own, by this driver: for tests.
    static Result<std::shared_ptr<Gpu>> open(const cuda::Driver& driver);
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;
    // Gives back all that it has taken, its context too; where the GPU hangs that is left to the end of the
    // process, for to give it back would be to wait.
    ~Gpu();

    const std::string& name() const { return m_name; }
    const std::string& uuid() const { return m_identity.gpu; }  // "GPU-6eb3d336-...": of the whole
    const GpuIdentity& identity() const { return m_identity; }
    const std::string& architecture() const { return m_architecture; }  // "9.0"
    // What a process needs to see of the file system in order to use it.
    std::vector<std::string> device_files() const { return gpu_files(m_identity); }

    // Memory that other processes can import from `file`.
    struct Memory {
        cuda::Address address = 0;  // 0: none
        size_t size = 0;
        cuda::Allocation allocation = 0;
        Fd file;
    };
    Result<Memory> allocate(size_t size);
    void release(Memory& memory);
    Result<void> wipe(const Memory& memory);

    // What lies in `from` is kept with us, and put into the memory of others when its time has come. Done by
    // the copy engines: a copy within the GPU would be a kernel of ours, and the next one of theirs would
    // have to wait until the GPU is taken over again.
    struct Kept {
        void* data = nullptr;  // of the host, within reach of the copy engines
        size_t room = 0;
        size_t size = 0;
    };
    Result<void> keep(const Memory& from, size_t size, Kept& kept);
    Result<void> reveal(const Kept& kept, const Memory& to);
    void release(Kept& kept);

    // A stopped process cannot launch anything, but what it has launched goes on. The GPU works for one
    // process at a time and passes from one to the next when the first has nothing to do, or after its time
    // slice (2 ms on an H200). So an empty kernel of ours that is done tells that what was launched before it
    // is done too, or that its time slice ended: then a second one, a moment later, has to wait again. Waits
    // until nothing that was launched before is running any more. `delays`: how often the GPU was found busy
    // again after it had been idle.
    struct Settled {
        int delays = 0;
    };
    Result<Settled> settle();
    // Whether others' work is running on it, or was until a moment ago. Does not wait for its end.
    Result<bool> is_at_work();

    // Copies `size` bytes of another process's memory. False: the handle leads nowhere, or not that far.
    Result<bool> copy_from(const std::string& handle, uint64_t offset, size_t size, cuda::Address to);
    // Lets go of what was opened for copy_from.
    void forget_others();

    // Other data in the L2 cache, and nothing kept there on purpose.
    Result<void> flush_cache();

    size_t total_bytes() const { return m_total_bytes; }
    // Whether it still computes, after a process has crashed on it.
    Result<void> check_health();

  private:
    Gpu() = default;
    Result<void> start();
    Result<void> check(cuda::Status status, const char* doing) const;
    Result<void> share(Memory& memory, size_t size);
    void let_go(Memory& memory);
    Result<double> run_sentinel();
    Result<bool> had_to_be_taken_over();
    Result<void> wait_for_stream();
    bool is_idle();
    struct Opened {
        cuda::Address opened = 0;   // by which it is closed
        cuda::Address address = 0;  // where the allocation begins
        size_t size = 0;
    };
    const Opened* open_other(const std::string& handle);

    const cuda::Driver* m_driver = nullptr;
    mutable std::mutex m_turn;
    cuda::Device m_device = 0;
    cuda::Context m_context = nullptr;
    cuda::Stream m_stream = nullptr;
    cuda::Module m_module = nullptr;
    cuda::Function m_sentinel = nullptr;
    double m_quickest_us = std::numeric_limits<double>::infinity();  // that it has taken
    std::string m_name, m_architecture;
    GpuIdentity m_identity;
    Memory m_sweep;
    size_t m_total_bytes = 0;
    std::map<std::string, Opened> m_others;
};

}  // namespace kforge
