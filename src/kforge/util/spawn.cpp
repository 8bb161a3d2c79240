#include "kforge/util/spawn.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>

#include "kforge/util/live_children.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr int k_first_inherited = 3;
constexpr std::string_view k_default_path = "/usr/local/bin:/usr/bin:/bin";

// PR_SET_PDEATHSIG fires when the thread that forked ends, not when the process does. Callers' threads may
// end long before their children, so every fork happens on one thread that lasts as long as the process.
class ForkThread {
  public:
    static ForkThread& instance() {
        static std::mutex mutex;
        static ForkThread* current = nullptr;  // never freed: its thread uses it to the end
        const std::lock_guard lock(mutex);
        // A forked copy of this process has the object but not its thread.
        if (current == nullptr || current->m_owner != ::getpid()) current = new ForkThread;
        return *current;
    }

    pid_t run(const std::function<pid_t()>& job) {
        const std::lock_guard one_caller(m_callers);
        std::unique_lock lock(m_mutex);
        m_job = &job;
        m_changed.notify_all();
        m_changed.wait(lock, [&] { return m_job == nullptr; });
        return m_result;
    }

  private:
    ForkThread() : m_owner(::getpid()) {
        // Inherited from a parent that ignores it, SIGCHLD would make the kernel forget how children ended.
        ::signal(SIGCHLD, SIG_DFL);
        std::thread([this] { serve(); }).detach();
    }

    [[noreturn]] void serve() {
        // No handler of this process may run here, and so in no child before it has reset them.
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_changed.wait(lock, [&] { return m_job != nullptr; });
            m_result = (*m_job)();
            m_job = nullptr;
            m_changed.notify_all();
        }
    }

    const pid_t m_owner;
    std::mutex m_callers;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    const std::function<pid_t()>* m_job = nullptr;
    pid_t m_result = 0;
};

enum class Step { descriptors, directory, exec };
struct Failure {
    Step step;
    int code;
};

// All that the child needs, allocated before the fork: after it only async-signal-safe calls are allowed.
struct Image {
    std::string program;
    std::vector<char*> argv;
    std::vector<char*> envp;
    std::string directory;
    std::vector<int> descriptors;  // what becomes 0, 1, 2, 3, ...
    int report = -1;               // close-on-exec; carries a Failure
    int descriptor_limit = 0;
    bool keeps_orphans = false;
    pid_t parent = 0;
};

[[noreturn]] void fail(const Image& image, Step step) {
    const Failure failure{step, errno};
    if (::write(image.report, &failure, sizeof failure) < 0) ::_exit(126);
    ::_exit(127);
}

void close_on_exec_from(int first, int limit) {
    if (::syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
    for (int fd = first; fd < limit; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

// Two passes, because a source may sit where another one has to go.
void place_descriptors(Image& image) {
    const int count = static_cast<int>(image.descriptors.size());
    const int report = ::fcntl(image.report, F_DUPFD_CLOEXEC, count);
    if (report < 0) fail(image, Step::descriptors);
    image.report = report;
    for (int& fd : image.descriptors)
        if ((fd = ::fcntl(fd, F_DUPFD_CLOEXEC, count)) < 0) fail(image, Step::descriptors);
    for (int i = 0; i < count; ++i)
        if (::dup2(image.descriptors[static_cast<size_t>(i)], i) < 0) fail(image, Step::descriptors);
    close_on_exec_from(count, image.descriptor_limit);
}

void reset_signals() {
    // By system call: the C library hides signals 32 and 33, which its own posix_spawn leaves ignored. Zeros
    // are SIG_DFL without flags; the structure is larger than the kernel's on every architecture.
    const unsigned long action[8] = {};
    constexpr size_t k_kernel_signals = 64;
    for (size_t signal = 1; signal <= k_kernel_signals; ++signal)
        ::syscall(SYS_rt_sigaction, signal, action, nullptr, k_kernel_signals / 8);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become(Image& image) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != image.parent) ::_exit(127);  // it died before the line above
    ::setsid();
    if (image.keeps_orphans) ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    place_descriptors(image);
    reset_signals();
    if (!image.directory.empty() && ::chdir(image.directory.c_str()) != 0) fail(image, Step::directory);
    ::execve(image.program.c_str(), image.argv.data(), image.envp.data());
    fail(image, Step::exec);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
    result.push_back(nullptr);
    return result;
}

Error cannot_start(std::string_view name, std::string_view why) {
    return Error{ErrorKind::environment, fmt::format("cannot start {}: {}", name, why)};
}

std::string describe(const Failure& failure, const Image& image) {
    const std::string reason = std::strerror(failure.code);
    if (failure.step == Step::descriptors) return "its descriptors cannot be set up: " + reason;
    if (failure.step == Step::directory)
        return fmt::format("cannot enter the folder {}: {}", image.directory, reason);
    if (failure.code == ENOEXEC) return reason + " (a script needs a first line such as #!/bin/sh)";
    if (failure.code == ENOENT && ::access(image.program.c_str(), F_OK) == 0)
        return reason + " (the interpreter it asks for is not there)";
    return reason;
}

int descriptor_limit() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1 << 16));
}

}  // namespace

Result<std::string> find_program(const std::string& name, const Environment& environment) {
    if (name.empty()) return cannot_start("a program", "its name is empty");
    if (name.find('/') != std::string::npos) return fs::absolute(name).string();
    std::string path(k_default_path);
    for (const std::string& variable : environment)
        if (variable.rfind("PATH=", 0) == 0) path = variable.substr(5);
    bool forbidden = false;
    for (const std::string& folder : split(path, ':')) {
        if (folder.empty()) continue;
        const std::string candidate = fs::absolute(fs::path(folder) / name).string();
        struct stat info {};
        if (::stat(candidate.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
        if (::access(candidate.c_str(), X_OK) == 0) return candidate;
        forbidden = true;
    }
    return cannot_start(name, forbidden ? "the file found in PATH is not executable" : "not found in PATH");
}

Result<pid_t> spawn(const SpawnPlan& plan) {
    if (plan.argv.empty()) return cannot_start("a program", "no command was given");
    const std::string& name = plan.argv.front();
    Image image;
    TRY_ASSIGN(image.program, find_program(name, plan.environment));
    image.argv = pointers(plan.argv);
    image.envp = pointers(plan.environment);
    image.directory = plan.directory.string();
    image.descriptors.assign(plan.standard, plan.standard + k_first_inherited);
    image.descriptors.insert(image.descriptors.end(), plan.inherited.begin(), plan.inherited.end());
    image.descriptor_limit = descriptor_limit();
    image.keeps_orphans = plan.keeps_orphans;
    image.parent = ::getpid();

    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return cannot_start(name, std::strerror(errno));
    Fd from_child(ends[0]), to_parent(ends[1]);
    image.report = to_parent.get();

    const std::function<pid_t()> fork_child = [&image]() -> pid_t {
        const pid_t pid = ::fork();
        if (pid == 0) become(image);
        return pid < 0 ? -errno : pid;
    };
    pid_t pid = 0;
    try {
        ForkThread& thread = ForkThread::instance();
        pid = start_listed([&] { return thread.run(fork_child); });
    } catch (const std::system_error& no_thread) {
        return cannot_start(name, no_thread.what());
    }
    if (pid < 0) return cannot_start(name, std::strerror(-pid));

    to_parent.reset();
    Failure failure{};
    ssize_t got = 0;
    do got = ::read(from_child.get(), &failure, sizeof failure);
    while (got < 0 && errno == EINTR);
    if (got != sizeof failure) return pid;
    siginfo_t ended{};
    while (::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    reap_listed(pid);
    return cannot_start(name, describe(failure, image));
}

}  // namespace kforge
