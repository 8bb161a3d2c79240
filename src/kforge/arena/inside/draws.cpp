#include <bit>

#include "kforge/arena/inside/kforge_draws.h"

// Compiled once for each set of instructions; the loader takes the best that the processor has.
#if defined(__x86_64__)
#define KFORGE_FOR_EACH_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define KFORGE_FOR_EACH_PROCESSOR
#endif

#define KFORGE_VISIBLE __attribute__((visibility("default")))

namespace {

constexpr size_t k_signs = 64;  // in one word

// SplitMix64: what one word tells of the next one is of no use to who does not know the key.
inline uint64_t mixed(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

inline float with_sign(float value, uint32_t signs, unsigned bit) {
    return std::bit_cast<float>(std::bit_cast<uint32_t>(value) ^ ((signs << (31 - bit)) & 0x80000000U));
}

// Always inlined: each set of instructions needs a copy of its own.
template <typename Blend>
[[gnu::always_inline]] inline void draw(size_t count, uint64_t key, Blend blend) {
    size_t first = 0;
    for (; first + k_signs <= count; first += k_signs) {
        const uint64_t signs = mixed(key += 0x9e3779b97f4a7c15);
        const uint32_t halves[2] = {static_cast<uint32_t>(signs), static_cast<uint32_t>(signs >> 32)};
        for (size_t half = 0; half < 2; ++half)
            for (unsigned bit = 0; bit < 32; ++bit) blend(first + 32 * half + bit, halves[half], bit);
    }
    const uint64_t signs = mixed(key + 0x9e3779b97f4a7c15);
    for (unsigned bit = 0; first < count; ++first, ++bit)
        blend(first, static_cast<uint32_t>(signs >> (bit & 32)), bit % 32);
}

}  // namespace

extern "C" {

KFORGE_VISIBLE KFORGE_FOR_EACH_PROCESSOR void kf_draws_turn(float* __restrict out, const float* one,
                                                            const float* other, size_t count, float cosine,
                                                            float sine, uint64_t key) {
    draw(
        count, key, [=](size_t i, uint32_t signs, unsigned bit) __attribute__((always_inline)) {
            out[i] = with_sign(cosine * one[i] + sine * other[i], signs, bit);
        });
}

KFORGE_VISIBLE KFORGE_FOR_EACH_PROCESSOR void kf_draws_subtract(float* __restrict out, const float* one,
                                                                const float* other, size_t count,
                                                                uint64_t key) {
    draw(
        count, key, [=](size_t i, uint32_t signs, unsigned bit) __attribute__((always_inline)) {
            const float difference = with_sign(one[i] - other[i], signs, bit);
            out[i] = difference < 0 ? difference + 1 : difference;
        });
}
}
