#include "kforge/store/journal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>

#include "kforge/util/errors.hpp"
#include "kforge/util/failpoint.hpp"

namespace kforge {
namespace {

using nlohmann::json;

constexpr std::string_view k_format = "kforge-run";
constexpr std::string_view k_first_event = "run_started";
constexpr std::array k_own_keys = {"seq", "time", "event", "iteration"};

std::string utc_now() {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto since_epoch = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1,
                       utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, since_epoch.count() % 1000);
}

Error bad_line(const fs::path& file, size_t line, std::string_view what) {
    return Error{ErrorKind::config, fmt::format("{}:{}: {}", file.string(), line, what)};
}

constexpr std::string_view k_remedy = "restore the file from a copy, or start a new run";

Result<void> check_header(const json& line, const fs::path& file) {
    const bool ours = line.is_object() && line.value("event", json()) == k_first_event &&
                      line.value("format", json()) == k_format &&
                      line.value("version", json()).is_number_integer();
    if (!ours)
        return bad_line(file, 1,
                        fmt::format("this is not the journal of a KForge run (it has to begin with {}); {}",
                                    k_first_event, k_remedy));
    const long version = line["version"].get<long>();
    if (version > k_journal_version)
        return bad_line(file, 1,
                        fmt::format("written by a newer KForge (run format {}, this one knows up to {}): "
                                    "update KForge to continue this run",
                                    version, k_journal_version));
    return {};
}

Result<Event> to_event(json line, long expected, const fs::path& file, size_t number) {
    const bool well_formed = line.is_object() && line.value("seq", json()).is_number_integer() &&
                             line.value("time", json()).is_string() &&
                             line.value("event", json()).is_string() &&
                             line.value("iteration", json(0)).is_number_integer();
    if (!well_formed)
        return bad_line(file, number, fmt::format("not an event with seq, time and event; {}", k_remedy));
    Event event;
    event.sequence = line["seq"].get<long>();
    if (event.sequence != expected)
        return bad_line(
            file, number,
            fmt::format("event {} stands where event {} belongs: lines were lost, repeated or moved; {}",
                        event.sequence, expected, k_remedy));
    event.time = line["time"].get<std::string>();
    event.type = line["event"].get<std::string>();
    event.iteration = line.value("iteration", 0);
    for (const char* key : k_own_keys) line.erase(key);
    event.fields = std::move(line);
    return event;
}

std::string to_line(long sequence, const std::string& type, int iteration, const json& fields) {
    if (!fields.is_object()) throw InternalError(fmt::format("the fields of event {} are no object", type));
    nlohmann::ordered_json line = {{"seq", sequence}, {"time", utc_now()}, {"event", type}};
    if (iteration != 0) line["iteration"] = iteration;
    for (const char* key : k_own_keys)
        if (fields.contains(key))
            throw InternalError(fmt::format("event {} has a field named {}, which is taken", type, key));
    for (const auto& [key, value] : fields.items()) line[key] = value;
    // Text from outside may be broken UTF-8; a journal line must not fail for that.
    return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

json journal_header(const std::string& run_name) {
    return {{"format", k_format}, {"version", k_journal_version}, {"run", run_name}};
}

Result<Journal> parse_journal(std::string_view text, const fs::path& file) {
    Journal journal;
    for (size_t start = 0; start < text.size();) {
        const size_t end = text.find('\n', start);
        if (end == std::string_view::npos) break;
        const size_t number = journal.events.size() + 1;
        json line = json::parse(text.substr(start, end - start), nullptr, /*allow_exceptions=*/false);
        if (number == 1) {
            TRY(check_header(line, file));
        } else if (line.is_discarded()) {
            if (end + 1 == text.size()) break;
            return bad_line(file, number, fmt::format("not JSON; {}", k_remedy));
        }
        TRY_ASSIGN(Event event, to_event(std::move(line), static_cast<long>(number), file, number));
        journal.events.push_back(std::move(event));
        journal.whole_bytes = start = end + 1;
    }
    return journal;
}

Result<Journal> load_journal(const fs::path& folder) {
    const fs::path file = folder / k_journal_name;
    std::error_code ignored;
    const auto no_run = [&](std::string_view why) {
        return Error{ErrorKind::config, fmt::format("{} {}", folder.string(), why)};
    };
    constexpr std::string_view cut_off =
        "is no complete run: it was cut off while it was being created, before any work was done. "
        "Delete it and start the run again";
    if (!fs::is_directory(folder, ignored)) return no_run("is not a run directory: there is no such folder");
    if (!fs::exists(file, ignored)) {
        if (fs::exists(folder / "run.toml", ignored)) return no_run(cut_off);
        return no_run(fmt::format("is not a run directory: it has no {}", k_journal_name));
    }
    TRY_ASSIGN(const std::string text, read_file(file));
    TRY_ASSIGN(Journal journal, parse_journal(text, file));
    if (journal.events.empty()) return no_run(cut_off);
    return journal;
}

Result<Event> append_event(Fd& fd, const fs::path& file, long sequence, const std::string& type,
                           int iteration, const json& fields) {
    const std::string line = to_line(sequence, type, iteration, fields);
    const auto failed = [&](std::string_view why) {
        return Error{ErrorKind::io, fmt::format("cannot append to {}: {}", file.string(), why)};
    };
    if (!fd) return failed("an earlier write failed and could not be undone");
    failpoint("journal.append.before", type);
    struct stat before {};
    if (::fstat(fd.get(), &before) != 0) return failed(std::strerror(errno));
    errno = ENOSPC;  // what a short write means
    const bool written = ::write(fd.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
    if (!written || ::fdatasync(fd.get()) != 0) {
        const Error error = failed(std::strerror(errno));
        if (::ftruncate(fd.get(), before.st_size) != 0) fd.reset();
        return error;
    }
    failpoint("journal.append.after", type);
    return to_event(json::parse(line), sequence, file, static_cast<size_t>(sequence));
}

}  // namespace kforge
