// The one way to start a process. Children get exactly the environment and descriptors named here, their own
// session, and are killed with everything they started. Knows nothing of jails, Python or protocols.
// Thread-safe: several threads may start and wait for processes at once.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "kforge/util/fd.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

using Environment = std::vector<std::string>;  // "NAME=value"

// The variables of this process whose names are in `names` (a trailing '*' matches any ending).
Environment inherit_environment(const std::vector<std::string>& names);

// The program as a child with this environment would find it; Error environment when there is none.
Result<std::string> find_program(const std::string& name, const Environment& environment);

struct ExitStatus {
    int code = 0;    // when the process ended by itself
    int signal = 0;  // when it was killed
    bool success() const { return code == 0 && signal == 0; }
    std::string describe() const;  // "exit status 1", "signal 11 (SIGSEGV)"
};

struct ProcessSpec {
    std::vector<std::string> argv;  // argv[0] is looked up in PATH of `environment`, or is a path
    Environment environment;
    fs::path directory;  // empty: inherited
    std::string input;   // sent to standard input, then closed
    std::chrono::milliseconds timeout{60'000};
    size_t output_limit =
        4 << 20;  // bytes kept of standard output and of standard error; the rest is dropped
};

struct ProcessOutcome {
    ExitStatus status;
    bool timed_out = false;
    std::string out;
    std::string err;
};

// Runs to the end, the timeout or an interrupt (Error cancelled). A program that cannot be started is an
// Error environment; one that fails is an outcome. Nothing it started outlives the call.
Result<ProcessOutcome> run_process(const ProcessSpec& spec);

// A child that lives on: `inherited` descriptors appear in it as 3, 4, ... in that order. Standard input is
// /dev/null; standard output and error go to `log_fd`, or to /dev/null when it is negative.
struct ChildSpec {
    std::vector<std::string> argv;
    Environment environment;
    fs::path directory;
    std::vector<int> inherited;
    int log_fd = -1;
};

class Child {
  public:
    static Result<Child> start(const ChildSpec& spec);
    Child() = default;
    Child(Child&& other) noexcept;
    Child& operator=(Child&& other) noexcept;
    ~Child();  // kills the tree and reaps

    bool started() const { return m_pid > 0; }
    pid_t pid() const { return m_pid; }
    // Waits up to `limit`; nothing when it is still running then. What it left behind in its session is
    // killed. Once it has ended the answer stays the same.
    std::optional<ExitStatus> wait(std::chrono::milliseconds limit);
    void kill_tree();  // and reaps: afterwards wait() knows how it ended

  private:
    friend Result<ProcessOutcome> run_process(const ProcessSpec& spec);
    bool try_finish();
    pid_t m_pid = -1;
    std::optional<ExitStatus> m_status;  // set once it is reaped: from then on its pid may be another's
};

// Makes this process the reaper of orphaned descendants, so that nothing a child leaves behind escapes.
// Call once at start-up.
void become_subreaper();

// Whether `ancestor` is among the parents of `pid`.
bool descends_from(pid_t pid, pid_t ancestor);

// Whether it is the first process of a namespace of its own: with it, all others in there end.
bool heads_a_namespace(pid_t pid);

// Kills `pid`, its session and all that descends from it, and waits until the descendants are gone.
void kill_process_tree(pid_t pid);

// Kills and reaps orphans that fell to this process: descendants of children that daemonised themselves.
// Returns how many of them were still running. Children started through this header and those from before
// become_subreaper() are left alone. Does nothing in a process that is no subreaper.
int reap_orphans();

}  // namespace kforge
