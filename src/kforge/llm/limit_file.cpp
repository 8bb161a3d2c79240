#include "kforge/llm/limit_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstring>
#include <thread>
#include <type_traits>

#include "kforge/util/fd.hpp"
#include "kforge/util/process.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// Who holds the lock keeps it for microseconds: one that does not let go is stopped or hangs on its disk.
// Then this process goes on alone for a while.
constexpr int k_lock_tries = 2000;
constexpr std::chrono::milliseconds k_between_tries{1};
constexpr std::chrono::seconds k_alone{60};
constexpr std::uint64_t k_file_kind = 0x31306b66'6c696d69;  // of this layout; another one begins otherwise
constexpr auto k_stale_after = std::chrono::hours(48);

struct Stored {
    std::uint64_t kind = k_file_kind;
    std::uint64_t checksum = 0;
    LimitState state;
};
static_assert(std::is_trivially_copyable_v<Stored>);
static_assert(sizeof(Stored) <= 4096, "one page: a write is seen whole");

std::uint64_t fnv(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325U) {
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

std::uint64_t checksum_of(const LimitState& state) {
    return fnv({reinterpret_cast<const char*>(&state), sizeof state});
}

fs::path cache_folder() {
    const Environment cache = inherit_environment({"XDG_CACHE_HOME"});
    if (!cache.empty() && cache[0].size() > 15) return cache[0].substr(15);
    const Environment home = inherit_environment({"HOME"});
    return home.empty() || home[0].size() <= 5 ? fs::path() : fs::path(home[0].substr(5)) / ".cache";
}

// Files of earlier starts of the machine. Nobody reads them any more.
void remove_stale(const fs::path& folder) {
    std::error_code ignored;
    const auto oldest = fs::file_time_type::clock::now() - k_stale_after;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        if (const auto written = entry.last_write_time(ignored); !ignored && written < oldest)
            fs::remove(entry.path(), ignored);
}

bool take_lock(int fd) {
    for (int tries = 0; tries < k_lock_tries; ++tries) {
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return false;
        std::this_thread::sleep_for(k_between_tries);
    }
    return false;
}

}  // namespace

fs::path LimitFile::path_for(const std::string& server, std::uint32_t key_hash) {
    const fs::path cache = cache_folder();
    if (!cache.is_absolute()) return {};
    const fs::path folder = cache / "kforge" / "limits";
    if (!make_directories(folder).ok()) return {};
    const std::string boot(trim(read_file("/proc/sys/kernel/random/boot_id").value_or("")));
    const fs::path path = folder / fmt::format("{:016x}-{:08x}", fnv(boot, fnv(server)), key_hash);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) remove_stale(folder);
    return path;
}

void LimitFile::with(const std::function<void(LimitState&, Moment now)>& change) {
    const std::lock_guard lock(m_mutex);
    const bool alone = m_file.empty() || Clock::now() < m_alone_until;
    const Fd fd(alone ? -1 : ::open(m_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    const bool shared = fd && take_lock(fd.get());  // the kernel lets go of it, even for one that was killed
    if (fd && !shared) m_alone_until = Clock::now() + k_alone;
    const Moment now = moment_of(Clock::now());
    if (shared) {
        Stored stored;
        const bool whole = ::pread(fd.get(), &stored, sizeof stored, 0) == sizeof stored &&
                           stored.kind == k_file_kind && stored.checksum == checksum_of(stored.state);
        m_known = whole ? stored.state : LimitState{};
    }
    m_known.mend(now);
    change(m_known, now);
    if (!shared) return;
    Stored stored;
    stored.state = m_known;
    stored.checksum = checksum_of(stored.state);
    // On a full disk nothing is shared: a damaged file is as good as none.
    [[maybe_unused]] const ssize_t written = ::pwrite(fd.get(), &stored, sizeof stored, 0);
}

}  // namespace kforge
