// The picture of a sweep: written by hand, because an SVG is text and no library for plots is worth its size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "kforge/report/sweep.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr double k_width = 760;
constexpr double k_height = 560;
constexpr double k_left = 70;
constexpr double k_right = k_width - 24;
constexpr size_t k_most_labels = 12;  // that stand side by side
// A white edge, so that text can be read over lines.
constexpr const char* k_halo = " paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"3\"";
constexpr const char* k_ink = "#1f2933";
constexpr const char* k_quiet = "#616e7c";
constexpr const char* k_grid = "#e4e7eb";
constexpr const char* k_bad = "#ba2525";

// A rectangle of the picture and the values along its upright side.
struct Panel {
    double top = 0;
    double bottom = 0;
    double low = 0;
    double high = 1;
    bool logarithmic = false;

    double y(double value) const {
        const double share =
            logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
        return bottom - share * (bottom - top);
    }
};

std::string side_color(const std::string& side) {
    static const std::map<std::string, std::string> colors = {{"eager", "#7b8794"},
                                                              {"compile", "#2f6fb5"},
                                                              {"half_eager", "#8a6fb0"},
                                                              {"half_compile", "#2a9d8f"},
                                                              {"candidate", "#e8590c"}};
    const auto found = colors.find(side);
    return found != colors.end() ? found->second : "#b08900";
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : sanitize(text)) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else
            out += c;
    }
    return out;
}

std::string text_at(double x, double y, std::string_view text, std::string_view anchor,
                    std::string_view color, double size, std::string_view more = "") {
    return fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\" font-size=\"{}\"{}>{}</text>\n", x, y,
        anchor, color, size, more, escaped(text));
}

std::string line_from(double x1, double y1, double x2, double y2, std::string_view color, double width,
                      std::string_view more = "") {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"{}\"{}/>\n",
        x1, y1, x2, y2, color, width, more);
}

// 1, 2 and 5 times powers of ten between two values; only the powers themselves where that would be many.
std::vector<double> log_ticks(double low, double high) {
    const bool many = high / low > 2000;
    std::vector<double> ticks;
    for (int power = static_cast<int>(std::floor(std::log10(low))); power <= std::log10(high); ++power)
        for (const double step : {1.0, 2.0, 5.0})
            if (const double tick = step * std::pow(10, power);
                tick >= low * 0.999 && tick <= high * 1.001 && (!many || step == 1.0))
                ticks.push_back(tick);
    return ticks;
}

// A round step that leaves three to seven ticks above zero.
double linear_step(double high) {
    const double power = std::pow(10, std::floor(std::log10(high / 3)));
    for (const double step : {1.0, 2.0, 5.0})
        if (high / (step * power) <= 7) return step * power;
    return 10 * power;
}

class Picture {
  public:
    explicit Picture(const Sweep& sweep) : m_sweep(sweep), m_sides(sweep.sides()) {}

    std::string draw() {
        m_svg = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
            "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
            "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
            k_width, k_height);
        m_svg += text_at(k_left, 30, m_sweep.problem, "start", k_ink, 16, " font-weight=\"600\"");
        m_svg += text_at(k_left, 48, fmt::format("{} on {}", m_sweep.candidate, m_sweep.platform), "start",
                         k_quiet, 12);
        legend();
        times({112, 306});
        speedups({344, 500});
        const size_t step = m_sweep.rows.size() / k_most_labels + 1;
        for (size_t i = 0; i < m_sweep.rows.size(); i += step)
            m_svg += text_at(x(i), 518, std::to_string(m_sweep.rows[i].size), "middle", k_ink, 12);
        m_svg += text_at((k_left + k_right) / 2, 542, m_sweep.axis, "middle", k_quiet, 12);
        return m_svg + "</svg>\n";
    }

  private:
    enum class Label { right, left, hollow };  // where the value of a point stands; a hollow one's: right

    // Sizes stand at equal distances: they are most often powers of two.
    double x(size_t row) const {
        const auto count = static_cast<double>(m_sweep.rows.size());
        return k_left + (static_cast<double>(row) + 0.5) * (k_right - k_left) / count;
    }

    void legend() {
        double at = k_left;
        for (const std::string& side : m_sides) {
            const std::string color = side_color(side);
            m_svg += line_from(at, 70, at + 18, 70, color, 2.5);
            m_svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"70\" r=\"3.5\" fill=\"{}\"/>\n", at + 9, color);
            m_svg += text_at(at + 24, 74, side_name(side), "start", k_ink, 12);
            at += 24 + 6.6 * static_cast<double>(side_name(side).size()) + 22;
        }
    }

    void frame(const Panel& panel, const std::vector<double>& ticks, const std::string& title,
               const std::string& unit) {
        m_svg += text_at(k_left, panel.top - 8, title, "start", k_quiet, 12);
        for (const double tick : ticks) {
            m_svg += line_from(k_left, panel.y(tick), k_right, panel.y(tick), k_grid, 1);
            m_svg += text_at(k_left - 8, panel.y(tick) + 4, fmt::format("{:.6g}{}", tick, unit), "end",
                             k_quiet, 11);
        }
        m_svg += line_from(k_left, panel.bottom, k_right, panel.bottom, k_quiet, 1);
    }

    // One line for each side, broken where a size has no value.
    void curve(const Panel& panel, const std::string& side) {
        std::string path;
        std::string dots;
        bool drawing = false;
        for (size_t i = 0; i < m_sweep.rows.size(); ++i) {
            const std::optional<double> median = m_sweep.rows[i].median_ms(side);
            if (median && *median > 0) {
                path += fmt::format("{}{:.1f} {:.1f}",
                                    drawing        ? " L"
                                    : path.empty() ? "M"
                                                   : " M",
                                    x(i), panel.y(*median));
                dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", x(i),
                                    panel.y(*median), side_color(side));
            }
            drawing = median && *median > 0;
        }
        if (!path.empty())
            m_svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n{}", path,
                                 side_color(side), dots);
    }

    void times(Panel panel) {
        std::vector<double> all;
        for (const SweepRow& row : m_sweep.rows)
            for (const auto& [name, median] : row.medians_ms)
                if (median > 0) all.push_back(median);
        panel.logarithmic = true;
        panel.low = all.empty() ? 0.1 : *std::min_element(all.begin(), all.end()) / 1.25;
        panel.high = all.empty() ? 10 : *std::max_element(all.begin(), all.end()) * 1.25;
        frame(panel, log_ticks(panel.low, panel.high), "milliseconds for one call", "");
        for (const std::string& side : m_sides) curve(panel, side);
    }

    void speedups(Panel panel) {
        bool both = false;
        panel.high = 1.3;
        for (const SweepRow& row : m_sweep.rows) {
            for (const auto& ratio : {row.speedup, row.same_permission_speedup})
                if (ratio) panel.high = std::max(panel.high, ratio->high * 1.12);
            both = both || row.same_permission_speedup;
        }
        std::vector<double> ticks;
        const double step = linear_step(panel.high);
        for (int i = 0; i * step <= panel.high; ++i) ticks.push_back(i * step);
        frame(panel, ticks,
              std::string("speedup over the faster of eager and torch.compile, with its 95 % interval") +
                  (both ? " (hollow: over the fastest with the same permissions)" : ""),
              "x");
        m_svg += line_from(k_left, panel.y(1), k_right, panel.y(1), k_ink, 1, " stroke-dasharray=\"5 4\"");
        for (size_t i = 0; i < m_sweep.rows.size(); ++i) {
            const SweepRow& row = m_sweep.rows[i];
            if (!row.speedup) failure(panel, x(i), row);
            const double aside = row.same_permission_speedup ? 8 : 0;
            if (row.speedup)
                interval(panel, x(i) - aside, *row.speedup, aside > 0 ? Label::left : Label::right);
            if (row.same_permission_speedup)
                interval(panel, x(i) + aside, *row.same_permission_speedup, Label::hollow);
        }
    }

    void interval(const Panel& panel, double at, const Ratio& speedup, Label label) {
        const std::string color = side_color("candidate");
        m_svg += line_from(at, panel.y(speedup.low), at, panel.y(speedup.high), color, 2);
        for (const double end : {speedup.low, speedup.high})
            m_svg += line_from(at - 5, panel.y(end), at + 5, panel.y(end), color, 2);
        m_svg += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>\n",
            at, panel.y(speedup.value), label == Label::hollow ? "#ffffff" : color, color);
        if (m_sweep.rows.size() > k_most_labels) return;
        const bool left = label == Label::left;
        m_svg += text_at(at + (left ? -10 : 10), panel.y(speedup.value) + 4,
                         fmt::format("{:.2f}x", speedup.value), left ? "end" : "start", k_ink, 11, k_halo);
    }

    void failure(const Panel& panel, double at, const SweepRow& row) {
        const double y = panel.bottom - 14;
        const std::string color = row.is_measured() ? k_bad : k_quiet;
        m_svg += line_from(at - 5, y - 5, at + 5, y + 5, color, 2.5);
        m_svg += line_from(at - 5, y + 5, at + 5, y - 5, color, 2.5);
        const std::string word = row.reason.empty() ? row.state : row.reason;
        m_svg +=
            text_at(at + 10, y + 4, row.is_measured() ? word : "not possible", "start", color, 11, k_halo);
    }

    const Sweep& m_sweep;
    std::vector<std::string> m_sides;
    std::string m_svg;
};

}  // namespace

std::string sweep_svg(const Sweep& sweep) {
    return Picture(sweep).draw();
}

}  // namespace kforge
