#include "kforge/arena/result_places.hpp"

#include <algorithm>
#include <iterator>

namespace kforge {
namespace {

// Small ones lie anywhere, and to write them takes no time.
constexpr size_t k_least_bytes = size_t{64} << 10;
constexpr size_t k_least_calls = 8;

}  // namespace

void ResultPlaces::note(const std::vector<OutputForm>& outputs) {
    const auto size_of = [](const OutputForm& form) { return form.span().value_or(0); };
    const auto largest = std::max_element(outputs.begin(), outputs.end(), [&](const auto& a, const auto& b) {
        return size_of(a) < size_of(b);
    });
    if (largest == outputs.end() || size_of(*largest) < k_least_bytes) return;
    ++m_calls;
    uint64_t first = largest->handle.empty() ? largest->address : largest->offset;
    uint64_t end = first + size_of(*largest);
    std::map<uint64_t, uint64_t>& places = m_places[largest->handle];
    auto next = places.lower_bound(first);
    if (next != places.begin() && std::prev(next)->second > first) --next;
    const bool is_new = next == places.end() || next->first >= end;
    if (is_new) ++m_fresh;
    while (next != places.end() && next->first < end) {
        first = std::min(first, next->first);
        end = std::max(end, next->second);
        next = places.erase(next);
    }
    places.emplace(first, end);
}

bool ResultPlaces::are_mostly_new() const {
    return m_calls >= k_least_calls && 2 * m_fresh > m_calls;
}

}  // namespace kforge
