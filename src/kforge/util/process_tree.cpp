// Finding and killing everything a process started: by session, group and parent, read from /proc.
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <map>
#include <sstream>

#include "kforge/util/fs.hpp"
#include "kforge/util/live_children.hpp"
#include "kforge/util/process.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

constexpr auto k_stop_limit = 500ms;
constexpr auto k_kill_limit = 5s;

struct ProcessEntry {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    pid_t session = 0;
    bool alive = false;
    bool stopped = false;  // its first thread
    int threads = 0;
    unsigned long long start = 0;  // with the pid, the identity of a process
};

std::optional<ProcessEntry> read_entry(const std::string& folder, pid_t pid) {
    Fd fd(::open((folder + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
    char text[1024];
    const ssize_t size = fd ? ::read(fd.get(), text, sizeof text - 1) : -1;
    if (size <= 0) return std::nullopt;
    const std::string_view all(text, static_cast<size_t>(size));
    const size_t after_name = all.rfind(')');  // the name itself may hold anything
    if (after_name == std::string_view::npos) return std::nullopt;
    std::istringstream fields{std::string(all.substr(after_name + 1))};
    ProcessEntry entry{pid};
    char state = 0;
    fields >> state >> entry.parent >> entry.group >> entry.session;
    std::string skipped;
    for (int i = 7; i < 20; ++i) fields >> skipped;
    fields >> entry.threads >> skipped >> entry.start;
    const bool ended = state == 'Z' || state == 'X';
    // A process whose first thread has ended shows as a zombie while the others go on.
    entry.alive = !ended || entry.threads > 1;
    entry.stopped = ended || state == 'T' || state == 't';
    return fields ? std::optional(entry) : std::nullopt;
}

std::optional<ProcessEntry> read_entry(pid_t pid) {
    return read_entry("/proc/", pid);
}

// The processes in /proc/, or the threads in the folder of one.
std::vector<ProcessEntry> read_entries(const std::string& folder) {
    std::vector<ProcessEntry> entries;
    DIR* listing = ::opendir(folder.c_str());
    if (listing == nullptr) return entries;
    while (const dirent* file = ::readdir(listing)) {
        const std::string_view name(file->d_name);
        pid_t pid = 0;
        const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (code != std::errc() || end != name.data() + name.size()) continue;
        if (const auto entry = read_entry(folder, pid)) entries.push_back(*entry);
    }
    ::closedir(listing);
    return entries;
}

std::vector<ProcessEntry> all_processes() {
    return read_entries("/proc/");
}

bool is_stopped(const ProcessEntry& process) {
    if (!process.stopped || process.threads <= 1) return process.stopped;
    const auto threads = read_entries("/proc/" + std::to_string(process.pid) + "/task/");
    return std::all_of(threads.begin(), threads.end(),
                       [](const ProcessEntry& thread) { return thread.stopped; });
}

// The processes that belong to `root`. Members are remembered, since one whose parent died can no longer be
// found through it.
class Family {
  public:
    explicit Family(pid_t root) : m_root(root) {}

    // Looks again; true when there are members that were not known.
    bool look() {
        m_current = all_processes();
        bool grown = false;
        for (bool changed = true; changed;) {
            changed = false;
            for (const ProcessEntry& entry : m_current) {
                if (entry.pid == ::getpid() || is_member(entry) || !belongs(entry)) continue;
                m_members[entry.pid] = entry.start;
                grown = changed = true;
            }
        }
        return grown;
    }

    // Sends the signal to each living member; false when there is none that it can reach.
    bool signal(int signal) const {
        bool reached = false;
        for (const ProcessEntry& entry : m_current)
            if (entry.alive && is_member(entry) && ::kill(entry.pid, signal) == 0) reached = true;
        return reached;
    }

    // Whether no member can start another process any more. The signal alone does not say so: one that is in
    // the middle of a fork ends it first.
    bool is_at_rest() const {
        return std::none_of(m_current.begin(), m_current.end(), [&](const ProcessEntry& entry) {
            return entry.alive && is_member(entry) && !is_stopped(entry);
        });
    }

    // Members that became children of this process by losing their parent have nobody else to reap them.
    void reap_adopted() const {
        for (const ProcessEntry& entry : m_current)
            if (!entry.alive && entry.pid != m_root && entry.parent == ::getpid() && is_member(entry) &&
                !is_listed(entry.pid))
                ::waitpid(entry.pid, nullptr, WNOHANG);
    }

  private:
    bool is_member(const ProcessEntry& entry) const {
        const auto found = m_members.find(entry.pid);
        return found != m_members.end() && found->second == entry.start;
    }
    bool belongs(const ProcessEntry& entry) const {
        return entry.pid == m_root || entry.session == m_root || entry.group == m_root ||
               m_members.count(entry.parent) != 0;
    }

    const pid_t m_root;
    std::map<pid_t, unsigned long long> m_members;
    std::vector<ProcessEntry> m_current;
};

void pause_for(std::chrono::microseconds time) {
    const timespec span{0, std::chrono::nanoseconds(time).count()};
    ::nanosleep(&span, nullptr);
}

// What is killed does not take long to end.
template <typename Done>
void await(Done done) {
    const auto deadline = std::chrono::steady_clock::now() + k_kill_limit;
    for (auto pause = 100us; !done() && std::chrono::steady_clock::now() < deadline;
         pause = std::min(pause * 2, 10'000us))
        pause_for(pause);
}

bool is_alive(pid_t pid) {
    const std::optional<ProcessEntry> entry = read_entry(pid);
    return entry && entry->alive;
}

}  // namespace

bool descends_from(pid_t pid, pid_t ancestor) {
    for (std::optional<ProcessEntry> entry = read_entry(pid); entry; entry = read_entry(entry->parent)) {
        if (entry->parent == ancestor) return true;
        if (entry->parent <= 1) return false;
    }
    return false;
}

bool heads_a_namespace(pid_t pid) {
    const Result<std::string> status = read_file("/proc/" + std::to_string(pid) + "/status");
    const size_t begin = status.ok() ? status->find("\nNSpid:") : std::string::npos;
    return begin != std::string::npos && status->substr(0, status->find('\n', begin + 1)).ends_with("\t1");
}

void kill_process_tree(pid_t pid) {
    if (pid <= 1 || pid == ::getpid()) return;
    if (heads_a_namespace(pid)) {
        // The kernel ends all others in there before this one has ended.
        ::kill(pid, SIGKILL);
        await([&] { return !is_alive(pid); });
        return;
    }
    Family family(pid);
    // Stopped processes start no others: what is known when all rest and nothing new turns up is all there
    // is.
    const auto stop_deadline = std::chrono::steady_clock::now() + k_stop_limit;
    for (bool complete = false; !complete && std::chrono::steady_clock::now() < stop_deadline;) {
        const bool at_rest = family.is_at_rest();
        if (!at_rest && !family.signal(SIGSTOP)) break;
        if (!at_rest) ::sched_yield();
        complete = !family.look() && at_rest;
    }
    ::kill(-pid, SIGKILL);  // also where /proc cannot be read
    ::kill(pid, SIGKILL);
    await([&] {
        family.look();
        return !family.signal(SIGKILL);
    });
    family.reap_adopted();
}

void become_subreaper() {
    // What this process had before (a shell may have started jobs and then exec'ed us) is not ours to kill.
    for (const ProcessEntry& entry : all_processes())
        if (entry.parent == ::getpid()) list_child(entry.pid);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

int reap_orphans() {
    int subreaper = 0;
    if (::prctl(PR_GET_CHILD_SUBREAPER, &subreaper) != 0 || subreaper == 0) return 0;
    int killed = 0;
    // Killing one may hand its children over to us.
    for (bool again = true; again;) {
        again = false;
        for (const ProcessEntry& entry : all_processes()) {
            if (entry.parent != ::getpid() || is_listed(entry.pid)) continue;
            // A child that its owner reaped since we looked is not listed either, but it is gone.
            const auto current = read_entry(entry.pid);
            if (!current || current->start != entry.start) continue;
            if (current->alive) {
                kill_process_tree(entry.pid);
                ++killed;
            }
            if (::waitpid(entry.pid, nullptr, WNOHANG) == entry.pid) again = true;
        }
    }
    return killed;
}

}  // namespace kforge
