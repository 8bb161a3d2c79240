// Player: the untrusted process of one candidate, seen from outside. It runs only while a call is open and is
// stopped, with everything it started, at all other times. Every call has a limit; whatever goes wrong in
// there is a Fault to be judged, never an Error of ours.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kforge/arena/channel.hpp"
#include "kforge/arena/freezer.hpp"
#include "kforge/arena/gpu.hpp"
#include "kforge/arena/provenance.hpp"
#include "kforge/arena/sampler.hpp"
#include "kforge/arena/worker.hpp"

namespace kforge {

struct PlayerSpec {
    fs::path scratch;    // its working folder where the jail cannot make one
    fs::path auxiliary;  // what is copied into its working folder; empty: nothing
    fs::path build;      // likewise: what the same candidate built before
    fs::path headers;    // to be read
    Environment environment;
    int threads = 1;
    size_t memory_bytes = 0;
    std::string mode;             // as_is, eval
    std::string device;           // PyTorch's name
    bool by_host = false;         // see Stage
    std::shared_ptr<Gpu> gpu;     // where it is one
    nlohmann::json jail;          // settings of kf_jail_fork and "library"; null: no jail
    double ending_limit_s = 180;  // what it may take to end when it was killed
};

// What the player refused, or how it ended.
struct Fault {
    enum class Kind { refusal, death, timeout, nonsense } kind = Kind::refusal;
    // refusal: syntax, import, missing, construct, weights, forward, form, output, checker, exception
    std::string stage;
    std::string message;             // refusal: the traceback
    std::vector<std::string> types;  // refusal: exception types along the chain
    ExitStatus status;               // death
    bool out_of_memory = false;      // death: it was killed for the memory it took
    bool out_of_files = false;       // death: or for the open files of the machine that it held
    double limit_s = 0;              // timeout
};

class Player {
  public:
    // `zygote` must outlive the player.
    static Result<Player> spawn(Worker& zygote, const PlayerSpec& spec);
    Player(Player&& other) noexcept;
    Player& operator=(Player&&) = delete;
    ~Player();

    // The reply's body, or what went wrong; an Error only for an interrupt or a dead zygote.
    using Answer = std::variant<nlohmann::json, Fault>;
    // A sampler looks on while the player runs. On a GPU a call of forward has two steps: when the player is
    // ready it stands still once more for `reveal`, and goes on when it gets the message.
    struct Start {
        std::function<Result<void>()> reveal;
        nlohmann::json message;
    };
    // The time in which a compiler is at work for it does not count for `limit_s`, but for `build_limit_s`.
    Result<Answer> call(const nlohmann::json& request, double limit_s, double build_limit_s,
                        const std::vector<int>& fds = {}, Sampler* sampler = nullptr,
                        const Start* then = nullptr);

    pid_t pid() const { return m_freezer->player(); }  // of the candidate's own process
    // The only folder that it can write to, as it sees it.
    const std::string& scratch() const { return m_scratch; }
    // What the jail told of it: {"layers","broken","notes","scratch"}; null: there is no jail.
    const nlohmann::json& jail_report() const { return m_jail_report; }
    void set_jail_report(nlohmann::json report);
    bool running() const { return m_pid > 0; }  // false once it has ended, or was ended for what it did
    bool was_killed() const;                    // by others than us, perhaps while it stood still
    // How long the last call took by our clock: from letting the player run to having its answer, or until
    // what the call had started stood still.
    double last_call_ms() const { return m_last_call_ms; }
    // Processor time of the last call, of all that it has at work; wall time where that is more and the other
    // is not known.
    double last_used_ms() const { return m_last_used_ms; }
    // What it has worked in the last call: it neither waited for a processor nor spun beside its own work.
    double last_busy_ms() const { return m_last_busy_ms; }
    // On a GPU that begins when the player says that it is awake: how long it took until then.
    double last_awake_ms() const { return m_last_awake_ms; }

    // Copies memory of the stopped player. False, with errno, when it is not there (EFAULT), or this machine
    // does not allow it.
    bool read_memory(uint64_t address, size_t size, void* into) const;

    // Makes every function that the candidate's own libraries offer return `value`.
    Result<Disabled> disable_own_functions(uint8_t value, Deadline deadline) const;

    // Kills it with everything it started, and tells how it had ended. One that takes too long for that is
    // left to the kernel, and what it printed says so. Idempotent.
    ExitStatus finish();
    std::string printed();

  private:
    bool is_building() const;
    Result<Message> receive(double limit_s, Deadline& deadline, Deadline last);
    void await_end(pid_t pid);
    Player() = default;
    Worker* m_zygote = nullptr;
    Fault make_fault(const Error& error, double limit_s);
    std::optional<Fault> stop();
    pid_t m_pid = -1;
    std::shared_ptr<Gpu> m_gpu;
    std::optional<Freezer> m_freezer;
    std::string m_scratch;
    nlohmann::json m_jail_report;
    int64_t m_frozen_cpu_ns = 0;
    double m_last_call_ms = 0;
    double m_last_used_ms = 0;
    double m_last_busy_ms = 0;
    double m_last_awake_ms = 0;
    ExitStatus m_status;
    Channel m_channel;
    LogTail m_log;
    double m_ending_limit_s = 0;
    bool m_outlives_its_end = false;
    bool m_out_of_memory = false;
    bool m_out_of_files = false;
};

}  // namespace kforge
