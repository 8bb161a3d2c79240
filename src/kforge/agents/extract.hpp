// Finds the candidate in an LLM's answer: of the fenced blocks that define `class NewModel` (or `ModelNew`)
// the last one that is a whole file (imports torch, has `forward`, leaves nothing out with "# ..."), else the
// largest. Earlier Python blocks that define or import names it lacks are put in front. Without a fence,
// Python text as it stands. Text that was cut off is taken only when the class, its `forward` and a `return`
// are there and no string is left open.
#pragma once

#include <optional>
#include <string>

namespace kforge {

struct Extraction {
    std::string code;  // ends in one line end
    std::string note;  // what was unusual; empty for one clean block
};

std::optional<Extraction> extract_candidate(const std::string& answer, bool truncated);

}  // namespace kforge
