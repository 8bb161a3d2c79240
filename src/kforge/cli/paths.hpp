// Where things are: KForge's own data, the user's additions, caches, and the Python that holds PyTorch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kforge/cli/config.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

std::string_view version();

struct DataPaths {
    fs::path root;                         // holds platforms/, prompts/, problems/, python/, recordings/
    std::vector<fs::path> platform_roots;  // the user's before the built-in ones
    std::vector<fs::path> problem_roots;
    fs::path prompts;
    fs::path python;  // the folder that holds kforge_arena
    fs::path recordings;
    fs::path cache;
};

// Data is in KFORGE_DATA, else beside the executable's folder: in share/kforge where it was unpacked or
// installed, directly in a checkout. No path of the machine it was built on. An environment error when it is
// nowhere.
Result<DataPaths> find_data(const UserEnvironment& environment, const fs::path& executable);

// How a path is shown to a person who works in `directory`: relative when it lies in there.
fs::path shown_path(const fs::path& path, const fs::path& directory);

struct PythonChoice {
    fs::path program;
    std::string origin;  // why this one: "--python", "KFORGE_PYTHON", ...
};

// `configured` is --python or the key of the configuration; then come KFORGE_PYTHON, an active virtual
// environment, the one beside the build, python3. The first that is named is taken and must be there.
Result<PythonChoice> find_python(const UserEnvironment& environment, const std::string& configured,
                                 const fs::path& executable);

struct PythonReport {
    std::string failure;  // why it could not be asked; the rest is empty then
    std::string version;  // "3.11.2"
    bool supported = false;
    std::string torch;  // versions; empty: cannot be imported
    std::string jinja2;
    std::string numpy;
    std::string torch_failure;  // the last line of why not
    std::string headers;        // the folder of Python.h, which torch.compile needs; empty: not there
};

// Starts it and imports what KForge needs: seconds, because of torch.
PythonReport check_python(const fs::path& program);

}  // namespace kforge
