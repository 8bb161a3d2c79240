// KeptOutputs: results of several calls that somebody holds, as a caller may. A later call must not touch
// them, wherever they lie. Owns no memory of the player: what lies there is told by fingerprints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kforge/arena/stage.hpp"

namespace kforge {

class KeptOutputs {
  public:
    // Whether there is room for the outputs of one call more.
    bool has_room(const Stage& stage, const std::vector<OutputForm>& outputs) const;
    void keep(Stage& stage, const Player& player, const std::vector<OutputForm>& outputs);
    bool overlaps(const OutputForm& output) const;
    // What is wrong with those that are kept, by what lies in the player's memory; that of a GPU is not
    // looked at.
    std::optional<std::string> find_changed(const Player& player) const;

  private:
    struct Kept {
        OutputForm form;
        size_t index;
        uint64_t lot;                         // tells which parts of it are looked at
        std::optional<uint64_t> fingerprint;  // nothing where it cannot be read
    };
    std::vector<Kept> m_kept;
    size_t m_bytes = 0;
};

}  // namespace kforge
