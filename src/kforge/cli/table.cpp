#include "kforge/cli/table.hpp"

#include <algorithm>
#include <utility>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr std::string_view k_reset = "\x1b[0m";

// One thing on the screen: an ANSI escape (width 0) or a code point.
struct Glyph {
    size_t bytes;
    size_t width;
};

bool is_wide(unsigned code) {
    return (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
           (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
           (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
           (code >= 0x1F300 && code <= 0x1FAFF) || (code >= 0x20000 && code <= 0x3FFFD);
}

bool is_invisible(unsigned code) {
    return (code >= 0x0300 && code <= 0x036F) || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0xFE00 && code <= 0xFE0F);
}

Glyph glyph_at(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) == 0x1B) {
        size_t end = text.size() > 1 && text[1] == '[' ? 2 : 1;
        while (end < text.size() && !(text[end] >= '@' && text[end] <= '~')) ++end;
        return {std::min(end + 1, text.size()), 0};
    }
    const size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
    if (length == 1 || text.size() < length) return {1, 1};
    unsigned code = byte(0) & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3Fu);
    return {length, is_invisible(code) ? 0u : is_wide(code) ? 2u : 1u};
}

std::string pad(const std::string& cell, size_t width, Align align) {
    const std::string space(width - std::min(width, display_width(cell)), ' ');
    return align == Align::left ? cell + space : space + cell;
}

// At most `lines` lines of at most `width` columns.
std::vector<std::string> fold(const std::string& text, size_t width, size_t lines) {
    if (display_width(text) <= width) return {text};
    std::vector<std::string> folded = lines > 1 ? wrap(text, width) : std::vector<std::string>{text};
    for (size_t i = lines; i < folded.size(); ++i) folded[lines - 1] += " " + folded[i];
    if (folded.size() > lines) folded.resize(lines);
    for (std::string& line : folded) line = clip(line, width);
    return folded;
}

}  // namespace

size_t display_width(std::string_view text) {
    size_t width = 0;
    while (!text.empty()) {
        const Glyph glyph = glyph_at(text);
        width += glyph.width;
        text.remove_prefix(glyph.bytes);
    }
    return width;
}

std::string clip(std::string_view text, size_t width) {
    if (display_width(text) <= width) return std::string(text);
    if (width == 0) return "";
    std::string out;
    size_t used = 0;
    while (!text.empty()) {
        const Glyph glyph = glyph_at(text);
        if (used + glyph.width > width - 1) break;
        out += text.substr(0, glyph.bytes);
        used += glyph.width;
        text.remove_prefix(glyph.bytes);
    }
    out += "…";
    if (out.find('\x1b') != std::string::npos) out += k_reset;
    return out;
}

std::vector<std::string> wrap(std::string_view text, size_t width) {
    std::vector<std::string> lines;
    std::string line;
    for (const std::string& word : split(text, ' ')) {
        if (!line.empty() && display_width(line) + 1 + display_width(word) > width)
            lines.push_back(std::exchange(line, ""));
        line += (line.empty() ? "" : " ") + word;
    }
    lines.push_back(line);
    return lines;
}

std::string render_table(const std::vector<Column>& columns,
                         const std::vector<std::vector<std::string>>& rows, size_t width) {
    std::vector<std::string> titles;
    for (const Column& column : columns) titles.push_back(column.title);
    std::vector<std::vector<std::string>> lines;
    if (std::any_of(titles.begin(), titles.end(), [](const std::string& title) { return !title.empty(); }))
        lines.push_back(titles);
    lines.insert(lines.end(), rows.begin(), rows.end());

    std::vector<size_t> widths(columns.size(), 0);
    for (std::vector<std::string>& cells : lines) {
        cells.resize(columns.size());
        for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], display_width(cells[i]));
    }
    size_t before_last = 0;
    for (size_t i = 0; i + 1 < widths.size(); ++i) before_last += widths[i] + 2;
    if (width > 0 && !widths.empty() && before_last + widths.back() > width)
        widths.back() = width > before_last + 8 ? width - before_last : 8;

    std::string out;
    for (const std::vector<std::string>& cells : lines) {
        if (cells.empty()) continue;
        std::string line;
        for (size_t i = 0; i + 1 < cells.size(); ++i)
            line += pad(cells[i], widths[i], columns[i].align) + "  ";
        const std::string indent(before_last, ' ');
        for (const std::string& piece : fold(cells.back(), widths.back(), columns.back().lines)) {
            line += pad(piece, widths.back(), columns.back().align);
            line.erase(line.find_last_not_of(' ') + 1);
            out += line + "\n";
            line = indent;
        }
    }
    return out;
}

}  // namespace kforge
