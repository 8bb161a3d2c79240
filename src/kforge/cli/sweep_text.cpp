#include "kforge/cli/sweep_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kforge/cli/table.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr long k_largest_size = 1L << 40;
constexpr size_t k_longest_bar = 60;

std::string ratio_text(const std::optional<Ratio>& ratio) {
    return ratio ? render_speedup({ratio->value, ratio->low, ratio->high}) : "-";
}

// Milliseconds with about four digits: sizes span orders of magnitude.
std::string milliseconds(const std::optional<double>& value) {
    if (!value) return "-";
    return fmt::format("{:.{}f}", *value, *value < 1 ? 4 : *value < 100 ? 3 : 1);
}

std::string verdict_text(const SweepRow& row) {
    const std::vector<std::string> lines = split_lines(sanitize(row.evidence));
    const std::string why = lines.empty() ? "" : ": " + lines.front();
    if (!row.is_measured()) return "not possible" + why;
    return row.state + (row.reason.empty() ? "" : fmt::format(" ({})", row.reason)) + why;
}

std::string claim_text(const SweepRow& row, Look look) {
    const std::string text = row.speedup ? row.claim : verdict_text(row);
    const Result<State> state = parse_state(row.state);
    return state.ok() ? paint_state(*state, text, look) : text;
}

// `columns` may have a fraction, which the last block shows.
std::string bar(double columns, Look look) {
    static constexpr const char* k_eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!look.utf8) return std::string(static_cast<size_t>(std::lround(columns)), '#');
    const auto eighths = static_cast<size_t>(std::lround(columns * 8));
    std::string text;
    for (size_t i = 0; i < eighths / 8; ++i) text += "█";
    return text + k_eighths[eighths % 8];
}

// The bar with the mark laid over it.
std::string marked_bar(double columns, size_t mark, Look look) {
    const std::string line = look.utf8 ? "│" : "|";
    const double before = std::min(columns, static_cast<double>(mark));
    std::string text = bar(before, look);
    text += std::string(mark - std::min(mark, display_width(text)), ' ') + line;
    if (columns > static_cast<double>(mark) + 1) text += bar(columns - static_cast<double>(mark) - 1, look);
    return text;
}

}  // namespace

Result<std::vector<long>> parse_sizes(const std::string& text) {
    std::vector<long> sizes;
    for (const std::string& item : split(text, ',')) {
        const std::string_view digits = trim(item);
        long size = 0;
        const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
        if (failure != std::errc() || end != digits.data() + digits.size() || size < 1 ||
            size > k_largest_size)
            return Error{ErrorKind::usage,
                         fmt::format("--sizes: '{}' is no size: give whole numbers from 1 on, as in 1,4,8",
                                     sanitize(item))};
        if (std::find(sizes.begin(), sizes.end(), size) != sizes.end())
            return Error{ErrorKind::usage, fmt::format("--sizes: {} is given twice", size)};
        sizes.push_back(size);
    }
    return sizes;
}

std::string outcome_text(const SweepRow& row) {
    return row.speedup ? fmt::format("{}, {}", ratio_text(row.speedup), row.claim) : verdict_text(row);
}

std::string sweep_table(const Sweep& sweep, size_t width, Look look) {
    const std::vector<std::string> sides = sweep.sides();
    const bool both = std::any_of(sweep.rows.begin(), sweep.rows.end(), [](const SweepRow& row) {
        return row.same_permission_speedup.has_value();
    });
    std::vector<Column> columns = {{sweep.axis, Align::right}};
    for (const std::string& side : sides) columns.push_back({side_name(side) + " ms", Align::right});
    columns.push_back({"speedup [95 %]"});
    if (both) columns.push_back({"same permissions"});
    columns.push_back({"verdict", Align::left, 2});
    std::vector<std::vector<std::string>> rows;
    for (const SweepRow& row : sweep.rows) {
        rows.push_back({std::to_string(row.size)});
        for (const std::string& side : sides) rows.back().push_back(milliseconds(row.median_ms(side)));
        rows.back().push_back(ratio_text(row.speedup));
        if (both) rows.back().push_back(ratio_text(row.same_permission_speedup));
        rows.back().push_back(claim_text(row, look));
    }
    return render_table(columns, rows, width);
}

std::string sweep_bars(const Sweep& sweep, size_t width, Look look) {
    double highest = 1;
    bool any = false;
    size_t label = 0;
    for (const SweepRow& row : sweep.rows) {
        any = any || row.speedup;
        if (row.speedup) highest = std::max(highest, row.speedup->value);
        label = std::max(label, std::to_string(row.size).size());
    }
    if (!any) return "";
    const size_t beside = label + 2 + 2 + 8;  // the size before, the value behind
    const size_t longest = width > beside + 10 ? std::min(width - beside, k_longest_bar) : k_longest_bar;
    const double scale = static_cast<double>(longest) / highest;
    const auto mark = static_cast<size_t>(std::min(std::floor(scale), static_cast<double>(longest) - 1));
    std::string text =
        fmt::format("speedup over the faster of eager and torch.compile ({} is 1x)\n", look.utf8 ? "│" : "|");
    for (const SweepRow& row : sweep.rows) {
        const std::string drawn = marked_bar(row.speedup ? row.speedup->value * scale : 0, mark, look);
        const std::string value = row.speedup         ? fmt::format("{:.2f}x", row.speedup->value)
                                  : row.is_measured() ? row.state
                                                      : "not possible";
        text += fmt::format("{:>{}}  {}  {}\n", row.size, label, drawn, value);
    }
    return text;
}

}  // namespace kforge
