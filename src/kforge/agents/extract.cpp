#include "kforge/agents/extract.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <vector>

#include "kforge/agents/fences.hpp"
#include "kforge/agents/python_names.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

const RE2 k_class(R"((?m)^class[ \t]+(?:NewModel|ModelNew)[ \t]*[(:])");
const RE2 k_imports_torch(R"((?m)^[ \t]*(?:import|from)[ \t]+torch\b)");
const RE2 k_forward(R"((?m)^[ \t]+def[ \t]+forward\b)");
const RE2 k_forward_returns(R"((?s)\n[ \t]+def[ \t]+forward\b.*\n[ \t]+return\b)");
const RE2 k_elision(
    R"((?mi)^[ \t]*(?:#|//)[ \t]*(?:\.\.\.|…|\[?(?:the )?(?:rest|remainder) (?:of|is|stays|remains|unchanged)))");
const RE2 k_import_line(R"(^(?:import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b).*)");
const RE2 k_statement_line(
    R"(^(?:(?:import|from|class|def|if|elif|else|try|except|finally|for|while|with|async|del|assert|raise|global|pass)\b|[@#)\]}"'\\]|[\w.]+\(|[\w.,\[\]* ]+(?::[^=]*)?[-+*/|&]?=).*)");

constexpr std::array<std::string_view, 6> k_not_python = {"diff", "patch", "text", "bash", "sh", "console"};

bool matches(const RE2& pattern, std::string_view text) {
    return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

bool defines_candidate(const FencedBlock& block) {
    return matches(k_class, block.text) &&
           std::find(k_not_python.begin(), k_not_python.end(), block.language) == k_not_python.end();
}

bool is_whole_file(const FencedBlock& block) {
    return matches(k_imports_torch, block.text) && matches(k_forward, block.text) &&
           !matches(k_elision, block.text);
}

// Whether text that was cut off may still hold a usable file.
bool survives_cut(const std::string& text) {
    PythonStrings strings;
    for (const std::string& line : split_lines(text)) strings.feed(line);
    return !strings.inside() && matches(k_forward_returns, text);
}

std::string tidy(std::string_view code) {
    const size_t first = code.find_first_not_of('\n');
    const size_t last = code.find_last_not_of(" \t\n");
    return first == std::string_view::npos || last == std::string_view::npos
               ? std::string()
               : std::string(code.substr(first, last - first + 1)) + '\n';
}

void add_note(std::string& notes, std::string_view note) {
    notes += (notes.empty() ? "" : "; ") + std::string(note);
}

const FencedBlock* choose(const std::vector<const FencedBlock*>& usable) {
    const FencedBlock* chosen = nullptr;
    for (const FencedBlock* block : usable)
        if (is_whole_file(*block)) chosen = block;
    if (chosen != nullptr) return chosen;
    for (const FencedBlock* block : usable)
        if (chosen == nullptr || block->text.size() >= chosen->text.size()) chosen = block;
    return chosen;
}

// `chosen` with the earlier blocks that define what it uses, in the order of the answer.
Extraction with_missing_parts(const std::vector<FencedBlock>& blocks, const FencedBlock& chosen) {
    std::string code = chosen.text;
    int joined = 1;
    for (size_t i = static_cast<size_t>(&chosen - blocks.data()); i-- > 0;) {
        const FencedBlock& block = blocks[i];
        const bool python = block.language.empty() || block.language.starts_with("py");
        if (!python || !block.closed || matches(k_class, block.text)) continue;
        const std::vector<std::string> names = names_defined_by(block.text);
        if (std::none_of(names.begin(), names.end(),
                         [&](const std::string& name) { return lacks_name(code, name); }))
            continue;
        code = tidy(block.text) + "\n\n" + code;
        ++joined;
    }
    Extraction extraction{std::move(code), {}};
    if (joined > 1)
        add_note(extraction.note,
                 fmt::format("{} code blocks were joined: the last one uses names of the others", joined));
    return extraction;
}

std::optional<Extraction> from_blocks(const std::vector<FencedBlock>& blocks, bool truncated) {
    std::vector<const FencedBlock*> usable;
    std::vector<const FencedBlock*> broken;
    for (const FencedBlock& block : blocks) {
        if (!defines_candidate(block)) continue;
        const bool complete = block.closed || (block.at_end && !truncated);
        (complete ? usable : broken).push_back(&block);
    }
    const size_t count = usable.size() + broken.size();
    const bool cut = usable.empty();
    if (cut) {
        broken.erase(std::remove_if(broken.begin(), broken.end(),
                                    [](const FencedBlock* block) { return !survives_cut(block->text); }),
                     broken.end());
        usable = broken;
    }
    const FencedBlock* chosen = choose(usable);
    if (chosen == nullptr) return std::nullopt;
    Extraction extraction = with_missing_parts(blocks, *chosen);
    if (count > 1) add_note(extraction.note, fmt::format("one of {} code blocks with the class", count));
    if (cut && truncated)
        add_note(extraction.note, "the answer was cut off inside the code block");
    else if (!chosen->closed)
        add_note(extraction.note, "the code block was not closed");
    else if (truncated)
        add_note(extraction.note, "the answer was cut off after the code block");
    return extraction;
}

// A block of Markdown that itself holds the answer.
std::optional<Extraction> from_nested(const std::vector<FencedBlock>& blocks, bool truncated) {
    for (const FencedBlock& block : blocks) {
        if (block.language != "markdown" && block.language != "md" && !block.language.empty()) continue;
        const std::vector<FencedBlock> inner = find_fenced_blocks(split_lines(block.text));
        if (auto extraction = from_blocks(inner, truncated && !block.closed)) return extraction;
    }
    return std::nullopt;
}

// From the first import to the first line after the class that cannot be Python.
std::optional<Extraction> from_bare_text(const std::vector<std::string>& lines, bool truncated) {
    size_t first = 0;
    while (first < lines.size() && !matches(k_import_line, lines[first])) ++first;
    PythonStrings strings;
    std::string code;
    bool seen_class = false;
    bool seen_end = false;
    for (size_t i = first; i < lines.size() && !seen_end; ++i) {
        const std::string& line = lines[i];
        const bool starts_statement = !strings.inside() && !line.empty() && line[0] != ' ' && line[0] != '\t';
        seen_end = seen_class && starts_statement && !matches(k_statement_line, line);
        if (seen_end) break;
        seen_class = seen_class || (starts_statement && matches(k_class, line));
        strings.feed(line);
        code += line + '\n';
    }
    if (!seen_class || !matches(k_forward, code)) return std::nullopt;
    if (truncated && !seen_end && !survives_cut(code)) return std::nullopt;
    Extraction extraction{std::move(code), "no fenced block: the Python text of the answer was taken"};
    if (truncated) add_note(extraction.note, "the answer was cut off");
    return extraction;
}

}  // namespace

std::optional<Extraction> extract_candidate(const std::string& answer, bool truncated) {
    const std::vector<std::string> lines = split_lines(clean_answer(answer));
    const std::vector<FencedBlock> blocks = find_fenced_blocks(lines);
    std::optional<Extraction> extraction = from_nested(blocks, truncated);
    if (!extraction) extraction = from_blocks(blocks, truncated);
    if (!extraction && std::none_of(blocks.begin(), blocks.end(), defines_candidate))
        extraction = from_bare_text(lines, truncated);
    if (extraction) extraction->code = tidy(extraction->code);
    return extraction;
}

}  // namespace kforge
