#include "kforge/store/run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

std::string describe_this_process() {
    char host[256] = "";
    ::gethostname(host, sizeof host - 1);
    return fmt::format("process {} on {}", ::getpid(), host);
}

}  // namespace

Result<Fd> lock_run(const fs::path& folder) {
    const fs::path file = folder / k_lock_name;
    const auto failed = [&] {
        return Error{ErrorKind::io,
                     fmt::format("cannot lock {}: {}; to write a run its folder must be writable",
                                 file.string(), std::strerror(errno))};
    };
    Fd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!fd) return failed();
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return failed();
        const std::string holder(trim(sanitize(read_file(file).value_or(""))));
        return Error{ErrorKind::usage,
                     fmt::format("{} is in use by {}: wait until it ends, or stop it", folder.string(),
                                 holder.empty() ? "another process" : holder)};
    }
    // Only for the message above: a full disk must not keep anyone from a run.
    const std::string holder = describe_this_process() + "\n";
    if (::ftruncate(fd.get(), 0) != 0 || ::pwrite(fd.get(), holder.data(), holder.size(), 0) < 0) return fd;
    return fd;
}

}  // namespace kforge
