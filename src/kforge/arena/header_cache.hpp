// HeaderCache: PyTorch's C++ headers, precompiled once for each set of compiler flags that candidates use in
// load_inline. They take most of the time of such a build. Only the trusted side writes the cache: players
// read it through CPATH, and a compiler whose flags differ ignores it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kforge/util/fs.hpp"
#include "kforge/util/process.hpp"

namespace kforge {

// Names the C++ compiler that candidates find: another version has another name. Empty: there is none.
std::string compiler_identity();

// Does it build with load_inline, and without what our torch/extension.h leaves out?
bool builds_inline(const std::string& candidate);

// The flags of each load_inline call for which the precompiled header can serve. Empty: there is none, or it
// cannot be told from the source what it will be built with.
std::vector<std::vector<std::string>> inline_build_flags(const std::string& candidate);

class HeaderCache {
  public:
    struct Toolchain {
        std::string torch;                  // version
        std::string standard;               // "c++20", as load_inline asks for
        std::vector<std::string> includes;  // folders that load_inline names
        Environment environment;            // of the compiler
    };

    // `headers` holds torch/extension.h, the header to precompile. An empty `cache` means none.
    HeaderCache(fs::path cache, fs::path headers)
        : m_cache(std::move(cache)), m_headers(std::move(headers)) {}

    // Makes what the candidate needs, unless it is there, which takes half a minute. Failure is no error: the
    // candidate builds without. An Error only for an interrupt.
    Result<void> prepare(const std::string& candidate, const Toolchain& toolchain);
    // For CPATH; empty when nothing was prepared.
    const fs::path& folder() const { return m_folder; }
    // Also for CPATH: the header as text, and a script for nvcc, which knows no precompiled headers.
    const fs::path& as_text() const { return m_headers; }

  private:
    Result<void> precompile(const fs::path& target, const std::vector<std::string>& flags,
                            const Toolchain& toolchain);
    fs::path m_cache;
    fs::path m_headers;
    fs::path m_folder;
};

}  // namespace kforge
