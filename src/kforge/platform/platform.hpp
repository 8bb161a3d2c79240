// Platform: one folder of data that describes a target. No code here knows a particular platform by name.
#pragma once

#include <string>
#include <vector>

#include "kforge/guard/guard.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

struct Platform {
    std::string name;   // the folder's name: "cpu-cpp"
    std::string title;  // "C++ kernels on the CPU"
    std::string vendor;
    std::string dialect;   // "cpp"
    std::string device;    // PyTorch's device string: "cpu"
    std::string language;  // for code fences and prose: "C++"
    std::vector<std::vector<std::string>>
        detect;                          // commands that must all succeed for the platform to be usable
    std::string detect_hint;             // what to install when they do not
    std::vector<std::string> profilers;  // in order of preference
    std::vector<GuardRule> guard;
    std::string guide;              // guide.md
    std::string example_reference;  // example/reference.py
    std::string example_kernel;     // example/kernel.py
    fs::path folder;
};

struct Detection {
    bool usable = false;
    std::vector<std::string> found;  // first line of what each command printed
    std::string missing;             // what failed and how to mend it
};

Result<Platform> load_platform(const fs::path& folder);
// Every platform below `roots` (earlier roots win), sorted by name. A broken folder is an error that names
// it.
Result<std::vector<Platform>> load_platforms(const std::vector<fs::path>& roots);
Result<Platform> find_platform(const std::vector<fs::path>& roots, const std::string& name);
Detection detect(const Platform& platform);

}  // namespace kforge
