// torch.profiler's table, condensed: columns that are zero in every row and rule lines are noise to a reader.
#include <fmt/format.h>

#include <algorithm>

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

std::string condense(const std::string& table) {
    const std::vector<std::string> lines = split_lines(table);
    const auto rule = std::find_if(lines.begin(), lines.end(), is_rule);
    if (rule == lines.end()) return table;
    const auto columns = columns_of(*rule);
    if (columns.size() > k_most_columns) return table;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> rest;
    const auto last_rule = std::find_if(lines.rbegin(), lines.rend(), is_rule);
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        if (is_rule(*line)) continue;
        if (line > last_rule.base() - 1) {
            rest.push_back(*line);
            continue;
        }
        std::vector<std::string> row;
        for (const auto& column : columns) row.push_back(cell(*line, column));
        rows.push_back(std::move(row));
    }
    if (rows.size() < 2) return table;
    std::vector<size_t> shown;
    for (size_t c = 0; c < columns.size(); ++c)
        if (!std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) { return is_zero(row[c]); }))
            shown.push_back(c);
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (const size_t c : shown) line += (line.empty() ? "" : " | ") + row[c];
        text += line + "\n";
    }
    return text + join(rest, "\n");
}

}  // namespace

Result<Profile> take_torch_profile(const ProfileTarget& target) {
    if (!target.torch_table) return Error{ErrorKind::environment, "there is no player to profile"};
    TRY_ASSIGN(const std::string table, target.torch_table());
    return Profile{"torch", elide_middle(condense(table), k_limit), {}};
}

}  // namespace kforge
