#include "kforge/util/fs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

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

Result<void> make_directories(const fs::path& path) {
    std::error_code failure;
    fs::create_directories(path, failure);
    if (failure)
        return Error{ErrorKind::io, fmt::format("cannot create {}: {}", path.string(), failure.message())};
    return {};
}

Result<void> write_file_durable(const fs::path& path, std::string_view content) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    TRY(make_directories(folder));
    const fs::path temporary = folder / fmt::format(".{}.{}.tmp", path.filename().string(), ::getpid());
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
    if (::rename(temporary.c_str(), path.c_str()) != 0) {
        const Error error = io_error("write", path);
        ::unlink(temporary.c_str());
        return error;
    }
    Fd directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory) ::fsync(directory.get());
    return {};
}

fs::path executable_path() {
    std::error_code failure;
    fs::path path = fs::read_symlink("/proc/self/exe", failure);
    return failure ? fs::path("kforge") : path;
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
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

}  // namespace kforge
