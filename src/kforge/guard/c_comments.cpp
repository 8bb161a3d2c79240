#include <algorithm>
#include <cctype>

#include "kforge/guard/source_view.hpp"

namespace kforge {

namespace {

bool is_c_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// A backslash at the end of a line joins it with the next, even inside a name.
SourceView join_continued_lines(const SourceView& source) {
    const std::string& text = source.text;
    SourceView joined;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\') {
            const size_t end = text.find_first_not_of(" \t", i + 1);  // GCC allows blanks after the backslash
            if (end != std::string::npos && text[end] == '\n') {
                i = end;
                continue;
            }
        }
        joined.add(text[i], source.lines[i]);
    }
    return joined;
}

class CommentStripper {
  public:
    CommentStripper(const SourceView& in, bool with_strings)
        : m_in(in), m_text(in.text), m_with_strings(with_strings) {}

    SourceView strip() {
        while (m_pos < m_text.size()) step();
        return std::move(m_out);
    }

  private:
    bool at(std::string_view token) const { return m_text.compare(m_pos, token.size(), token) == 0; }

    void copy_to(size_t end) {
        for (end = std::min(end, m_text.size()); m_pos < end; ++m_pos)
            m_out.add(m_text[m_pos], m_in.lines[m_pos]);
    }

    void step() {
        const char c = m_text[m_pos];
        if (at("//")) {
            skip_comment(m_text.find('\n', m_pos));
        } else if (at("/*")) {
            const size_t end = m_text.find("*/", m_pos + 2);
            skip_comment(end == std::string::npos ? end : end + 2);
        } else if (c == '"') {
            copy_string(end_of_literal('"'));
        } else if (c == '\'') {
            copy_to(end_of_character());
        } else if (is_c_word(c)) {
            copy_word();
        } else {
            copy_to(m_pos + 1);
        }
    }

    void copy_string(size_t end) {
        if (!m_with_strings && end - m_pos > 1) {
            copy_to(m_pos + 1);
            m_pos = end - 1;
        }
        copy_to(end);
    }

    void skip_comment(size_t end) {
        m_out.add(' ', m_in.lines[m_pos]);
        m_pos = std::min(end, m_text.size());
    }

    size_t end_of_literal(char quote) const {
        for (size_t i = m_pos + 1; i < m_text.size() && m_text[i] != '\n'; ++i) {
            if (m_text[i] == '\\') {
                ++i;
            } else if (m_text[i] == quote) {
                return i + 1;
            }
        }
        return m_pos + 1;  // not closed on its line: no literal
    }

    // An apostrophe in prose ("#error don't") must not hide what follows it.
    size_t end_of_character() const {
        constexpr size_t k_longest = 14;  // '\U0010FFFF' and some room
        const size_t end = end_of_literal('\'');
        return end - m_pos <= k_longest ? end : m_pos + 1;
    }

    // Numbers with digit separators (1'000) and raw string literals begin like words.
    void copy_word() {
        const bool number = std::isdigit(static_cast<unsigned char>(m_text[m_pos])) != 0;
        size_t end = m_pos;
        while (end < m_text.size() &&
               (is_c_word(m_text[end]) ||
                (number && m_text[end] == '\'' && end + 1 < m_text.size() && is_c_word(m_text[end + 1]))))
            ++end;
        const bool raw = m_text[end - 1] == 'R' && end < m_text.size() && m_text[end] == '"' &&
                         end - m_pos <= 3;  // R, LR, uR, UR, u8R
        copy_to(end);
        if (raw) copy_raw_string();
    }

    void copy_raw_string() {
        const size_t open = m_text.find('(', m_pos);
        if (open == std::string::npos || open - m_pos > 17) return;
        const std::string close = ")" + m_text.substr(m_pos + 1, open - m_pos - 1) + "\"";
        const size_t end = m_text.find(close, open);
        copy_to(end == std::string::npos ? end : end + close.size());
    }

    const SourceView& m_in;
    const std::string& m_text;
    bool m_with_strings;
    SourceView m_out;
    size_t m_pos = 0;
};

}  // namespace

SourceView without_c_comments(const SourceView& source) {
    return CommentStripper(join_continued_lines(source), true).strip();
}

SourceView without_c_comments_and_strings(const SourceView& source) {
    return CommentStripper(join_continued_lines(source), false).strip();
}

}  // namespace kforge
