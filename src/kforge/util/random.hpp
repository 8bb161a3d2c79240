// SeedSource: unguessable seeds from the operating system, or a repeatable sequence from a text (tests,
// --seed). Lots: what is drawn with such a seed, and seen by somebody who is not to tell what comes next.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace kforge {

class SeedSource {
  public:
    explicit SeedSource(const std::string& text);
    uint64_t next();  // below 2^62, so that JSON and PyTorch carry it exactly

  private:
    bool m_repeatable;
    std::array<uint64_t, 2> m_key;
    uint64_t m_count = 0;
};

// A generator as <random> has them. From what they have given, those cannot be told; of a Mersenne twister
// they can, in seconds.
class Lots {
  public:
    using result_type = uint64_t;
    explicit Lots(uint64_t seed) : m_seed(seed) {}
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0}; }
    result_type operator()();

  private:
    uint64_t m_seed;
    uint64_t m_count = 0;
};

}  // namespace kforge
