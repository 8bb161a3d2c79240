// What the rest of KForge knows of the jail: where its library is, and what it promises on this machine. The
// jail itself is inside/, a library that a player calls on itself (see inside/kforge_jail.h).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

struct BrokenPromise {
    std::string promise;  // "no process is left behind"
    std::string why;      // "pid: this user may not create user namespaces: Operation not permitted"
};

struct JailReport {
    std::map<std::string, std::string> layers;  // "ok" or "missing: why"
    std::vector<BrokenPromise> broken;
    std::vector<std::string> notes;
};

// From the JSON of kf_jail_enter.
Result<JailReport> parse_jail_report(std::string_view json);

// See find_own_library.
Result<fs::path> find_jail_library(const fs::path& executable);

// Lets a throwaway player enter the jail. `python` is any interpreter; `python_path` holds kforge_arena.
Result<JailReport> probe_jail(const fs::path& library, const fs::path& python, const fs::path& python_path);

}  // namespace kforge
