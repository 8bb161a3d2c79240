// The outside and the inside of one Python string literal: prefix, quotes, escapes.
#pragma once

#include <string_view>

#include "kforge/guard/source_view.hpp"

namespace kforge {

struct LiteralOpening {
    size_t length = 0;  // of prefix and opening quotes; 0: no literal starts here
    std::string_view quotes;
    bool raw = false;
    bool formatted = false;  // f"" or t"": has replacement fields
};

// What starts at `pos`, which must not be inside a word.
LiteralOpening literal_opening(std::string_view text, size_t pos);

// Appends the meaning of the escape sequence (of a literal that is not raw) that starts at `pos`; returns the
// position after it.
size_t decode_escape(const SourceView& source, size_t pos, SourceView& content);

}  // namespace kforge
