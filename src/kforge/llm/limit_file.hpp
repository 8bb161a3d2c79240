// LimitFile: a LimitState that all processes of this user on this machine share, in a small file of the cache
// folder. The file's name is made of hashes and it holds numbers only: no address, no key. What cannot be
// read, written or locked is no reason to stop: then the process goes on with what it knows. Thread-safe.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "kforge/llm/limit_state.hpp"
#include "kforge/util/fs.hpp"

namespace kforge {

class LimitFile {
  public:
    // An empty path: nothing is shared.
    explicit LimitFile(fs::path file = {}) : m_file(std::move(file)) {}
    // The file for this server, LLM and key; a new one with every start of the machine, because the steady
    // clock starts anew.
    static fs::path path_for(const std::string& server, std::uint32_t key_hash);

    // Runs `change` on the state while nobody else does. `change` must not wait.
    void with(const std::function<void(LimitState&, Moment now)>& change);

  private:
    const fs::path m_file;
    std::mutex m_mutex;
    LimitState m_known;  // as this process last saw it
    Clock::time_point m_alone_until;
};

}  // namespace kforge
