// SharedPause: until when all processes of this user leave one server alone, in a small file of the cache
// folder. It holds a moment and nothing else. What cannot be read or written is no reason to stop: then each
// process is on its own. Thread-safe by the file's lock.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "kforge/util/fs.hpp"

namespace kforge {

class SharedPause {
  public:
    using Wall = std::chrono::system_clock;

    // An empty path: nothing is shared.
    explicit SharedPause(fs::path file = {}) : m_file(std::move(file)) {}
    // The file for this server and this name of a key, in the user's cache folder.
    static SharedPause of(const std::string& server, const std::string& key_name);

    // When a pause is on that somebody, here or in another process, has asked for.
    std::optional<Wall::time_point> until(Wall::time_point now) const;
    void extend(Wall::time_point until) const;  // never shortens it

  private:
    fs::path m_file;
};

}  // namespace kforge
