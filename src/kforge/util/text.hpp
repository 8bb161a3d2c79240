// Small pure functions on text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kforge {

std::vector<std::string> split(std::string_view text, char separator);
std::vector<std::string> split_lines(std::string_view text);  // without the line ends
std::string_view trim(std::string_view text);
std::string join(const std::vector<std::string>& pieces, std::string_view separator);

// The candidate nearest to `word` by edit distance, or empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);
// Likewise, but at most `most` edits away.
std::string nearest(std::string_view word, const std::vector<std::string>& known, size_t most);

// Keeps the first and last part of a long text and says how much was left out between them.
std::string elide_middle(std::string_view text, size_t limit);

// Replaces invalid UTF-8 by U+FFFD and removes control characters (but tab and newline), characters that hide
// or turn text, and ANSI escapes: for text that came from an untrusted process and goes to a terminal, JSON
// or a prompt.
std::string sanitize(std::string_view bytes);

}  // namespace kforge
