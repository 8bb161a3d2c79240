// Platform: one folder of data that describes a target. No code here knows a particular platform by name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kforge/guard/guard.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

// A command that must succeed where the platform can be used; "{python}" in it stands for the Python that
// holds PyTorch.
struct Probe {
    std::string what;  // "device", "driver", "toolchain"; empty: not said
    std::vector<std::string> argv;
    std::string hint;       // what mends it; empty: the platform's own hint
    bool optional = false;  // the platform can be used without it, with less than all that it offers
};

// What a device can do at most, by its data sheet: dense rates, without sparsity.
struct DevicePeaks {
    std::string name;       // RE2, found anywhere in the name that detection printed, whatever the case
    double memory_gbs = 0;  // bandwidth in 1e9 bytes per second
    double memory_gb = 0;   // 0: not known
    double l2_mb = 0;       // last-level cache; 0: not known
    std::map<std::string, double> tflops;  // by dtype: fp64, fp32, tf32, fp16, bf16, fp8
    std::string facts;                     // when this was looked up
    double compute_units = 0;              // cores that run blocks of their own; 0: not known
    double shared_kb = 0;                  // memory that the threads of a block can share; 0: not known
};

// What can be found out about a candidate where the device is absent.
struct OfflineCheck {
    std::string name;                             // "nvcc"
    std::string reason;                           // of the verdict: interpreted, compiled, parsed
    std::vector<std::vector<std::string>> needs;  // commands that must succeed for the check to be possible
    std::string hint;                             // what to install when they do not
    std::string checker;                          // Python source that runs in the player; empty: none
    std::string checker_name;
    std::vector<std::string> targets;                // "sm_90a"
    std::vector<std::string> command;                // for the checker: {source}, {output}, {target}, {shims}
    std::map<std::string, std::string> options;      // for the checker
    std::map<std::string, std::string> shims;        // headers by the name they are included by: their text
    std::map<std::string, std::string> environment;  // of the player
};

// How a player reaches a device whose memory KForge cannot share between processes: what crosses, crosses by
// the host's memory.
struct DeviceAccess {
    std::vector<std::string> files;        // "/dev/kfd"; a folder stands for all that is in it
    std::vector<std::string> readable;     // "/sys/class/kfd"
    std::vector<std::string> environment;  // names of variables that players and baselines keep
};

struct Platform {
    std::string name;   // the folder's name: "cpu-cpp"
    std::string title;  // "C++ kernels on the CPU"
    std::string vendor;
    std::string dialect;                 // "cpp"
    std::string device;                  // PyTorch's device string: "cpu"
    std::optional<DeviceAccess> access;  // none: of a CPU and of NVIDIA's GPUs memory is shared
    std::string language;                // for code fences and prose: "C++"
    std::vector<Probe> detect;           // all must succeed for the platform to be usable
    std::string detect_hint;             // what to install when they do not
    std::vector<std::string> profilers;  // in order of preference
    std::string preload;  // Python: runs once in the process that players are forked from; empty: none
    std::vector<GuardRule> guard;
    std::vector<DevicePeaks> devices;
    std::vector<OfflineCheck> checks;
    std::string guide;              // guide.md, then the shared guides that platform.toml names
    std::string example_reference;  // example/reference.py
    std::string example_kernel;     // example/kernel.py
    fs::path folder;
};

struct Found {
    std::string what;  // as in Probe
    std::string text;  // first line of what the command printed
};

// The outcome of an optional probe.
struct Extra {
    std::string what;  // as in Probe
    bool found = false;
    std::string text;  // what was found, or what is wrong
    std::string hint;
};

struct Detection {
    bool usable = false;
    std::vector<Found> found;
    std::string missing;                 // what failed
    std::string hint;                    // how to mend that
    const DevicePeaks* peaks = nullptr;  // of the device that was found, in the platform; null: not known
};

struct CheckState {
    const OfflineCheck* check = nullptr;  // in the platform
    bool available = false;
    std::string missing;
};

// Parts that platform.toml names (shared guides, checkers, peaks) are looked for in the folder, beside it,
// and then in `roots`.
Result<Platform> load_platform(const fs::path& folder, const std::vector<fs::path>& roots = {});
// Every platform below `roots` (earlier roots win), sorted by name. A folder `shared` is none: it holds what
// several have in common. A broken folder is an error that names it.
Result<std::vector<Platform>> load_platforms(const std::vector<fs::path>& roots);
Result<Platform> find_platform(const std::vector<fs::path>& roots, const std::string& name);

// What `folder` says about kernels that go from one platform to the other, in either direction: one file for
// each pair of dialects, and one for a dialect that several vendors have. Empty: nothing is written, or there
// is only one platform.
std::string translation_note(const fs::path& folder, const Platform& one, const Platform& other);

// Tells all that is missing, each once. `platform` must outlive the result.
Detection detect(const Platform& platform, const fs::path& python = "python3");
// What the platform can do without.
std::vector<Extra> detect_extras(const Platform& platform, const fs::path& python = {});
std::string to_text(const Found& found);        // "device: NVIDIA H200"
std::string to_text(const DevicePeaks& peaks);  // "4800 GB/s, fp16 989.4 TFLOPS, ... (data sheet, 2026-11)"
// Which of the checks without the device can be done here.
std::vector<CheckState> detect_checks(const Platform& platform, const fs::path& python = "python3");

}  // namespace kforge
