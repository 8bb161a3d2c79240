// PlacedTensors: tensors of a stopped process that are written from outside: none of its code runs for that,
// and no time of its own passes. Where they lie the process tells. That it is memory of its own, which shows
// in no other place, the kernel tells.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kforge {

class PlacedTensors {
  public:
    // What lies there now is what write() puts back. `places`: [address, size] each. Nothing where these are
    // no places, have more bytes than there should be, or cannot be read.
    static std::optional<PlacedTensors> read(pid_t pid, const nlohmann::json& places, size_t most_bytes);

    // The same places, for what else write() is to put there; nothing where that is not as long.
    std::optional<PlacedTensors> with(std::vector<std::string> bytes) const;
    // False where they are not there any more, or not that memory.
    bool write() const;
    bool overlaps(uint64_t address, size_t size) const;

  private:
    struct Tensor {
        uint64_t address = 0;
        std::string bytes;
    };
    pid_t m_pid = 0;
    std::vector<Tensor> m_tensors;
};

}  // namespace kforge
