#include "kforge/cli/status_line.hpp"

#include <fmt/format.h>

#include <array>

#include "kforge/cli/table.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr std::array<std::string_view, 8> k_dots = {"⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠏", "⠛"};
constexpr std::array<std::string_view, 4> k_ascii = {"|", "/", "-", "\\"};
constexpr size_t k_line_width = 140;  // of a log, where nothing else limits it

std::string paint(std::string_view code, std::string text, Look look) {
    return look.color ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string line_start(int iteration, int total, std::string_view what) {
    return fmt::format("{}/{}  {:<12}  ", iteration, total, what);
}

std::string_view color_of(State state) {
    switch (state) {
        case State::correct:
            return "32";
        case State::checked:
            return "36";
        case State::disqualified:
            return "35";
        case State::generation_failure:
        case State::compilation_failure:
        case State::runtime_error:
        case State::mismatch:
            break;
    }
    return "31";
}

}  // namespace

std::string paint_state(State state, std::string text, Look look) {
    return paint(color_of(state), std::move(text), look);
}

std::string render_elapsed(std::chrono::seconds elapsed) {
    const auto s = elapsed.count();
    if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
    return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string render_speedup(const Interval& speedup) {
    return fmt::format("{:.2f}x [{:.2f}, {:.2f}]", speedup.value, speedup.low, speedup.high);
}

std::string render_status(const Status& status, size_t frame, size_t width, Look look) {
    const std::string_view spinner =
        look.utf8 ? k_dots[frame % k_dots.size()] : k_ascii[frame % k_ascii.size()];
    std::vector<std::string> parts;
    if (!status.label.empty()) parts.push_back(status.label);
    if (status.iteration > 0) parts.push_back(fmt::format("iteration {}/{}", status.iteration, status.total));
    if (!status.phase.empty())
        parts.push_back(status.received == 0
                            ? status.phase
                            : fmt::format("{} ({:.1f} kB)", status.phase, status.received / 1000.0));
    parts.push_back(render_elapsed(status.elapsed));
    if (status.best) parts.push_back(paint("32", fmt::format("best {:.2f}x", *status.best), look));
    if (status.usd > 0)
        parts.push_back(fmt::format("${:.{}f}", status.usd, status.usd < 0.1 ? 4 : 2));
    else if (status.tokens > 0)
        parts.push_back(fmt::format("{} tokens", status.tokens));
    return clip(fmt::format("{} {}", spinner, fmt::join(parts, look.utf8 ? " · " : " | ")), width);
}

std::string render_iteration(const IterationSummary& summary, size_t width, Look look) {
    std::string state(to_string(summary.state));
    if (summary.reason) state += fmt::format(" ({})", to_string(*summary.reason));
    std::string line =
        line_start(summary.iteration, summary.total, summary.pass) + paint_state(summary.state, state, look);
    if (summary.speedup) line += "  " + render_speedup(*summary.speedup);
    if (summary.best) line += paint("1", "  best", look);
    if (summary.state != State::correct && !summary.evidence.empty()) line += ": " + summary.evidence;
    return clip(line, width > 0 ? width : k_line_width);
}

std::string render_recommendation(int iteration, int total, const std::string& title, size_t width) {
    return clip(line_start(iteration, total, "analysis") + title, width > 0 ? width : k_line_width);
}

}  // namespace kforge
