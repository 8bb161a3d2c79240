#include "kforge/cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "kforge/util/errors.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

constexpr auto k_tick = 100ms;
constexpr size_t k_unknown_width = 80;

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

Terminal::Terminal(TerminalOptions options) : m_options(options) {}

Terminal::~Terminal() {
    stop_progress();
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    if (m_ticker.joinable()) m_ticker.join();
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
    m_active = false;
}

void Terminal::on_phase(int iteration, int total, std::string_view phase) {
    const std::lock_guard lock(m_mutex);
    const bool same = m_active && m_status.iteration == iteration && m_status.phase == phase;
    m_status.iteration = iteration;
    m_status.total = total;
    m_status.phase = sanitize(phase);
    m_active = true;
    if (same) return;
    m_status.received = 0;
    if (m_options.progress == Progress::lines) {
        progress_line(iteration > 0 ? fmt::format("iteration {}/{}: {}", iteration, total, m_status.phase)
                                    : m_status.phase);
    } else if (m_options.progress == Progress::live) {
        if (!m_ticker.joinable()) m_ticker = std::thread([this] { tick_until_stopped(); });
        draw();
    }
}

void Terminal::on_note(std::string_view text) {
    const std::lock_guard lock(m_mutex);
    progress_line(sanitize(text));
}

void Terminal::on_llm_text(std::string_view chunk) {
    const std::lock_guard lock(m_mutex);
    m_status.received += chunk.size();
}

void Terminal::on_llm_restart() {
    const std::lock_guard lock(m_mutex);
    m_status.received = 0;
}

void Terminal::on_usage(long tokens, double usd) {
    const std::lock_guard lock(m_mutex);
    m_status.tokens = tokens;
    m_status.usd = usd;
}

void Terminal::on_iteration_done(const IterationSummary& summary) {
    const std::lock_guard lock(m_mutex);
    if (summary.best && summary.speedup) m_status.best = summary.speedup->value;
    progress_line(render_iteration(summary, line_width(), {m_options.color_err, m_options.utf8}));
}

void Terminal::on_recommendation(int iteration, int total, std::string_view title) {
    const std::lock_guard lock(m_mutex);
    progress_line(render_recommendation(iteration, total, sanitize(title), line_width()));
}

void Terminal::progress_line(std::string_view text) {
    if (m_options.progress != Progress::none) write_above(m_options.err_fd, std::string(text) + "\n");
}

void Terminal::draw() {
    if (!m_active || m_options.progress != Progress::live) return;
    const auto now = std::chrono::steady_clock::now();
    m_status.elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - m_start);
    // In one write, so that the line never flickers.
    write_all(m_options.err_fd, "\r\x1b[2K" + render_status(m_status, m_frame, line_width(),
                                                            {m_options.color_err, m_options.utf8}));
    m_drawn = true;
}

size_t Terminal::line_width() const {
    if (m_options.progress != Progress::live) return 0;
    // Asked anew each time: the window may have changed, and a line that wraps cannot be erased.
    const size_t columns = terminal_width(m_options.err_fd);
    return (columns > 0 ? columns : k_unknown_width) - 1;
}

void Terminal::erase() {
    if (m_drawn) write_all(m_options.err_fd, "\r\x1b[2K");
    m_drawn = false;
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
