#include "kforge/store/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kforge/store/journal.hpp"
#include "kforge/store/run_lock.hpp"
#include "kforge/util/errors.hpp"

namespace kforge {
namespace {

// Absolute, so that the run's name is known and a change of folder does not matter.
fs::path normal(const fs::path& path) {
    const fs::path whole = fs::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

Result<void> check_vacant(const fs::path& path) {
    std::error_code failure;
    const auto status = fs::status(path, failure);
    if (!fs::exists(status)) return {};
    if (!fs::is_directory(status))
        return Error{ErrorKind::usage,
                     fmt::format("{} already exists and is no folder: choose another name", path.string())};
    for (const auto& entry : fs::directory_iterator(path, failure)) {
        if (entry.path().filename() == k_lock_name) continue;
        if (fs::exists(path / k_journal_name, failure))
            return Error{ErrorKind::usage,
                         fmt::format("{} already holds a run: continue it with 'kforge resume {}', or choose "
                                     "another folder",
                                     path.string(), path.string())};
        return Error{ErrorKind::usage,
                     fmt::format("{} already exists and is not empty: choose another folder", path.string())};
    }
    return {};
}

Result<fs::path> checked_name(const std::string& name) {
    const fs::path path(name);
    const bool inside = path.has_filename() && path.is_relative() &&
                        std::none_of(path.begin(), path.end(),
                                     [](const fs::path& part) { return part == ".." || part == "."; });
    if (!inside) return Error{ErrorKind::usage, fmt::format("'{}' is not a name for a file of a run", name)};
    return path;
}

// What write_file_durable() leaves when the process is killed in the middle of it.
void remove_unfinished_files(const fs::path& folder) {
    std::error_code ignored;
    std::vector<fs::path> unfinished;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.front() == '.' && entry.path().extension() == ".tmp" && entry.is_regular_file(ignored))
            unfinished.push_back(entry.path());
    }
    for (const fs::path& file : unfinished) fs::remove(file, ignored);
}

Result<Fd> open_journal(const fs::path& folder, int extra_flags) {
    const fs::path file = folder / k_journal_name;
    Fd fd(::open(file.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | extra_flags, 0644));
    if (!fd)
        return Error{ErrorKind::io, fmt::format("cannot write {}: {}", file.string(), std::strerror(errno))};
    return fd;
}

}  // namespace

Result<std::unique_ptr<RunDirectory>> RunDirectory::create(const fs::path& path, const std::string& run_toml,
                                                           const std::string& problem) {
    std::unique_ptr<RunDirectory> run(new RunDirectory);
    run->m_path = normal(path);
    TRY(check_vacant(run->m_path));
    TRY(make_directories(run->m_path));
    TRY_ASSIGN(run->m_lock, lock_run(run->m_path));
    TRY(check_vacant(run->m_path));  // another may have created it before the lock was ours

    const auto fill = [&]() -> Result<void> {
        TRY(write_file_durable(run->m_path / "problem.py", problem));
        TRY(write_file_durable(run->m_path / "run.toml", run_toml));
        TRY_ASSIGN(run->m_journal, open_journal(run->m_path, O_CREAT | O_EXCL));
        TRY_ASSIGN(Event event, append_event(run->m_journal, run->m_path / k_journal_name, 1, "run_started",
                                             0, journal_header(run->m_path.filename().string())));
        run->m_events.push_back(std::move(event));
        return sync_directory(run->m_path);
    };
    if (Result<void> filled = fill(); !filled.ok()) {
        std::error_code ignored;
        for (const char* name : {"problem.py", "run.toml", k_journal_name, k_lock_name})
            fs::remove(run->m_path / name, ignored);
        fs::remove(run->m_path, ignored);
        return filled.error();
    }
    return run;
}

Result<std::unique_ptr<RunDirectory>> RunDirectory::open(const fs::path& path) {
    std::unique_ptr<RunDirectory> run(new RunDirectory);
    run->m_path = normal(path);
    TRY(load_journal(run->m_path));  // before the lock, which would leave a file in a folder that is no run
    TRY_ASSIGN(run->m_lock, lock_run(run->m_path));
    TRY_ASSIGN(Journal journal, load_journal(run->m_path));
    TRY_ASSIGN(run->m_journal, open_journal(run->m_path, 0));
    if (::ftruncate(run->m_journal.get(), static_cast<off_t>(journal.whole_bytes)) != 0 ||
        ::fdatasync(run->m_journal.get()) != 0)
        return Error{ErrorKind::io,
                     fmt::format("cannot cut the torn last line off {}: {}",
                                 (run->m_path / k_journal_name).string(), std::strerror(errno))};
    remove_unfinished_files(run->m_path);
    run->m_events = std::move(journal.events);
    return run;
}

Result<std::vector<Event>> RunDirectory::read_journal(const fs::path& path) {
    TRY_ASSIGN(Journal journal, load_journal(normal(path)));
    return std::move(journal.events);
}

fs::path RunDirectory::iteration_path(int iteration) const {
    return iteration == 0 ? m_path : m_path / "iterations" / fmt::format("{:02}", iteration);
}

Result<void> RunDirectory::write(int iteration, const std::string& name, std::string_view content) {
    TRY_ASSIGN(const fs::path relative, checked_name(name));
    if (iteration == 0 && (relative == k_journal_name || relative == k_lock_name))
        throw InternalError(fmt::format("{} is written by the store alone", name));
    return write_file_durable(iteration_path(iteration) / relative, content);
}

Result<std::string> RunDirectory::read(int iteration, const std::string& name) const {
    TRY_ASSIGN(const fs::path relative, checked_name(name));
    return read_file(iteration_path(iteration) / relative);
}

bool RunDirectory::has(int iteration, const std::string& name) const {
    const auto relative = checked_name(name);
    std::error_code ignored;
    return relative.ok() && fs::is_regular_file(iteration_path(iteration) / *relative, ignored);
}

Result<void> RunDirectory::append(const std::string& type, int iteration, nlohmann::json fields) {
    const std::lock_guard lock(m_mutex);
    const long sequence = static_cast<long>(m_events.size()) + 1;
    auto event = append_event(m_journal, m_path / k_journal_name, sequence, type, iteration, fields);
    if (!event.ok()) return event.error();
    m_events.push_back(std::move(event).value());
    return {};
}

std::optional<Event> RunDirectory::find(const std::string& type, int iteration) const {
    const std::lock_guard lock(m_mutex);
    const auto found = std::find_if(m_events.rbegin(), m_events.rend(), [&](const Event& event) {
        return event.type == type && event.iteration == iteration;
    });
    return found == m_events.rend() ? std::nullopt : std::optional(*found);
}

std::vector<Event> RunDirectory::events() const {
    const std::lock_guard lock(m_mutex);
    return m_events;
}

}  // namespace kforge
