#include "kforge/cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "kforge/cli/table.hpp"
#include "kforge/util/errors.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

constexpr auto k_tick = 100ms;
constexpr size_t k_unknown_width = 80;
constexpr size_t k_unknown_height = 24;
constexpr size_t k_least_room = 20;  // for what follows a label

// False when the reader is gone or the disk is full.
bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text.remove_prefix(static_cast<size_t>(n));
    }
    return true;
}

size_t terminal_height(int fd) {
    winsize size{};
    return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 1 ? size.ws_row : k_unknown_height;
}

size_t terminal_width(int fd) {
    winsize size{};
    if (::ioctl(fd, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col > 0 ? size.ws_col : k_unknown_width;
}

}  // namespace

TerminalOptions TerminalOptions::detect(const UserEnvironment& environment) {
    TerminalOptions options;
    const bool dumb = environment.term.empty() || environment.term == "dumb";
    const bool color = !dumb && !environment.no_color;
    options.color_out = color && ::isatty(options.out_fd);
    options.color_err = color && ::isatty(options.err_fd);
    options.progress = !dumb && ::isatty(options.err_fd) ? Progress::live : Progress::lines;
    options.utf8 = environment.utf8;
    options.width = terminal_width(options.out_fd);
    if (options.width == 0 && options.progress == Progress::live)
        options.width = terminal_width(options.err_fd);
    return options;
}

class Terminal::LaneObserver final : public RunObserver {
  public:
    LaneObserver(Terminal& terminal, std::list<Lane>::iterator lane) : m_terminal(terminal), m_lane(lane) {}
    ~LaneObserver() override {
        const std::lock_guard lock(m_terminal.m_mutex);
        m_terminal.erase();
        m_terminal.m_lanes.erase(m_lane);
        m_terminal.draw();
    }

    void on_phase(int iteration, int total, std::string_view phase) override {
        const std::lock_guard lock(m_terminal.m_mutex);
        Status& status = m_lane->status;
        const bool same = m_lane->active && status.iteration == iteration && status.phase == phase;
        status.iteration = iteration;
        status.total = total;
        status.phase = sanitize(phase);
        m_lane->active = true;
        if (same) return;
        status.received = 0;
        if (m_terminal.m_options.progress == Progress::lines)
            m_terminal.progress_line_of(
                *m_lane, iteration > 0 ? fmt::format("iteration {}/{}: {}", iteration, total, status.phase)
                                       : status.phase);
        else
            m_terminal.show();
    }
    void on_note(std::string_view text) override {
        const std::lock_guard lock(m_terminal.m_mutex);
        m_terminal.progress_line_of(*m_lane, sanitize(text));
    }
    void on_llm_text(std::string_view chunk) override {
        const std::lock_guard lock(m_terminal.m_mutex);
        m_lane->status.received += chunk.size();
    }
    void on_llm_restart() override {
        const std::lock_guard lock(m_terminal.m_mutex);
        m_lane->status.received = 0;
    }
    void on_usage(long tokens, double usd) override {
        const std::lock_guard lock(m_terminal.m_mutex);
        m_lane->status.tokens = tokens;
        m_lane->status.usd = usd;
    }
    void on_iteration_done(const IterationSummary& summary) override {
        const std::lock_guard lock(m_terminal.m_mutex);
        if (summary.best && summary.speedup) m_lane->status.best = summary.speedup->value;
        const Look look{m_terminal.m_options.color_err, m_terminal.m_options.utf8};
        m_terminal.progress_line_of(*m_lane, render_iteration(summary, m_terminal.width_for(*m_lane), look));
    }
    void on_recommendation(int iteration, int total, std::string_view title) override {
        const std::lock_guard lock(m_terminal.m_mutex);
        m_terminal.progress_line_of(
            *m_lane, render_recommendation(iteration, total, sanitize(title), m_terminal.width_for(*m_lane)));
    }

  private:
    Terminal& m_terminal;
    const std::list<Lane>::iterator m_lane;
};

Terminal::Terminal(TerminalOptions options)
    : m_options(options), m_own(std::make_unique<LaneObserver>(*this, m_lanes.begin())) {}

Terminal::~Terminal() {
    stop_progress();
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    if (m_ticker.joinable()) m_ticker.join();
}

std::unique_ptr<RunObserver> Terminal::lane(std::string label) {
    const std::lock_guard lock(m_mutex);
    m_lanes.emplace_back().status.label = std::move(label);
    return std::make_unique<LaneObserver>(*this, std::prev(m_lanes.end()));
}

void Terminal::print(std::string_view text) {
    const std::lock_guard lock(m_mutex);
    write_above(m_options.json ? m_options.err_fd : m_options.out_fd, text);
}

void Terminal::print_json(const nlohmann::json& result) {
    const std::string text = result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    const std::lock_guard lock(m_mutex);
    write_above(m_options.out_fd, text);
}

void Terminal::stop_progress() {
    const std::lock_guard lock(m_mutex);
    erase();
    m_lanes.front().active = false;
}

void Terminal::on_phase(int iteration, int total, std::string_view phase) {
    m_own->on_phase(iteration, total, phase);
}

void Terminal::on_note(std::string_view text) {
    m_own->on_note(text);
}

void Terminal::on_llm_text(std::string_view chunk) {
    m_own->on_llm_text(chunk);
}

void Terminal::on_llm_restart() {
    m_own->on_llm_restart();
}

void Terminal::on_usage(long tokens, double usd) {
    m_own->on_usage(tokens, usd);
}

void Terminal::on_iteration_done(const IterationSummary& summary) {
    m_own->on_iteration_done(summary);
}

void Terminal::on_recommendation(int iteration, int total, std::string_view title) {
    m_own->on_recommendation(iteration, total, title);
}

void Terminal::progress_line(std::string_view text) {
    if (m_options.progress != Progress::none) write_above(m_options.err_fd, std::string(text) + "\n");
}

void Terminal::progress_line_of(const Lane& lane, std::string_view text) {
    const std::string& label = lane.status.label;
    progress_line(label.empty() ? std::string(text) : fmt::format("{}: {}", label, text));
}

size_t Terminal::width_for(const Lane& lane) const {
    const size_t width = line_width();
    const size_t label = lane.status.label.empty() ? 0 : display_width(lane.status.label) + 2;
    return width == 0 ? 0 : std::max(width, label + k_least_room) - label;
}

void Terminal::show() {
    if (m_options.progress != Progress::live) return;
    if (!m_ticker.joinable()) m_ticker = std::thread([this] { tick_until_stopped(); });
    draw();
}

void Terminal::draw() {
    if (m_options.progress != Progress::live) return;
    const auto now = std::chrono::steady_clock::now();
    const size_t most = terminal_height(m_options.err_fd) - 1;
    std::vector<std::string> lines;
    for (Lane& lane : m_lanes) {
        if (!lane.active || lines.size() >= most) continue;
        lane.status.elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - lane.start);
        lines.push_back(
            render_status(lane.status, m_frame, line_width(), {m_options.color_err, m_options.utf8}));
    }
    if (lines.empty()) return;
    // In one write, so that the lines never flicker.
    write_all(m_options.err_fd, erasing() + join(lines, "\n"));
    m_drawn = lines.size();
}

std::string Terminal::erasing() const {
    std::string codes = "\r\x1b[2K";
    for (size_t line = 1; line < m_drawn; ++line) codes += "\x1b[1A\x1b[2K";
    return codes;
}

size_t Terminal::line_width() const {
    if (m_options.progress != Progress::live) return 0;
    // Asked anew each time: the window may have changed, and a line that wraps cannot be erased.
    const size_t columns = terminal_width(m_options.err_fd);
    return (columns > 0 ? columns : k_unknown_width) - 1;
}

void Terminal::erase() {
    if (m_drawn > 0) write_all(m_options.err_fd, erasing());
    m_drawn = 0;
}

void Terminal::write_above(int fd, std::string_view text) {
    erase();
    const bool written = write_all(fd, text);
    const int failure = errno;
    draw();
    // Who closes the pipe early (head) has seen enough; a full disk must not look like success.
    if (!written && fd == m_options.out_fd && failure != EPIPE)
        throw Fatal(ExitCode::environment,
                    fmt::format("cannot write to standard output: {}", std::strerror(failure)));
}

void Terminal::tick_until_stopped() {
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, k_tick, [this] { return m_stop; })) {
        ++m_frame;
        draw();
    }
}

}  // namespace kforge
