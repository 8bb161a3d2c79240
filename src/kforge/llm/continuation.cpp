#include "kforge/llm/continuation.hpp"

#include <algorithm>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_longest_overlap = 2000;
// Shorter ones happen by chance: "    " ends and begins many a piece of code.
constexpr size_t k_shortest_overlap = 12;

bool in_open_fence(std::string_view text) {
    bool open = false;
    for (const std::string& line : split_lines(text))
        if (trim(line).starts_with("```")) open = !open;
    return open;
}

}  // namespace

std::string join_continuation(std::string_view first, std::string_view second) {
    if (in_open_fence(first) && second.starts_with("```")) {
        const size_t end = second.find('\n');
        // A bare fence closes the block that is open; one with a language opens it once more.
        if (end != std::string_view::npos && trim(second.substr(3, end - 3)).size() > 0)
            second.remove_prefix(end + 1);
    }
    for (size_t size = std::min({first.size(), second.size(), k_longest_overlap}); size >= k_shortest_overlap;
         --size)
        if (first.substr(first.size() - size) == second.substr(0, size)) {
            second.remove_prefix(size);
            break;
        }
    return std::string(first) + std::string(second);
}

}  // namespace kforge
