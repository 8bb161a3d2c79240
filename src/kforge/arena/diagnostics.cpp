#include "kforge/arena/diagnostics.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <optional>
#include <set>
#include <utility>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_quoted_limit = 5;
constexpr size_t k_triton_lines = 4;

// gcc and clang: file:line:col: error: message
const RE2 k_gcc(R"(^([^\s:][^:]*):(\d+):(?:(\d+):)? +(?:fatal error|internal compiler error|error): *(.*)$)");
// nvcc, NVRTC: file(line): error #123: message
const RE2 k_nvcc(R"(^([^\s(][^(]*)\((\d+)\): +(?:catastrophic )?error(?: +#[\w-]+)?: *(.*)$)");
const RE2 k_ptxas(R"(^(ptxas|nvlink) +(?:error|fatal) *: *(.*)$)");
const RE2 k_linker(R"(^.*\b(undefined reference to .*|multiple definition of .*)$)");
const RE2 k_linker_input(
    R"(^(?:\S*\bld(?:\.\w+)?|ld\.lld|mold): (?:error: )?((?:cannot find|cannot open|undefined symbol|duplicate symbol|unable to find) .*)$)");
const RE2 k_driver(
    R"(^(?:[\w./+-]*(?:g\+\+|gcc|c\+\+|clang\+\+|clang|cc1plus|nvcc|hipcc|icpx)(?:-\d+)?)(?: fatal +|: (?:fatal )?error): *(.*)$)");
const RE2 k_triton(R"(^.*\bCompilationError: at (\d+):(\d+):.*$)");

const RE2 k_required_from(R"(^(.+:\d+(?::\d+)?): +required from here.*$)");
const RE2 k_bar(R"(^ *(\d*) \|(.*)$)");
const RE2 k_caret(R"(^[ \t~^|]*\^[ \t~^|]*$)");
const RE2 k_failed_build(
    R"(.*(?:Error building extension|ninja: build stopped|NVRTC_ERROR_COMPILATION|collect2: error: ld returned|error: command .* failed).*)");
const RE2 k_noise(
    R"(^(?:\[\d+/\d+\] .*|FAILED: .*|ninja: .*|Using .* as PyTorch extensions root.*|.*-DTORCH_EXTENSION_NAME=.*)$)");

std::string place_of(std::string_view file, std::string_view line, std::string_view column) {
    return fmt::format("{}:{}{}{}", file_name(file), line, column.empty() ? "" : ":", column);
}

std::optional<Diagnostic> parse(const std::string& line) {
    Diagnostic found;
    std::string file, number, column;
    if (RE2::FullMatch(line, k_gcc, &file, &number, &column, &found.message)) {
        found.place = place_of(file, number, column);
        return found;
    }
    if (RE2::FullMatch(line, k_nvcc, &file, &number, &found.message)) {
        found.place = place_of(file, number, "");
        return found;
    }
    if (RE2::FullMatch(line, k_ptxas, &found.place, &found.message)) return found;
    if (RE2::FullMatch(line, k_linker, &found.message) ||
        RE2::FullMatch(line, k_linker_input, &found.message) ||
        RE2::FullMatch(line, k_driver, &found.message))
        return found;
    return std::nullopt;
}

// Source and caret lines after line `at`: gcc's "   12 | code", or clang's and nvcc's two plain lines.
void take_quoted(const std::vector<std::string>& lines, size_t at, Diagnostic& diagnostic) {
    std::string number, code;
    for (size_t i = at + 1; i < lines.size() && i - at <= k_quoted_limit; ++i) {
        if (!RE2::FullMatch(lines[i], k_bar, &number, &code)) break;
        if (diagnostic.source_line.empty() && !number.empty()) diagnostic.source_line = code;
        diagnostic.quoted.push_back(lines[i]);
    }
    if (!diagnostic.quoted.empty() || at + 2 >= lines.size()) return;
    if (!trim(lines[at + 1]).empty() && RE2::FullMatch(lines[at + 2], k_caret)) {
        diagnostic.source_line = lines[at + 1];
        diagnostic.quoted = {lines[at + 1], lines[at + 2]};
    }
}

// Triton quotes the whole function down to the caret; the message follows.
std::optional<Diagnostic> parse_triton(const std::vector<std::string>& lines, size_t at) {
    std::string number, column;
    if (!RE2::FullMatch(lines[at], k_triton, &number, &column)) return std::nullopt;
    Diagnostic found;
    found.place = fmt::format("Triton kernel, line {}, column {}", number, column);
    size_t caret = at + 1;
    while (caret < lines.size() && !RE2::FullMatch(lines[caret], k_caret)) ++caret;
    if (caret == lines.size()) {
        found.message = "compilation failed";
        return found;
    }
    const size_t first = caret > at + k_triton_lines ? caret - k_triton_lines + 1 : at + 1;
    found.quoted.assign(lines.begin() + static_cast<long>(first),
                        lines.begin() + static_cast<long>(caret) + 1);
    if (caret > at + 1) found.source_line = lines[caret - 1];
    for (size_t i = caret + 1; i < lines.size() && !trim(lines[i]).empty(); ++i)
        found.message += (found.message.empty() ? "" : " ") + std::string(trim(lines[i]));
    return found;
}

}  // namespace

std::string file_name(std::string_view path) {
    const size_t slash = path.find_last_of("/\\");
    return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

Diagnostics find_diagnostics(const std::vector<std::string>& lines) {
    Diagnostics found;
    std::set<std::string> messages;
    std::string required_from;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (std::string place; RE2::FullMatch(lines[i], k_required_from, &place))
            required_from = file_name(place);
        std::optional<Diagnostic> diagnostic = parse(lines[i]);
        if (diagnostic)
            take_quoted(lines, i, *diagnostic);
        else
            diagnostic = parse_triton(lines, i);
        if (!diagnostic) continue;
        diagnostic->required_from = std::exchange(required_from, {});
        if (messages.insert(diagnostic->message).second)
            found.errors.push_back(std::move(*diagnostic));
        else
            ++found.repeats;
    }
    return found;
}

bool mentions_failed_build(const std::vector<std::string>& lines) {
    for (const std::string& line : lines)
        if (RE2::FullMatch(line, k_failed_build)) return true;
    return false;
}

std::vector<std::string> without_build_noise(const std::vector<std::string>& lines) {
    std::vector<std::string> kept;
    for (const std::string& line : lines)
        if (!RE2::FullMatch(line, k_noise)) kept.push_back(line);
    return kept;
}

}  // namespace kforge
