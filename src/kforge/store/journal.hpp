// The lines of journal.jsonl: one JSON object each, {"seq","time","event","iteration",...fields}.
// Internal to the store. Knows the form of a journal and its first line, not what the events mean.
#pragma once

#include "kforge/store/run_directory.hpp"

namespace kforge {

inline constexpr int k_journal_version = 1;
inline constexpr const char* k_journal_name = "journal.jsonl";

// The fields of the first event, "run_started", by which a journal is known.
nlohmann::json journal_header(const std::string& run_name);

struct Journal {
    std::vector<Event> events;
    size_t whole_bytes = 0;  // where a torn last line begins; the whole text when there is none
};

// Error config, with the file and line, for anything but a torn last line.
Result<Journal> parse_journal(std::string_view text, const fs::path& file);

// Reads and parses `folder`'s journal; says what is wrong when the folder is no run, or not a complete one.
Result<Journal> load_journal(const fs::path& folder);

// Appends one event, synced, and returns it as a reader will see it. A write that fails leaves the file as
// it was; where even that is impossible `fd` is closed, so that nothing can follow a torn line.
Result<Event> append_event(Fd& fd, const fs::path& file, long sequence, const std::string& type,
                           int iteration, const nlohmann::json& fields);

}  // namespace kforge
