#include "kforge/arena/gpu_turn.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "kforge/util/fs.hpp"
#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

constexpr auto k_lock_interval_us = 20'000;
// Nothing that another user may have put there is followed, or waited for.
constexpr int k_lock_flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

// Appears under its name with the rights that it is to have: were they set later, another user who comes in
// between would be refused. Never opened with O_CREAT: the kernel refuses that for the files of others in a
// folder that all may write to (fs.protected_regular). False, with errno, when there can be none.
bool make_for_all(const fs::path& path) {
    std::string draft = path.string() + ".XXXXXX";
    const Fd file(::mkostemp(draft.data(), O_CLOEXEC));
    if (!file) return false;
    const bool made = ::fchmod(file.get(), 0666) == 0 &&  // whatever the umask
                      (::link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST);
    const int error = errno;
    ::unlink(draft.c_str());
    errno = error;
    return made;
}

Fd open_for_all(const fs::path& path) {
    Fd file(::open(path.c_str(), k_lock_flags));
    if (!file && errno == ENOENT && make_for_all(path)) file = Fd(::open(path.c_str(), k_lock_flags));
    struct stat status {};
    if (file && ::fstat(file.get(), &status) == 0 && !S_ISREG(status.st_mode)) {
        file = Fd();
        errno = EEXIST;
    }
    return file;
}

}  // namespace

Result<GpuTurn> GpuTurn::take(const std::string& uuid) {
    const fs::path path = fs::path(k_folder) / fmt::format("kforge-{}.lock", uuid);
    const auto failed = [&](const char* doing) {
        return Error{ErrorKind::environment,
                     fmt::format("cannot {} {}, by which the users of one GPU take turns: {}. It must be a "
                                 "file that all may write to, in a folder of mode 1777: have its owner "
                                 "remove it",
                                 doing, path.string(), std::strerror(errno))};
    };
    Fd file = open_for_all(path);
    if (!file) return failed("open");
    while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) return failed("lock");
        if (interrupted()) return interrupted_error();
        ::usleep(k_lock_interval_us);
    }
    ::futimens(file.get(), nullptr);  // old files are the first to be cleaned away
    return GpuTurn(std::move(file));
}

}  // namespace kforge
