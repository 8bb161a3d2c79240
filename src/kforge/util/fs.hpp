// Files: whole-file reads, durable atomic writes, temporary folders. Knows nothing of what is in them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "kforge/util/result.hpp"

namespace kforge {

namespace fs = std::filesystem;

Result<std::string> read_file(const fs::path& path);

// Write to a temporary name in the same folder, fsync, rename, fsync the folder: after a crash the file is
// either the old one or the whole new one. Creates missing parent folders.
Result<void> write_file_durable(const fs::path& path, std::string_view content);

Result<void> make_directories(const fs::path& path);

// An io error where the disk of `folder` has not that many bytes left for this user.
Result<void> require_room(const fs::path& folder, size_t bytes);

// Makes the names in a folder durable (their content is not its business).
Result<void> sync_directory(const fs::path& folder);

// Removes all but the `count` entries of a folder that were written last. Best effort.
void keep_newest(const fs::path& folder, size_t count);

// False also for what cannot be looked at.
bool is_folder(const fs::path& path);

// The real path of the running executable.
fs::path executable_path();

// A library of KForge's own, by its file name: beside the executable, or in the lib folder next to the
// executable's. An Error environment when it is in neither.
Result<fs::path> find_own_library(const fs::path& executable, const std::string& name);

// A folder with an unguessable name below `parent`, removed with everything in it on destruction.
class TemporaryDirectory {
  public:
    static Result<TemporaryDirectory> create(const fs::path& parent, std::string_view prefix);
    TemporaryDirectory(TemporaryDirectory&& other) noexcept;
    TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
    ~TemporaryDirectory();
    const fs::path& path() const { return m_path; }

  private:
    explicit TemporaryDirectory(fs::path path) : m_path(std::move(path)) {}
    fs::path m_path;
};

}  // namespace kforge
