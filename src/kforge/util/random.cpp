#include "kforge/util/random.hpp"

#include <sys/random.h>

#include "kforge/util/errors.hpp"

namespace kforge {

SeedSource::SeedSource(const std::string& text) : m_repeatable(!text.empty()) {
    // FNV-1a: a stable spread of the user's text, no secret.
    m_state = 0xcbf29ce484222325ULL;
    for (const char c : text) m_state = (m_state ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
}

uint64_t SeedSource::next() {
    constexpr uint64_t k_mask = (uint64_t{1} << 62) - 1;
    uint64_t value = 0;
    if (!m_repeatable) {
        if (::getrandom(&value, sizeof value, 0) != sizeof value) throw InternalError("getrandom failed");
        return value & k_mask;
    }
    m_state += 0x9e3779b97f4a7c15ULL;  // splitmix64
    value = m_state;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return (value ^ (value >> 31)) & k_mask;
}

}  // namespace kforge
