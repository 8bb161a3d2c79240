// Worker: one trusted Python process of the arena (referee, baseline, zygote) and the calls to it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kforge/arena/channel.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/process.hpp"

namespace kforge {

struct WorkerSpec {
    fs::path python;
    fs::path python_path;  // the folder that holds kforge_arena
    std::string role;
    Environment environment;
};

class Worker {
  public:
    Worker() = default;
    static Result<Worker> start(const WorkerSpec& spec);
    bool started() const { return m_child.started(); }
    pid_t pid() const { return m_child.pid(); }

    // One request, one reply; several threads take turns. A reply that says no becomes an Error: config for a
    // faulty problem or template, internal otherwise; a dead worker is an Error with its last words.
    Result<Message> call(nlohmann::json request, const std::vector<int>& fds = {}, double limit_s = 600);

    // The same in two halves, for work that goes on meanwhile; for one thread.
    Result<void> post(nlohmann::json request, const std::vector<int>& fds = {});
    Result<Message> collect(double limit_s = 600);
    void stay_awake() { m_channel.stay_awake(); }
    bool has_reply() const { return m_channel.readable(); }  // collect() would not wait

  private:
    Error dead(const Error& cause);
    std::unique_ptr<std::mutex> m_turn = std::make_unique<std::mutex>();
    std::string m_role;
    std::string m_python;
    Child m_child;
    Channel m_channel;
    LogTail m_log;
};

}  // namespace kforge
