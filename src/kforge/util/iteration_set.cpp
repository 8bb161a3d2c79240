#include "kforge/util/iteration_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

bool parse_number(std::string_view text, int& value) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() && value >= 1;
}

bool looks_like_iterations(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || c == '-' || c == ',';
    });
}

}  // namespace

Result<IterationSet> IterationSet::parse(std::string_view text) {
    IterationSet set;
    set.m_text = std::string(text);
    if (text.empty()) return set;
    for (const std::string& piece : split(text, ',')) {
        const size_t dash = piece.find('-');
        Range range{};
        bool good = parse_number(std::string_view(piece).substr(0, dash), range.first);
        if (good && dash == std::string::npos) {
            range.last = range.first;
        } else if (good && dash + 1 == piece.size()) {
            range.last = INT_MAX;
        } else if (good) {
            good = parse_number(std::string_view(piece).substr(dash + 1), range.last) &&
                   range.last >= range.first;
        }
        if (!good)
            return Error{ErrorKind::usage,
                         fmt::format("'{}' is not a set of iterations: write 3, 2-4, 2- or 1,3-5", text)};
        set.m_ranges.push_back(range);
    }
    return set;
}

bool IterationSet::contains(int iteration) const {
    return m_ranges.empty() || std::any_of(m_ranges.begin(), m_ranges.end(), [&](const Range& r) {
               return iteration >= r.first && iteration <= r.last;
           });
}

Result<Selected> parse_selected(std::string_view text) {
    const size_t at = text.rfind('@');
    if (at == std::string_view::npos || at == 0 || !looks_like_iterations(text.substr(at + 1)))
        return Selected{std::string(text), {}};
    TRY_ASSIGN(IterationSet iterations, IterationSet::parse(text.substr(at + 1)));
    return Selected{std::string(text.substr(0, at)), std::move(iterations)};
}

}  // namespace kforge
