// Terminal: all that people and programs see. Results go to standard output (to standard error under --json,
// where one JSON object is all that standard output gets), progress to standard error: on a TTY as one line
// (or one for each thing that goes on) rewritten in place, with everything else printed above it.
// Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <thread>

#include "kforge/cli/config.hpp"
#include "kforge/cli/status_line.hpp"
#include "kforge/forge/observer.hpp"

namespace kforge {

enum class Progress { live, lines, none };

struct TerminalOptions {
    int out_fd = 1;
    int err_fd = 2;
    Progress progress = Progress::lines;
    bool json = false;
    bool color_out = false;
    bool color_err = false;
    bool utf8 = true;
    size_t width = 0;  // of the terminal; 0: not known, do not clip

    static TerminalOptions detect(const UserEnvironment& environment);
};

class Terminal final : public RunObserver {
  public:
    explicit Terminal(TerminalOptions options);
    ~Terminal() override;

    // A result for a person, as it is; ends with a newline of its own.
    void print(std::string_view text);
    // The result for a program.
    void print_json(const nlohmann::json& result);
    // Takes the status line away; the next phase brings it back.
    void stop_progress();
    // A line of its own below, for a run beside others; what is printed of it begins with the label. It must
    // end before the terminal does.
    std::unique_ptr<RunObserver> lane(std::string label);

    // Where results go: its width (0: not known) and whether it takes colours.
    size_t width() const { return m_options.width; }
    Look look() const { return {m_options.json ? m_options.color_err : m_options.color_out, m_options.utf8}; }

    void on_phase(int iteration, int total, std::string_view phase) override;
    void on_note(std::string_view text) override;
    void on_llm_text(std::string_view chunk) override;
    void on_llm_restart() override;
    void on_usage(long tokens, double usd) override;
    void on_iteration_done(const IterationSummary& summary) override;
    void on_recommendation(int iteration, int total, std::string_view title) override;

  private:
    // Something that goes on, and what is known of it.
    struct Lane {
        Status status;
        bool active = false;  // there is a status to show
        std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    };
    class LaneObserver;

    void draw();  // with the lock held, like all below
    void erase();
    void show();                  // draws, and from now on again and again
    std::string erasing() const;  // what takes the drawn lines away
    size_t line_width() const;    // of a progress line on a TTY; 0: does not matter
    void write_above(int fd, std::string_view text);
    void progress_line(std::string_view text);
    void progress_line_of(const Lane& lane, std::string_view text);
    size_t width_for(const Lane& lane) const;  // of a line that begins with its label
    void tick_until_stopped();

    const TerminalOptions m_options;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::list<Lane> m_lanes = std::list<Lane>(1);  // the terminal's own comes first
    size_t m_frame = 0;
    size_t m_drawn = 0;  // lines
    std::unique_ptr<RunObserver> m_own;
    bool m_stop = false;
    std::thread m_ticker;  // runs from the first phase on
};

}  // namespace kforge
