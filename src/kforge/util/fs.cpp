#include "kforge/util/fs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kforge/util/failpoint.hpp"
#include "kforge/util/fd.hpp"

namespace kforge {
namespace {

Error io_error(std::string_view what, const fs::path& path) {
    return Error{ErrorKind::io, fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno))};
}

Result<void> write_all(int fd, std::string_view content, const fs::path& path) {
    while (!content.empty()) {
        const ssize_t n = ::write(fd, content.data(), content.size());
        if (n < 0) {
            if (errno == EINTR) continue;
            return io_error("write", path);
        }
        content.remove_prefix(static_cast<size_t>(n));
    }
    return {};
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Folders that their owner made unreadable keep an ordinary user from removing what is in them.
void open_up(const fs::path& folder) {
    ::chmod(folder.c_str(), 0700);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.symlink_status(ignored).type() == fs::file_type::directory) open_up(entry.path());
}

}  // namespace

Result<std::string> read_file(const fs::path& path) {
    Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return io_error("read", path);
    struct stat info {};
    if (::fstat(fd.get(), &info) == 0 && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return io_error("read", path);
    }
    std::string content;
    content.reserve(static_cast<size_t>(info.st_size) + 1);
    char buffer[65536];
    for (;;) {
        const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
        if (n == 0) return content;
        if (n < 0) {
            if (errno == EINTR) continue;
            return io_error("read", path);
        }
        content.append(buffer, static_cast<size_t>(n));
    }
}

Result<void> require_room(const fs::path& folder, size_t bytes) {
    struct statvfs space {};
    // A file system that cannot say has its say when it is written to.
    if (::statvfs(folder.c_str(), &space) != 0 || space.f_blocks == 0) return {};
    if (space.f_bavail >= bytes / space.f_frsize + 1) return {};
    errno = ENOSPC;
    return io_error("write more into", folder);
}

Result<void> sync_directory(const fs::path& folder) {
    Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // A folder that may not be listed, or a file system that does not sync folders, is no reason to fail.
    if (fd && ::fsync(fd.get()) != 0 && errno != EINVAL) return io_error("sync", folder);
    return {};
}

Result<void> make_directories(const fs::path& path) {
    std::error_code ignored;
    if (path.empty() || fs::is_directory(path, ignored)) return {};
    TRY(make_directories(path.parent_path()));
    if (::mkdir(path.c_str(), 0777) == 0) return sync_directory(folder_of(path));
    if (errno == EEXIST && fs::is_directory(path, ignored)) return {};
    return io_error("create", path);
}

Result<void> write_file_durable(const fs::path& path, std::string_view content) {
    const std::string name = path.filename().string();
    const fs::path folder = folder_of(path);
    failpoint("file.write.before", name);
    TRY(make_directories(folder));
    // Two threads may write the same file: the last one to rename wins, and both are whole.
    static std::atomic<unsigned> counter{0};
    const fs::path temporary = folder / fmt::format(".{}.{}-{}.tmp", name, ::getpid(), ++counter);
    {
        Fd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
        if (!fd) return io_error("write", path);
        Result<void> written = write_all(fd.get(), content, path);
        if (written.ok() && ::fsync(fd.get()) != 0) written = io_error("sync", path);
        if (!written.ok()) {
            ::unlink(temporary.c_str());
            return written;
        }
    }
    failpoint("file.write.rename", name);
    if (::rename(temporary.c_str(), path.c_str()) != 0) {
        const Error error = io_error("write", path);
        ::unlink(temporary.c_str());
        return error;
    }
    TRY(sync_directory(folder));
    failpoint("file.write.after", name);
    return {};
}

void keep_newest(const fs::path& folder, size_t count) {
    std::error_code ignored;
    std::vector<std::pair<fs::file_time_type, fs::path>> entries;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        entries.emplace_back(entry.last_write_time(ignored), entry.path());
    std::sort(entries.rbegin(), entries.rend());
    for (size_t i = count; i < entries.size(); ++i) fs::remove_all(entries[i].second, ignored);
}

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

fs::path executable_path() {
    std::error_code failure;
    fs::path path = fs::read_symlink("/proc/self/exe", failure);
    if (!failure) return path;
    // Where /proc is not mounted, the kernel's word for what it started.
    const char* started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    path = fs::canonical(started != nullptr ? started : "kforge", failure);
    return failure ? fs::path("kforge") : path;
}

Result<fs::path> find_own_library(const fs::path& executable, const std::string& name) {
    const fs::path folder = executable.parent_path();
    for (const fs::path& candidate :
         {folder, folder.parent_path() / "lib", folder.parent_path() / "lib/kforge"}) {
        std::error_code ignored;
        if (fs::exists(candidate / name, ignored)) return candidate / name;
    }
    return Error{ErrorKind::environment, fmt::format("{} is not beside {}: build or install it with KForge",
                                                     name, executable.string())};
}

Result<TemporaryDirectory> TemporaryDirectory::create(const fs::path& parent, std::string_view prefix) {
    TRY(make_directories(parent));
    std::string name = (parent / fmt::format("{}XXXXXX", prefix)).string();
    if (::mkdtemp(name.data()) == nullptr) return io_error("create a folder in", parent);
    return TemporaryDirectory(name);
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : m_path(std::exchange(other.m_path, {})) {}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept {
    std::swap(m_path, other.m_path);
    return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
    if (m_path.empty()) return;
    std::error_code failure;
    fs::remove_all(m_path, failure);
    if (!failure) return;
    open_up(m_path);
    fs::remove_all(m_path, failure);
}

}  // namespace kforge
