#include "kforge/llm/shared_pause.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>

#include "kforge/util/fd.hpp"
#include "kforge/util/process.hpp"

namespace kforge {
namespace {

// A moment further away is damage, or a wait that suspends a run anyway.
constexpr std::chrono::minutes k_longest_pause{10};

fs::path cache_folder() {
    const Environment cache = inherit_environment({"XDG_CACHE_HOME"});
    if (!cache.empty() && cache[0].size() > 15) return cache[0].substr(15);
    const Environment home = inherit_environment({"HOME"});
    return home.empty() || home[0].size() <= 5 ? fs::path() : fs::path(home[0].substr(5)) / ".cache";
}

long long milliseconds_of(SharedPause::Wall::time_point when) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(when.time_since_epoch()).count();
}

long long read_moment(int fd) {
    char text[32] = "";
    const ssize_t size = ::pread(fd, text, sizeof text - 1, 0);
    return size > 0 ? std::atoll(text) : 0;
}

}  // namespace

SharedPause SharedPause::of(const std::string& server, const std::string& key_name) {
    const fs::path cache = cache_folder();
    if (!cache.is_absolute()) return SharedPause();
    uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a: the same in every process
    for (const char c : server + "\n" + key_name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return SharedPause(cache / "kforge" / "pauses" / fmt::format("{:016x}", hash));
}

std::optional<SharedPause::Wall::time_point> SharedPause::until(Wall::time_point now) const {
    if (m_file.empty()) return std::nullopt;
    const Fd fd(::open(m_file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return std::nullopt;
    const Wall::time_point moment{std::chrono::milliseconds(read_moment(fd.get()))};
    if (moment <= now || moment > now + k_longest_pause) return std::nullopt;
    return moment;
}

void SharedPause::extend(Wall::time_point until) const {
    if (m_file.empty() || !make_directories(m_file.parent_path()).ok()) return;
    const Fd fd(::open(m_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!fd || ::flock(fd.get(), LOCK_EX) != 0) return;
    if (read_moment(fd.get()) >= milliseconds_of(until)) return;
    // One write of a fixed length: a reader sees the old moment or the new one.
    const std::string text = fmt::format("{:020}\n", milliseconds_of(until));
    if (::pwrite(fd.get(), text.data(), text.size(), 0) < 0) return;
}

}  // namespace kforge
