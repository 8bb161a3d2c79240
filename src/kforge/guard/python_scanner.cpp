#include "kforge/guard/python_scanner.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>

#include "kforge/guard/python_literal.hpp"

namespace kforge {

namespace {

constexpr int k_deepest_nesting = 50;  // of f-strings in f-strings, and of source in source

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\f';
}

bool is_python_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// A line that begins with '@' decorates what comes next; in a comment of C-like source it documents ("@param
// x").
bool looks_like_python(const std::string& text) {
    static const re2::RE2 k_statement(
        R"((?m)^[ \t]*(?:import [\w., ]+$|from [\w.]+ import |(?:async )?def \w+ ?\(|@\w.*\n[ \t]*class \w))");
    return re2::RE2::PartialMatch(text, k_statement);
}

// Also when it is one line: source may be put together from such.
bool looks_like_c(const std::string& text) {
    static const re2::RE2 k_end_of_line(R"((?m)[;{][ \t]*$)");
    return re2::RE2::PartialMatch(text, k_end_of_line);
}

class PythonScanner {
  public:
    PythonScanner(const SourceView& source, CandidateViews& views, int nesting)
        : m_source(source),
          m_text(source.text),
          m_code(views.code),
          m_python(views.python),
          m_kernels(views.kernels),
          m_nesting(nesting) {
        // A docstring is no code, unless the candidate can get hold of it.
        m_docstrings_count =
            m_text.find("__doc__") != std::string::npos || m_text.find("getdoc") != std::string::npos;
    }

    void scan() { scan_code(false); }

  private:
    bool done() const { return m_pos >= m_text.size(); }
    char peek(size_t ahead = 0) const { return m_pos + ahead < m_text.size() ? m_text[m_pos + ahead] : '\0'; }
    int line() const { return done() ? last_line() : m_source.lines[m_pos]; }
    int last_line() const { return m_source.lines.empty() ? 1 : m_source.lines.back(); }

    void emit(char c) {
        m_code.add(c, line());
        m_python.add(c, line());
        if (c == '\n' || c == ';') {
            m_at_statement_start = true;
        } else if (!is_blank(c)) {
            m_at_statement_start = false;
        }
    }

    // Up to the end of the text or, in a replacement field, up to its ':' or '}'.
    void scan_code(bool field) {
        int brackets = 0;
        while (!done()) {
            const char c = peek();
            const bool inside = field || brackets > 0;
            if (c == '#') {
                while (!done() && peek() != '\n') ++m_pos;
            } else if (c == '\\' && peek(1) == '\n') {
                emit(' ');
                m_pos += 2;
            } else if (c == '\n') {
                emit(inside ? ' ' : '\n');
                ++m_pos;
            } else if (literal_opening(m_text, m_pos).length > 0) {
                scan_literals(inside);
            } else if (is_python_word(c)) {
                for (; !done() && is_python_word(peek()); ++m_pos) emit(peek());
            } else {
                if (field && brackets == 0 && (c == '}' || c == ':')) return;
                if (c == '(' || c == '[' || c == '{') ++brackets;
                if ((c == ')' || c == ']' || c == '}') && brackets > 0) --brackets;
                emit(c);
                ++m_pos;
            }
        }
    }

    // One literal, or several that Python (or a plain '+') joins into one.
    void scan_literals(bool inside) {
        const bool starts_statement = m_at_statement_start && !inside;
        const int first_line = line();
        SourceView content;
        do scan_literal(content);
        while (go_to_joined_literal(inside));
        const bool docstring = starts_statement && at_statement_end();
        m_at_statement_start = false;
        if (docstring && !m_docstrings_count) return;
        m_python.add("\"\"", first_line);
        add_content(content, first_line);
    }

    void add_content(const SourceView& content, int first_line) {
        m_code.add('"', first_line);
        const bool one_line = content.text.find('\n') == std::string::npos;
        if (!one_line && looks_like_python(content.text)) {
            m_code.add(content);
            scan_embedded(content);
        } else {
            m_code.add(one_line ? content : without_c_comments(content));  // in flags and names "//" is none
            add_kernel(without_c_comments_and_strings(content));
        }
        m_code.add('"', content.lines.empty() ? first_line : content.lines.back());
    }

    void add_kernel(const SourceView& content) {
        if (!looks_like_c(content.text)) return;
        m_kernels.add(content);
        m_kernels.add('\n', content.lines.back());
    }

    void scan_embedded(const SourceView& content) {
        if (m_nesting >= k_deepest_nesting) return;
        CandidateViews views;
        PythonScanner(content, views, m_nesting + 1).scan();
        m_python.add('\n', content.lines.front());
        m_python.add(views.python);
        m_python.add('\n', content.lines.back());
        m_kernels.add(views.kernels);  // the code view has the whole text already
    }

    void scan_literal(SourceView& content) {
        const LiteralOpening opening = literal_opening(m_text, m_pos);
        m_pos += opening.length;
        while (!done()) {
            const char c = peek();
            if (m_text.compare(m_pos, opening.quotes.size(), opening.quotes) == 0) {
                m_pos += opening.quotes.size();
                return;
            }
            if (c == '\n' && opening.quotes.size() == 1) return;  // never closed: Python will say so
            if (c == '\\' && !opening.raw) {
                m_pos = decode_escape(m_source, m_pos, content);
            } else if (opening.formatted && (c == '{' || c == '}') && peek(1) == c) {
                content.add(c, line());
                m_pos += 2;
            } else if (opening.formatted && c == '{' && m_nesting < k_deepest_nesting) {
                content.add(' ', line());
                scan_field();
            } else {
                content.add(c, line());
                ++m_pos;
                if (c == '\\' && !done()) content.add(peek(), line()), ++m_pos;  // raw: also before a quote
            }
        }
    }

    // {expression!r:format}: the expression is code, the format may hold more fields.
    void scan_field() {
        ++m_nesting;
        emit(' ');
        ++m_pos;
        scan_code(true);
        if (peek() == ':') {
            while (!done() && peek() != '}') {
                if (peek() == '{' && m_nesting < k_deepest_nesting) {
                    scan_field();
                } else {
                    ++m_pos;
                }
            }
        }
        emit(' ');
        if (!done()) ++m_pos;
        --m_nesting;
    }

    // Moves to the literal that continues the one just read, if there is one.
    bool go_to_joined_literal(bool inside) {
        size_t next = skip_space(m_pos, inside);
        if (next < m_text.size() && m_text[next] == '+') next = skip_space(next + 1, inside);
        if (next >= m_text.size() || literal_opening(m_text, next).length == 0) return false;
        m_pos = next;
        return true;
    }

    size_t skip_space(size_t pos, bool inside) const {
        while (pos < m_text.size()) {
            if (is_blank(m_text[pos]) || (inside && m_text[pos] == '\n')) {
                ++pos;
            } else if (m_text.compare(pos, 2, "\\\n") == 0) {
                pos += 2;
            } else if (inside && m_text[pos] == '#') {
                pos = std::min(m_text.find('\n', pos), m_text.size());
            } else {
                break;
            }
        }
        return pos;
    }

    bool at_statement_end() const {
        const size_t next = skip_space(m_pos, false);
        return next >= m_text.size() || m_text[next] == '\n' || m_text[next] == ';' || m_text[next] == '#';
    }

    const SourceView& m_source;
    const std::string& m_text;
    SourceView& m_code;
    SourceView& m_python;
    SourceView& m_kernels;
    int m_nesting;
    bool m_docstrings_count = false;
    bool m_at_statement_start = true;
    size_t m_pos = 0;
};

}  // namespace

void scan_python(const SourceView& source, CandidateViews& views) {
    PythonScanner(source, views, 0).scan();
}

}  // namespace kforge
