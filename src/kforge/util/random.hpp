// SeedSource: unguessable seeds from the operating system, or a repeatable sequence from a text (tests,
// --seed).
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

}  // namespace kforge
