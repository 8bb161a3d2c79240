// HeaderCache: PyTorch's C++ headers, precompiled once for each set of compiler flags that candidates use in
// load_inline. They take most of the time of such a build. Only the trusted side writes the cache: players
// read it through CPATH, and a compiler whose flags differ ignores it.
#pragma once

#include <optional>
#include <set>
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

// Does it name nothing of PyTorch's C++ beyond tensors, dispatch, threads and these operations?
bool needs_little(const std::string& candidate, const std::set<std::string>& operations);

// Whether the compiler's errors can come from a header that offers less than those in `includes` do.
bool lacks_header(const std::string& errors, const std::vector<std::string>& includes);

class HeaderCache {
  public:
    struct Toolchain {
        std::string torch;                  // version
        std::string standard;               // "c++20", as load_inline asks for
        std::vector<std::string> includes;  // folders that load_inline names
        Environment environment;            // of the compiler
    };

    // `headers` holds torch/extension.h, the header to precompile, and kernels/torch/extension.h, a part of
    // it (with tensors/torch/types.h) that most candidates can do with. An empty `cache` means none.
    HeaderCache(fs::path cache, fs::path headers)
        : m_cache(std::move(cache)), m_headers(std::move(headers)) {}

    // Makes what the candidate needs, unless it is there, which takes up to half a minute. Failure is no
    // error: the candidate builds without. An Error only for an interrupt.
    Result<void> prepare(const std::string& candidate, const Toolchain& toolchain);
    // For a candidate that a part of the headers was not enough for, against all appearances: from now on it
    // gets all. False: it had all.
    bool give_all(const std::string& candidate);
    // For CPATH; empty when nothing was prepared.
    const fs::path& folder() const { return m_folder; }
    // Also for CPATH: the header as text, and a script for nvcc, which knows no precompiled headers.
    const fs::path& as_text() const { return m_headers; }

  private:
    struct Header {
        fs::path file;
        std::vector<fs::path> includes;
        std::string text;  // of all of ours that is in it
    };
    Result<Header> choose(const std::string& candidate) const;
    Result<void> precompile(const Header& header, const fs::path& target,
                            const std::vector<std::string>& flags, const Toolchain& toolchain);
    fs::path m_cache;
    fs::path m_headers;
    fs::path m_folder;
    std::set<std::string> m_need_all;
};

}  // namespace kforge
