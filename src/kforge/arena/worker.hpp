// Worker: one trusted Python process of the arena (nursery, referee, baseline, zygote) and the calls to it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kforge/arena/channel.hpp"
#include "kforge/arena/freezer.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/process.hpp"

namespace kforge {

struct WorkerSpec {
    fs::path python;
    fs::path python_path;  // the folder that holds kforge_arena
    std::string role;
    Environment environment;
};

// A process that another one of ours has forked, and killed with all that it started when this goes.
class Forked {
  public:
    Forked() = default;
    explicit Forked(pid_t pid);
    Forked(Forked&& other) noexcept;
    Forked& operator=(Forked&& other) noexcept;
    ~Forked();
    pid_t pid() const { return m_pid; }
    void kill_tree();

  private:
    pid_t m_pid = -1;
    Fd m_handle;  // by its number a process that came later would be killed
};

class Worker {
  public:
    Worker() = default;
    static Result<Worker> start(const WorkerSpec& spec);
    // A process with this role that `nursery`, which must live longer, makes by fork: it has imported
    // PyTorch. Its environment is the nursery's unless it gets one.
    static Result<Worker> branch(Worker& nursery, const std::string& role,
                                 const std::optional<Environment>& environment = std::nullopt);
    bool started() const { return pid() > 0; }
    pid_t pid() const { return m_child.started() ? m_child.pid() : m_forked.pid(); }

    // One request, one reply; several threads take turns. A reply that says no becomes an Error: config for a
    // faulty problem or template, internal otherwise; a dead worker is an Error with its last words.
    Result<Message> call(nlohmann::json request, const std::vector<int>& fds = {}, double limit_s = 600);

    // The same in two halves, for work that goes on meanwhile; for one thread.
    Result<void> post(nlohmann::json request, const std::vector<int>& fds = {});
    Result<Message> collect(double limit_s = 600);
    void stay_awake() { m_channel.stay_awake(); }
    void end();                                              // with all that it has started
    bool has_reply() const { return m_channel.readable(); }  // collect() would not wait
    // Stops and continues it, with all that it has started.
    Freezer& freezer();

  private:
    Error dead(const Error& cause);
    std::unique_ptr<std::mutex> m_turn = std::make_unique<std::mutex>();
    std::string m_role;
    std::string m_python;
    Child m_child;  // one of the two
    Forked m_forked;
    Channel m_channel;
    LogTail m_log;
    std::unique_ptr<Freezer> m_freezer;
};

}  // namespace kforge
