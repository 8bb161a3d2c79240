// Reads exactly one recommendation out of an analysis agent's answer: a title line, then a few sentences.
#pragma once

#include <optional>
#include <string>

namespace kforge {

// Greetings, headings, list marks and fences around it are removed; of several recommendations only the first
// is kept; a long one is shortened at the end of a sentence. Nothing when there is none.
std::optional<std::string> extract_recommendation(const std::string& answer);

}  // namespace kforge
