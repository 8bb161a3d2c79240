#include "kforge/guard/python_literal.hpp"

#include <algorithm>
#include <cctype>

namespace kforge {

namespace {

// The number written in up to `most` digits of `base` at `pos`; moves `pos` after it.
unsigned long read_number(std::string_view text, size_t& pos, size_t most, int base) {
    const auto value_of = [&](char c) {
        const int digit = std::isdigit(static_cast<unsigned char>(c))
                              ? c - '0'
                              : std::tolower(static_cast<unsigned char>(c)) - 'a' + 10;
        return std::isalnum(static_cast<unsigned char>(c)) && digit < base ? digit : -1;
    };
    unsigned long number = 0;
    const size_t end = std::min(text.size(), pos + most);
    for (; pos < end && value_of(text[pos]) >= 0; ++pos) number = number * base + value_of(text[pos]);
    return number;
}

void add_utf8(SourceView& content, unsigned long code, int line) {
    const auto add = [&](unsigned long byte) { content.add(static_cast<char>(byte), line); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xC0 | code >> 6);
        add(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        add(0xE0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3F));
        add(0x80 | (code & 0x3F));
    } else {
        add(0xF0 | (code >> 18 & 0x07));
        add(0x80 | (code >> 12 & 0x3F));
        add(0x80 | (code >> 6 & 0x3F));
        add(0x80 | (code & 0x3F));
    }
}

}  // namespace

LiteralOpening literal_opening(std::string_view text, size_t pos) {
    LiteralOpening opening;
    size_t at = pos;
    for (; at < text.size() && at - pos < 2; ++at) {
        const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
        if (letter == 'r') {
            opening.raw = true;
        } else if (letter == 'f' || letter == 't') {
            opening.formatted = true;
        } else if (letter != 'b' && letter != 'u') {
            break;
        }
    }
    if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return {};
    const bool triple = at + 2 < text.size() && text[at + 1] == text[at] && text[at + 2] == text[at];
    opening.quotes = text.substr(at, triple ? 3 : 1);
    opening.length = at - pos + opening.quotes.size();
    return opening;
}

size_t decode_escape(const SourceView& source, size_t pos, SourceView& content) {
    const std::string& text = source.text;
    const int line = source.lines[pos];
    if (pos + 1 >= text.size()) return pos + 1;
    const char c = text[pos + 1];
    size_t next = pos + 2;
    switch (c) {
        case '\n':
            return next;
        case '\\':
        case '\'':
        case '"':
            content.add(c, line);
            return next;
        case 'n':
            content.add('\n', line);
            return next;
        case 'a':
        case 'b':
        case 'f':
        case 'r':
        case 't':
        case 'v':
            content.add(' ', line);
            return next;
        case 'x':
            add_utf8(content, read_number(text, next, 2, 16), line);
            return next;
        case 'u':
            add_utf8(content, read_number(text, next, 4, 16), line);
            return next;
        case 'U':
            add_utf8(content, read_number(text, next, 8, 16), line);
            return next;
        case 'N':  // \N{NAME}: its braces are no replacement field
            if (next < text.size() && text[next] == '{') next = std::min(text.find('}', next), text.size());
            content.add(' ', line);
            return next;
        default:
            if (c >= '0' && c <= '7') {
                add_utf8(content, read_number(text, --next, 3, 8), line);
                return next;
            }
            content.add('\\', line);
            content.add(c, line);
            return next;
    }
}

}  // namespace kforge
