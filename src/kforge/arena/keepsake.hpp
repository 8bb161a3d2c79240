// Keepsake: outputs of an earlier call that are still held, and what they were. Whoever calls a module may
// keep its results: they must stay as they are, however often it is called again. Knows nothing of how the
// player is made to hold them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kforge/arena/stage.hpp"

namespace kforge {

class Keepsake {
  public:
    // Whether outputs like these are worth it: what is held is the candidate's memory, and ours.
    static bool fits(const std::vector<OutputForm>& outputs);
    // Copies the outputs of a player that stands still; those that pass an input on are the caller's to
    // change.
    void take(const Player& player, const std::vector<OutputForm>& outputs, const Stage& stage);
    // The first output that is no longer what it was, or no longer there.
    std::optional<size_t> changed(const Player& player) const;

  private:
    struct Part {
        size_t output = 0;
        uint64_t address = 0;
        std::string bytes;
    };
    std::vector<Part> m_parts;
};

}  // namespace kforge
