#include "kforge/agents/fences.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

struct Fence {
    size_t indent = 0;
    char mark = '`';
    size_t length = 0;
    std::string info;

    bool closes(const Fence& opening) const {
        return mark == opening.mark && length >= opening.length && info.empty();
    }
};

std::optional<Fence> parse_fence(std::string_view line) {
    Fence fence;
    fence.indent = std::min(line.find_first_not_of(" \t"), line.size());
    std::string_view rest = line.substr(fence.indent);
    if (rest.empty() || (rest[0] != '`' && rest[0] != '~')) return std::nullopt;
    fence.mark = rest[0];
    fence.length = std::min(rest.find_first_not_of(fence.mark), rest.size());
    if (fence.length < 3) return std::nullopt;
    fence.info = trim(rest.substr(fence.length));
    if (fence.info.find('`') != std::string::npos) return std::nullopt;
    return fence;
}

std::string language_of(const std::string& info) {
    std::string word;
    for (char c : info) {
        if (c == '{' && word.empty()) continue;
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '+' && c != '-' && c != '_') break;
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return word;
}

enum class End { closed, next_opening, end_of_answer };

struct BlockEnd {
    End end;
    size_t line;  // of the closing or the next opening fence, or the number of lines
};

BlockEnd find_end(const std::vector<std::string>& lines, size_t first, const Fence& opening,
                  bool heed_strings) {
    PythonStrings strings;
    for (size_t i = first; i < lines.size(); ++i) {
        if (const auto fence = parse_fence(lines[i]); fence && !(heed_strings && strings.inside())) {
            if (fence->closes(opening)) return {End::closed, i};
            if (fence->mark == opening.mark && fence->length >= opening.length && !fence->info.empty())
                return {End::next_opening, i};
        }
        strings.feed(lines[i]);
    }
    return {End::end_of_answer, lines.size()};
}

std::string dedented(const std::vector<std::string>& lines, size_t first, size_t last, size_t indent) {
    std::string text;
    for (size_t i = first; i < last; ++i) {
        const size_t blank = std::min(lines[i].find_first_not_of(" \t"), lines[i].size());
        text += lines[i].substr(std::min(blank, indent)) + '\n';
    }
    return text;
}

}  // namespace

std::string clean_answer(std::string_view answer) {
    if (answer.starts_with("\xEF\xBB\xBF")) answer.remove_prefix(3);
    const size_t thought = answer.rfind("</think>");
    if (thought != std::string_view::npos)
        answer.remove_prefix(thought + 8);
    else if (trim(answer).starts_with("<think>"))
        return {};
    return sanitize(answer);
}

std::vector<FencedBlock> find_fenced_blocks(const std::vector<std::string>& lines) {
    std::vector<FencedBlock> blocks;
    for (size_t i = 0; i < lines.size();) {
        const auto opening = parse_fence(lines[i]);
        if (!opening) {
            ++i;
            continue;
        }
        BlockEnd end = find_end(lines, i + 1, *opening, true);
        // A string that never ends says that this is broken Python or no Python: then any fence counts.
        if (end.end == End::end_of_answer) end = find_end(lines, i + 1, *opening, false);
        FencedBlock block;
        block.language = language_of(opening->info);
        block.text = dedented(lines, i + 1, end.line, opening->indent);
        block.first_line = i;
        block.closed = end.end == End::closed;
        block.at_end = end.end == End::end_of_answer;
        block.last_line = block.closed ? end.line : end.line - 1;
        blocks.push_back(std::move(block));
        i = end.end == End::closed ? end.line + 1 : end.line;
    }
    return blocks;
}

void PythonStrings::feed(std::string_view line) {
    for (size_t i = 0; i < line.size();) {
        const char c = line[i];
        if (m_quote != 0) {
            const bool ends = c == m_quote && line.substr(i, 3) == std::string(3, m_quote);
            if (ends) m_quote = 0;
            i += ends ? 3 : c == '\\' ? 2 : 1;
        } else if (c == '#') {
            return;
        } else if (c != '"' && c != '\'') {
            ++i;
        } else if (line.substr(i, 3) == std::string(3, c)) {
            m_quote = c;
            i += 3;
        } else {
            for (++i; i < line.size() && line[i] != c;) i += line[i] == '\\' ? 2 : 1;
            ++i;
        }
    }
}

}  // namespace kforge
