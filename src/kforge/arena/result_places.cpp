#include "kforge/arena/result_places.hpp"

#include <algorithm>
#include <iterator>

namespace kforge {
namespace {

constexpr size_t k_least_calls = 8;
constexpr size_t k_share = 3;

}  // namespace

bool ResultPlaces::note(const std::vector<OutputForm>& outputs, bool counts) {
    bool any = false;
    for (size_t i = 0; i < outputs.size(); ++i) {
        const size_t bytes = outputs[i].span().value_or(0);
        if (bytes < k_least_bytes / outputs.size()) continue;
        const size_t fresh = 2 * add(outputs[i]) > bytes ? 1 : 0;
        any = any || fresh > 0;
        if (!counts) continue;
        ++m_counts[i].calls;
        m_counts[i].fresh += fresh;
    }
    return any;
}

uint64_t ResultPlaces::add(const OutputForm& form) {
    uint64_t first = form.handle.empty() ? form.address : form.offset;
    uint64_t end = first + form.span().value_or(0);
    uint64_t fresh = end - first;
    std::map<uint64_t, uint64_t>& places = m_places[form.handle];
    auto next = places.lower_bound(first);
    if (next != places.begin() && std::prev(next)->second > first) --next;
    for (const uint64_t from = first, to = end; next != places.end() && next->first < to;) {
        fresh -= std::min(to, next->second) - std::max(from, next->first);
        first = std::min(first, next->first);
        end = std::max(end, next->second);
        next = places.erase(next);
    }
    places.emplace(first, end);
    return fresh;
}

std::optional<ResultPlaces::Count> ResultPlaces::find_mostly_new() const {
    for (const auto& [output, count] : m_counts)
        if (count.calls >= k_least_calls && k_share * count.fresh > count.calls) return count;
    return std::nullopt;
}

}  // namespace kforge
