#include "kforge/arena/result_places.hpp"

#include <algorithm>
#include <iterator>

namespace kforge {
namespace {

// Small ones lie anywhere, and to write them takes no time.
constexpr size_t k_least_bytes = size_t{64} << 10;
constexpr size_t k_least_calls = 8;
constexpr size_t k_share = 3;

}  // namespace

void ResultPlaces::note(const std::vector<OutputForm>& outputs, bool counts) {
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].span().value_or(0) < k_least_bytes) continue;
        const size_t fresh = is_new(outputs[i]) ? 1 : 0;
        if (!counts) continue;
        ++m_counts[i].calls;
        m_counts[i].fresh += fresh;
    }
}

bool ResultPlaces::is_new(const OutputForm& form) {
    uint64_t first = form.handle.empty() ? form.address : form.offset;
    uint64_t end = first + form.span().value_or(0);
    std::map<uint64_t, uint64_t>& places = m_places[form.handle];
    auto next = places.lower_bound(first);
    if (next != places.begin() && std::prev(next)->second > first) --next;
    const bool is_new = next == places.end() || next->first >= end;
    while (next != places.end() && next->first < end) {
        first = std::min(first, next->first);
        end = std::max(end, next->second);
        next = places.erase(next);
    }
    places.emplace(first, end);
    return is_new;
}

std::optional<ResultPlaces::Count> ResultPlaces::find_mostly_new() const {
    for (const auto& [output, count] : m_counts)
        if (count.calls >= k_least_calls && k_share * count.fresh > count.calls) return count;
    return std::nullopt;
}

}  // namespace kforge
