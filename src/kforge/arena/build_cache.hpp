// BuildCache: what a candidate had built when it was loaded, for the next time that the same candidate is
// loaded. Found by the content of the candidate and its toolchain, so a candidate can only ever meet what it
// made itself; written by the trusted side alone, from a player that stands still.
#pragma once

#include <string>

#include "kforge/util/fs.hpp"

namespace kforge {

class BuildCache {
  public:
    explicit BuildCache(fs::path cache) : m_folder(cache.empty() ? cache : cache / "builds") {}

    // The files that were kept under this key; empty: there are none.
    fs::path find(const std::string& key) const;
    // Copies the plain files below `scratch` (a path that may lead through /proc/PID/root). Links, devices
    // and what is too large are left out; when anything goes wrong nothing is kept.
    void keep(const std::string& key, const fs::path& scratch) const;

  private:
    fs::path m_folder;
};

}  // namespace kforge
