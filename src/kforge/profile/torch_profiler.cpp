// torch.profiler's table, condensed: rule lines, columns that are zero in every row or follow from others,
// and rows of the profiler itself are noise to a reader. What the device did not do in a call is computed.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>

#include "kforge/profile/profiler.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_limit = 12'000;
constexpr size_t k_most_columns = 40;  // the table came from an untrusted process: it may be anything

bool is_rule(const std::string& line) {
    return !trim(line).empty() && line.find_first_not_of("- ") == std::string::npos;
}

// The column borders are the runs of dashes of the first rule line.
std::vector<std::pair<size_t, size_t>> columns_of(const std::string& rule) {
    std::vector<std::pair<size_t, size_t>> columns;
    for (size_t start = rule.find('-'); start != std::string::npos; start = rule.find('-', start)) {
        const size_t end = std::min(rule.find(' ', start), rule.size());
        columns.emplace_back(start, end);
        start = end;
    }
    return columns;
}

std::string cell(const std::string& line, std::pair<size_t, size_t> column) {
    if (column.first >= line.size()) return "";
    return std::string(trim(std::string_view(line).substr(column.first, column.second - column.first)));
}

bool is_zero(const std::string& value) {
    return value.empty() || value == "0.000us" || value == "0.00%" || value == "0" || value == "0 b" ||
           value == "[]";
}

std::string short_form(const std::string& value) {
    if (value.empty() || value == "[]") return "";
    return is_zero(value) ? "0" : value;
}

using Row = std::vector<std::string>;

size_t column(const Row& header, const std::function<bool(const std::string&)>& wanted) {
    return static_cast<size_t>(std::find_if(header.begin(), header.end(), wanted) - header.begin());
}

double number(const std::string& text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// A candidate that synchronises the device does so in every call, the profiler before and after all of them.
bool is_of_the_profiler(const Row& row, size_t calls) {
    constexpr double k_around_all = 2;
    if (row[0] == "Activity Buffer Request") return true;
    return row[0].ends_with("DeviceSynchronize") && calls < row.size() && number(row[calls]) <= k_around_all;
}

// Of "2.597ms"; nothing where it is no time.
double microseconds(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
    if (error != std::errc()) return 0;
    return unit == "us" ? value : unit == "ms" ? value * 1e3 : unit == "s" ? value * 1e6 : 0;
}

// On a GPU the region of a call is told twice: as the host's time, and as the device's from its first kernel
// to its last, which is a row that the host has no part in. Names that one, and says what of it was idle.
std::string name_span(std::vector<Row>& rows, const std::vector<std::string>& rest, size_t calls) {
    const Row header = rows.front();
    const size_t self = column(header, [](const std::string& name) {
        return name.starts_with("Self ") && !name.starts_with("Self CPU") && !name.ends_with("%") &&
               name.find("Mem") == std::string::npos;
    });
    const size_t host = column(header, [](const std::string& name) { return name == "CPU total"; });
    if (std::max({self, host, calls}) >= header.size()) return "";
    const auto row = std::find_if(rows.begin() + 1, rows.end(), [&](const Row& candidate) {
        return candidate[0] == "NewModel.forward" && is_zero(candidate[host]) && !is_zero(candidate[self]);
    });
    if (row == rows.end()) return "";
    (*row)[0] += " (span on the device)";
    const auto total = std::find_if(rest.begin(), rest.end(), [](const std::string& line) {
        return line.starts_with("Self ") && !line.starts_with("Self CPU") &&
               line.find(" time total: ") != std::string::npos;
    });
    const double span = microseconds((*row)[self]), count = number((*row)[calls]);
    const double kernels =
        total == rest.end() ? 0 : microseconds(std::string_view(*total).substr(total->rfind(' ') + 1));
    if (count < 1 || kernels <= 0 || span <= kernels) return "";
    return fmt::format(
        "\nIn a call, with the profiler's own cost on the host: {:.1f} us from the first kernel to the last, "
        "{:.1f} us of it in kernels, {:.1f} us idle",
        span / count, kernels / count, (span - kernels) / count);
}

std::string condense(const std::string& table) {
    const std::vector<std::string> lines = split_lines(table);
    const auto rule = std::find_if(lines.begin(), lines.end(), is_rule);
    if (rule == lines.end()) return table;
    const auto columns = columns_of(*rule);
    if (columns.size() > k_most_columns) return table;
    std::vector<Row> rows;
    std::vector<std::string> rest;
    const auto last_rule = std::find_if(lines.rbegin(), lines.rend(), is_rule);
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        if (is_rule(*line)) continue;
        if (line > last_rule.base() - 1) {
            rest.push_back(*line);
            continue;
        }
        Row row;
        for (const auto& border : columns) row.push_back(cell(*line, border));
        rows.push_back(std::move(row));
    }
    if (rows.size() < 2) return table;
    const size_t calls =
        column(rows.front(), [](const std::string& name) { return name.starts_with("# of Call"); });
    rows.erase(std::remove_if(rows.begin() + 1, rows.end(),
                              [&](const Row& row) { return is_of_the_profiler(row, calls); }),
               rows.end());
    const std::string idle = name_span(rows, rest, calls);
    std::vector<size_t> shown;
    for (size_t c = 0; c < columns.size(); ++c)
        if (!rows.front()[c].ends_with('%') &&
            !std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) { return is_zero(row[c]); }))
            shown.push_back(c);
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (const size_t c : shown) line += (line.empty() ? "" : " | ") + short_form(row[c]);
        text += line + "\n";
    }
    return text + std::string(trim(join(rest, "\n"))) + idle;
}

}  // namespace

Result<Profile> take_torch_profile(const ProfileTarget& target) {
    if (!target.torch_table) return Error{ErrorKind::environment, "there is no player to profile"};
    TRY_ASSIGN(const std::string table, target.torch_table());
    return Profile{"torch", elide_middle(condense(table), k_limit), {}};
}

}  // namespace kforge
