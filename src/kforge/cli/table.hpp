// Text in columns: display widths of UTF-8 text, clipping, wrapping, and a table printer. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kforge {

// Columns that `text` takes: one per code point (two for wide East Asian ones), none for combining marks and
// ANSI colours.
size_t display_width(std::string_view text);

// At most `width` columns; what is cut off is marked by "…". Colours are closed.
std::string clip(std::string_view text, size_t width);

// Breaks at spaces so that no line is wider than `width`, where words allow.
std::vector<std::string> wrap(std::string_view text, size_t width);

enum class Align { left, right };

struct Column {
    std::string title;
    Align align = Align::left;
    size_t lines = 1;  // that a cell of the last column may take before it is clipped
};

// One row under the other, columns two spaces apart, under a line of titles (unless all are empty). When the
// table is wider than `width`, the last column is wrapped to as many lines as it may take, then clipped;
// width 0 does neither. Missing cells are empty.
std::string render_table(const std::vector<Column>& columns,
                         const std::vector<std::vector<std::string>>& rows, size_t width = 0);

}  // namespace kforge
