// RunDirectory: everything a run ever knew, in files a person can read and move. One writer at a time (lock);
// every write is durable and atomic; the journal is append-only and the source of truth for resume.
// Knows nothing of verdicts or LLMs: it stores text and JSON under the names of design.md.
#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kforge/util/fd.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

struct Event {
    long sequence = 0;
    std::string time;   // UTC, RFC 3339 with milliseconds
    std::string type;   // "run_started", "llm_answered", ...
    int iteration = 0;  // 0: the whole run
    nlohmann::json fields = nlohmann::json::object();
};

class RunDirectory {
  public:
    // Makes a new run; fails (usage) when `path` already holds something. `run_toml` is the frozen
    // configuration.
    static Result<std::unique_ptr<RunDirectory>> create(const fs::path& path, const std::string& run_toml,
                                                        const std::string& problem);
    // Opens for writing: takes the lock (another writer: usage error that says who holds it), reads the
    // journal, cuts off a torn last line. A foreign or corrupt journal is a config error that names the line.
    static Result<std::unique_ptr<RunDirectory>> open(const fs::path& path);
    // Reads the journal without the lock, for reports; a torn last line is ignored.
    static Result<std::vector<Event>> read_journal(const fs::path& path);

    const fs::path& path() const { return m_path; }
    fs::path iteration_path(int iteration) const;  // <path>/iterations/03

    // Relative names, e.g. write(3, "candidate.py", text); iteration 0 is the run's own folder.
    Result<void> write(int iteration, const std::string& name, std::string_view content);
    Result<std::string> read(int iteration, const std::string& name) const;
    bool has(int iteration, const std::string& name) const;

    // Appends one event and syncs it to disk before returning. Thread-safe.
    Result<void> append(const std::string& type, int iteration,
                        nlohmann::json fields = nlohmann::json::object());
    // The latest event of that type and iteration, if any. Thread-safe.
    std::optional<Event> find(const std::string& type, int iteration) const;
    std::vector<Event> events() const;

  private:
    RunDirectory() = default;
    fs::path m_path;
    Fd m_lock;
    Fd m_journal;
    mutable std::mutex m_mutex;
    std::vector<Event> m_events;
};

}  // namespace kforge
