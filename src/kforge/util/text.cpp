#include "kforge/util/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace kforge {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> pieces;
    size_t start = 0;
    for (;;) {
        const size_t end = text.find(separator, start);
        pieces.emplace_back(text.substr(start, end - start));
        if (end == std::string_view::npos) return pieces;
        start = end + 1;
    }
}

std::vector<std::string> split_lines(std::string_view text) {
    if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    if (text.empty()) return {};
    std::vector<std::string> lines = split(text, '\n');
    for (std::string& line : lines)
        if (!line.empty() && line.back() == '\r') line.pop_back();
    return lines;
}

std::string_view trim(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string join(const std::vector<std::string>& pieces, std::string_view separator) {
    return fmt::format("{}", fmt::join(pieces, separator));
}

namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
        }
    }
    return row.back();
}

// The length of the valid UTF-8 sequence at the start of `s`, or 0.
size_t utf8_length(std::string_view s) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(s[i]); };
    const auto continues = [&](size_t n) {
        if (s.size() < n) return false;
        for (size_t i = 1; i < n; ++i)
            if ((byte(i) & 0xC0) != 0x80) return false;
        return true;
    };
    if (byte(0) < 0x80) return 1;
    if (byte(0) >= 0xC2 && byte(0) <= 0xDF && continues(2)) return 2;
    if (byte(0) >= 0xE0 && byte(0) <= 0xEF && continues(3)) {
        const unsigned code = (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6;
        return code < 0x800 || (code >= 0xD800 && code <= 0xDFFF) ? 0 : 3;
    }
    if (byte(0) >= 0xF0 && byte(0) <= 0xF4 && continues(4)) {
        const unsigned code = (byte(0) & 0x07u) << 18 | (byte(1) & 0x3Fu) << 12;
        return code < 0x10000 || code > 0x10FFFF ? 0 : 4;
    }
    return 0;
}

// The length of an ANSI escape sequence at the start of `s` (which begins with ESC). One that is cut off or
// broken takes no text with it.
size_t escape_length(std::string_view s) {
    if (s.size() < 2 || static_cast<unsigned char>(s[1]) < 0x20) return 1;
    const auto skip = [&](size_t i, char first, char last) {
        while (i < s.size() && s[i] >= first && s[i] <= last) ++i;
        return i;
    };
    if (s[1] == '[') {  // CSI: parameters, intermediates, one final byte
        const size_t end = skip(2, ' ', '?');
        return end + (end < s.size() && s[end] >= '@' && s[end] <= '~' ? 1 : 0);
    }
    if (s[1] == ']' || s[1] == 'P' || s[1] == '_' || s[1] == '^' ||
        s[1] == 'X') {  // a string: to BEL or ESC backslash
        const size_t end = s.find_first_of("\a\x1B\n", 2);
        if (end == std::string_view::npos) return 2;
        if (s[end] == '\a') return end + 1;
        return s.substr(end, 2) == "\x1B\\" ? end + 2 : 2;
    }
    const size_t end = skip(1, ' ', '/');
    return end + (end < s.size() && s[end] >= '0' && s[end] <= '~' ? 1 : 0);
}

// Characters that a person does not see, but that turn the text around (U+202A to U+202E, U+2066 to U+2069),
// end lines in some programs (U+2028, U+2029) or spell words to an LLM (the tags from U+E0000 on).
bool is_hidden(std::string_view sequence) {
    return (sequence >= "\xE2\x80\xA8" && sequence <= "\xE2\x80\xAE") ||
           (sequence >= "\xE2\x81\xA6" && sequence <= "\xE2\x81\xA9") ||
           (sequence >= "\xF3\xA0\x80\x80" && sequence <= "\xF3\xA0\x81\xBF");
}

// Moves a cut so that it does not fall inside a UTF-8 sequence.
size_t cut_before(std::string_view text, size_t at) {
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return at;
}
size_t cut_after(std::string_view text, size_t at) {
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    return at;
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
    return nearest(word, known, std::max<size_t>(2, word.size() / 3));
}

std::string nearest(std::string_view word, const std::vector<std::string>& known, size_t most) {
    std::string best;
    size_t best_distance = most + 1;
    for (const std::string& name : known) {
        const size_t distance = edit_distance(word, name);
        const bool unlike = distance >= std::max(word.size(), name.size());  // not a letter in its place
        if (distance < best_distance && !unlike) {
            best_distance = distance;
            best = name;
        }
    }
    return best;
}

std::string elide_middle(std::string_view text, size_t limit) {
    if (text.size() <= limit) return std::string(text);
    const size_t head = cut_before(text, limit / 2);
    const size_t tail = cut_after(text, text.size() - limit / 2);
    return fmt::format("{}\n[... {} bytes left out ...]\n{}", text.substr(0, head), tail - head,
                       text.substr(tail));
}

std::string sanitize(std::string_view bytes) {
    std::string clean;
    clean.reserve(bytes.size());
    for (size_t i = 0; i < bytes.size();) {
        const unsigned char c = static_cast<unsigned char>(bytes[i]);
        if (c == 0x1B) {
            i += escape_length(bytes.substr(i));
        } else if (c == '\n' || c == '\t' || (c >= 0x20 && c < 0x7F)) {
            clean += bytes[i++];
        } else if (c < 0x80) {
            ++i;
        } else if (const size_t length = utf8_length(bytes.substr(i))) {
            const bool control = c == 0xC2 && static_cast<unsigned char>(bytes[i + 1]) < 0xA0;  // C1
            if (!control && !is_hidden(bytes.substr(i, length))) clean += bytes.substr(i, length);
            i += length;
        } else {
            clean += "\xEF\xBF\xBD";
            ++i;
        }
    }
    return clean;
}

}  // namespace kforge
