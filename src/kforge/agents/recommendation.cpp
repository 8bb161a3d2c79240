#include "kforge/agents/recommendation.hpp"

#include <re2/re2.h>

#include <vector>

#include "kforge/agents/fences.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_limit = 2000;

const RE2 k_preamble(
    R"((?i)^(?:sure|certainly|of course|okay|ok|here(?:'s| is| are)|based on|looking at|after (?:reviewing|analy[sz]ing)|the following|my (?:top )?recommendations?|(?:top |key )?\d* ?recommendations?)\b.*[:!]$)");
// A heading that says nothing but what it heads.
const RE2 k_label(
    R"((?i)^(?:the |my |single |one |top |key |main |final |primary )*(?:recommendations?|analysis|suggestion|answer|title)(?: ?#?\d+)?[ \t]*[:.]?$)");
const RE2 k_label_prefix(R"((?i)^(?:\W*)(?:recommendation|title)(?: ?#?\d+)?\W*:\W*)");
// The mark of the first or a later entry of an enumeration, as item, heading or bold text.
const RE2 k_entry(
    R"(^(?:#{1,6}[ \t]*)?(?:\*\*|__)?(?:(?i:recommendation|option|suggestion)[ \t]*#?)?(\d{1,2})(?:\*\*)?[.):](?:\*\*)?[ \t]*(.*)$)");
const RE2 k_bullet(R"(^[-*•][ \t]+(.*)$)");
const RE2 k_second_thoughts(
    R"((?i)^(?:#{1,6}[ \t]*)?(?:\*\*)?(?:(?:other|additional|further|secondary|alternative|next)(?: (?:recommendations?|suggestions?|options?|steps?|optimi[sz]ations?|improvements?))|alternatively|if (?:you have|there is) (?:more )?time|secondary)\b.*)");
const RE2 k_none(R"((?i)^(?:none|n/?a|no (?:further )?recommendations?.{0,40})\.?$)");

bool full(std::string_view line, const RE2& pattern) {
    return RE2::FullMatch(re2::StringPiece(line.data(), line.size()), pattern);
}

// A line without heading marks and without emphasis around all of it.
std::string plain(std::string_view line) {
    line = trim(line);
    while (line.starts_with('#')) line.remove_prefix(1);
    line = trim(line);
    std::string text(line);
    RE2::Replace(&text, k_label_prefix, "");
    for (std::string_view mark : {"**", "__", "*", "`"}) {
        const std::string_view view = text;
        if (view.size() > 2 * mark.size() && view.starts_with(mark) && view.ends_with(mark) &&
            view.substr(mark.size(), view.size() - 2 * mark.size()).find(mark) == std::string_view::npos)
            text = text.substr(mark.size(), text.size() - 2 * mark.size());
    }
    // "**1. Title**" without its number leaves the closing mark alone.
    if (text.ends_with("**") && text.find("**") + 2 == text.size()) text.resize(text.size() - 2);
    return text;
}

// The answer without a fence that wraps all of it.
std::vector<std::string> unwrapped(std::string_view answer) {
    const std::vector<std::string> lines = split_lines(trim(answer));
    const std::vector<FencedBlock> blocks = find_fenced_blocks(lines);
    if (!blocks.empty() && blocks.front().first_line == 0 && blocks.back().last_line + 1 == lines.size() &&
        blocks.size() == 1)
        return split_lines(trim(blocks.front().text));
    return lines;
}

size_t skip_preamble(const std::vector<std::string>& lines) {
    size_t first = 0;
    while (first < lines.size()) {
        const std::string line = plain(lines[first]);
        const bool rule = line.find_first_not_of("-=*_ ") == std::string::npos;
        if (!rule && !full(line, k_preamble) && !full(line, k_label)) break;
        ++first;
    }
    return first;
}

int entry_number(const std::string& line, std::string* rest) {
    int number = 0;
    return RE2::FullMatch(line, k_entry, &number, rest) ? number : 0;
}

// The lines of the first recommendation, from `first` on. An enumeration counts as several recommendations
// only where it begins the text; behind a title or a paragraph it lists the steps of one.
std::vector<std::string> first_entry(const std::vector<std::string>& lines, size_t first) {
    std::vector<std::string> kept;
    std::string rest;
    const bool numbered = entry_number(lines[first], &rest) == 1;
    const bool bulleted = !numbered && RE2::FullMatch(lines[first], k_bullet, &rest);
    kept.push_back(numbered || bulleted ? plain(rest) : plain(lines[first]));
    for (size_t i = first + 1; i < lines.size(); ++i) {
        if (numbered && entry_number(lines[i], &rest) > 1) break;
        if (bulleted && RE2::FullMatch(lines[i], k_bullet)) break;
        if (full(lines[i], k_second_thoughts)) break;
        kept.push_back(lines[i]);
    }
    return kept;
}

std::string shortened(std::string text) {
    if (text.size() <= k_limit) return text;
    std::string_view head = std::string_view(text).substr(0, k_limit);
    size_t end = head.find_last_of(".!?\n");
    if (end == std::string_view::npos || end < k_limit / 2) end = head.find_last_of(" \n");
    std::string cut(trim(head.substr(0, end == std::string_view::npos ? k_limit : end + 1)));
    const std::vector<FencedBlock> blocks = find_fenced_blocks(split_lines(cut));
    if (!blocks.empty() && !blocks.back().closed) cut += "\n```";
    return sanitize(cut);
}

}  // namespace

std::optional<std::string> extract_recommendation(const std::string& answer) {
    const std::vector<std::string> lines = unwrapped(clean_answer(answer));
    const size_t first = skip_preamble(lines);
    if (first == lines.size()) return std::nullopt;
    const std::string text(trim(join(first_entry(lines, first), "\n")));
    if (text.empty() || full(text, k_none)) return std::nullopt;
    return shortened(text);
}

}  // namespace kforge
