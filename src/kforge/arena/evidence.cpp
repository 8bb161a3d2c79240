#include "kforge/arena/evidence.hpp"

#include <fmt/format.h>

#include "kforge/arena/diagnostics.hpp"
#include "kforge/arena/traceback.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_evidence_limit = 4000;
constexpr size_t k_line_limit = 300;
constexpr size_t k_shown_errors = 5;
constexpr size_t k_shown_exceptions = 3;
constexpr size_t k_shown_frames = 3;
constexpr size_t k_message_lines = 12;
constexpr size_t k_tail_lines = 25;

std::string clip(std::string_view line) {
    if (line.size() <= k_line_limit) return std::string(line);
    size_t end = k_line_limit;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    return std::string(line.substr(0, end)) + " [...]";
}

std::string capped(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    return sanitize(elide_middle(text, k_evidence_limit));
}

std::string tail(const std::vector<std::string>& lines) {
    const size_t first = lines.size() > k_tail_lines ? lines.size() - k_tail_lines : 0;
    std::string text;
    for (size_t i = first; i < lines.size(); ++i) text += clip(lines[i]) + '\n';
    return capped(text);
}

// The line of `source` that equals `quoted` but for the blanks around it, if there is exactly one; else 0.
size_t find_once(const std::vector<std::string>& source, std::string_view quoted) {
    size_t found = 0;
    quoted = trim(quoted);
    for (size_t i = 0; !quoted.empty() && i < source.size(); ++i) {
        if (trim(source[i]) != quoted) continue;
        if (found != 0) return 0;
        found = i + 1;
    }
    return found;
}

std::string describe(const Diagnostic& diagnostic, const std::vector<std::string>& source) {
    std::string text = clip(fmt::format("{}{}error: {}", diagnostic.place,
                                        diagnostic.place.empty() ? "" : ": ", diagnostic.message)) +
                       '\n';
    for (const std::string& line : diagnostic.quoted) text += clip(line) + '\n';
    if (!diagnostic.required_from.empty())
        text += fmt::format("    (in a template used at {})\n", diagnostic.required_from);
    if (const size_t line = find_once(source, diagnostic.source_line))
        text += fmt::format("    (line {} of the candidate)\n", line);
    return text;
}

std::string describe(const Frame& frame) {
    std::string text = fmt::format("  File \"{}\", line {}{}{}\n", file_name(frame.file), frame.line,
                                   frame.function.empty() ? "" : ", in ", frame.function);
    for (const std::string& line : frame.code) text += clip(line) + '\n';
    return text;
}

std::string describe(const PythonException& exception) {
    std::vector<Frame> own;
    for (const Frame& frame : exception.frames)
        if (!frame.in_library) own.push_back(frame);
    const bool raised_in_library = !exception.frames.empty() && exception.frames.back().in_library;
    if (own.empty()) own = exception.frames;
    std::string text;
    for (size_t i = own.size() > k_shown_frames ? own.size() - k_shown_frames : 0; i < own.size(); ++i)
        text += describe(own[i]);
    if (const Frame* last = exception.frames.empty() ? nullptr : &exception.frames.back();
        raised_in_library && own.size() != exception.frames.size())
        text += fmt::format("  (raised in {}, line {}, in {})\n", file_name(last->file), last->line,
                            last->function);
    for (size_t i = 0; i < exception.message.size() && i < k_message_lines; ++i)
        text += clip(exception.message[i]) + '\n';
    if (exception.message.size() > k_message_lines)
        text += fmt::format("[... {} more lines ...]\n", exception.message.size() - k_message_lines);
    return text;
}

}  // namespace

std::string compiler_evidence(std::string_view raw, std::string_view source) {
    const std::vector<std::string> lines = split_lines(sanitize(raw));
    const Diagnostics found = find_diagnostics(lines);
    if (found.errors.empty()) return tail(without_build_noise(lines));
    const std::vector<std::string> source_lines = split_lines(source);
    std::string text;
    size_t shown = 0;
    for (const Diagnostic& diagnostic : found.errors) {
        const std::string description = describe(diagnostic, source_lines);
        if (shown == k_shown_errors || (shown > 0 && text.size() + description.size() > k_evidence_limit))
            break;
        text += description;
        ++shown;
    }
    if (const size_t more = found.errors.size() - shown; more > 0)
        text += fmt::format("{} more error{}\n", more, more == 1 ? "" : "s");
    if (found.repeats > 0)
        text += fmt::format("{} repeat{} of these messages left out\n", found.repeats,
                            found.repeats == 1 ? "" : "s");
    return capped(text);
}

std::string traceback_evidence(std::string_view raw) {
    const std::vector<std::string> lines = split_lines(sanitize(raw));
    const std::vector<PythonException> chain = find_exceptions(lines);
    if (chain.empty()) return tail(lines);
    std::string text;
    for (size_t i = chain.size() > k_shown_exceptions ? chain.size() - k_shown_exceptions : 0;
         i < chain.size(); ++i) {
        if (!text.empty() && !chain[i].link.empty()) text += '\n' + chain[i].link + "\n\n";
        text += describe(chain[i]);
    }
    return capped(text);
}

bool looks_like_compiler_output(std::string_view raw) {
    const std::vector<std::string> lines = split_lines(sanitize(raw));
    return !find_diagnostics(lines).errors.empty() || mentions_failed_build(lines);
}

}  // namespace kforge
