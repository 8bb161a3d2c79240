#include "kforge/util/random.hpp"

#include <sys/random.h>

#include <bit>

#include "kforge/util/errors.hpp"

namespace kforge {
namespace {

uint64_t fnv1a(const std::string& text, uint64_t hash) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

// SipHash-2-4 of one word: who learns some of the sequence, as a candidate does that is constructed from a
// seed, cannot tell the rest.
uint64_t siphash(uint64_t k0, uint64_t k1, uint64_t word) {
    uint64_t v0 = k0 ^ 0x736f6d6570736575ULL, v1 = k1 ^ 0x646f72616e646f6dULL;
    uint64_t v2 = k0 ^ 0x6c7967656e657261ULL, v3 = k1 ^ 0x7465646279746573ULL;
    const auto rounds = [&](int count) {
        for (; count > 0; --count) {
            v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
            v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
            v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
            v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
        }
    };
    constexpr uint64_t k_length = uint64_t{8} << 56;
    for (const uint64_t part : {word, k_length}) {
        v3 ^= part;
        rounds(2);
        v0 ^= part;
    }
    v2 ^= 0xff;
    rounds(4);
    return v0 ^ v1 ^ v2 ^ v3;
}

}  // namespace

SeedSource::SeedSource(const std::string& text)
    : m_repeatable(!text.empty()),
      m_key{fnv1a(text, 0xcbf29ce484222325ULL), fnv1a(text, 0x9e3779b97f4a7c15ULL)} {}

uint64_t SeedSource::next() {
    constexpr uint64_t k_mask = (uint64_t{1} << 62) - 1;
    if (m_repeatable) return siphash(m_key[0], m_key[1], m_count++) & k_mask;
    uint64_t value = 0;
    if (::getrandom(&value, sizeof value, 0) != sizeof value) throw InternalError("getrandom failed");
    return value & k_mask;
}

Lots::result_type Lots::operator()() {
    return siphash(m_seed, ~m_seed, m_count++);
}

}  // namespace kforge
