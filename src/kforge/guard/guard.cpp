#include "kforge/guard/guard.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "kforge/guard/source_view.hpp"
#include "kforge/util/text.hpp"

namespace kforge {

namespace {

constexpr size_t k_lines_per_rule = 5;
constexpr size_t k_longest_line = 200;

using Pattern = std::shared_ptr<const re2::RE2>;

Result<Pattern> compile_pattern(const GuardRule& rule, const std::string& text) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    auto pattern = std::make_shared<const re2::RE2>("(?m)" + text, options);
    if (pattern->ok()) return Pattern(pattern);
    return Error{ErrorKind::config, fmt::format("guard rule '{}' ({}): the pattern {} is not valid RE2: {}",
                                                rule.name, rule.origin, text, pattern->error())};
}

const SourceView& view_for(const CandidateViews& views, GuardScope scope) {
    switch (scope) {
        case GuardScope::python:
            return views.python;
        case GuardScope::kernels:
            return views.kernels;
        case GuardScope::anywhere:
            return views.anywhere;
        case GuardScope::code:
            break;
    }
    return views.code;
}

// The lines that the bytes [begin, end) lie on.
std::string_view lines_around(std::string_view text, size_t begin, size_t end) {
    const size_t before = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
    const size_t first = before == std::string_view::npos ? 0 : before + 1;
    return text.substr(first, text.find('\n', end) - first);
}

int line_of(const SourceView& view, size_t begin, size_t end) {
    if (view.lines.empty()) return 1;
    // A pattern that begins with \s may begin on an earlier line than what it is about.
    const size_t visible = view.text.find_first_not_of(" \t\n", begin);
    return view.lines[std::min(visible < end ? visible : begin, view.lines.size() - 1)];
}

// The lines of the candidate, in order, on which `pattern` matches and `unless` does not.
std::vector<int> matching_lines(const SourceView& view, const re2::RE2& pattern, const re2::RE2* unless) {
    std::set<int> lines;
    const re2::StringPiece text(view.text);
    re2::StringPiece match;
    size_t judged = 0;  // `unless` does not match on the line that ends here: judge a long line only once
    for (size_t pos = 0; pos <= view.text.size() && lines.size() < k_lines_per_rule;) {
        if (!pattern.Match(text, pos, text.size(), re2::RE2::UNANCHORED, &match, 1)) break;
        const size_t begin = match.data() - text.data();
        const size_t end = begin + match.size();
        pos = std::max(end, begin + 1);
        if (unless != nullptr && end > judged) {
            const std::string_view around = lines_around(view.text, begin, end);
            judged = around.data() + around.size() - view.text.data();
            if (re2::RE2::PartialMatch(re2::StringPiece(around.data(), around.size()), *unless)) {
                pos = std::max(pos, judged);
                continue;
            }
        }
        lines.insert(line_of(view, begin, end));
    }
    return {lines.begin(), lines.end()};
}

std::string line_text(const std::vector<std::string>& lines, int number) {
    if (number < 1 || static_cast<size_t>(number) > lines.size()) return {};
    const std::string_view line = trim(lines[number - 1]);
    if (line.size() <= k_longest_line) return sanitize(line);
    return sanitize(line.substr(0, k_longest_line)) + " ...";
}

}  // namespace

Result<Guard> Guard::compile(std::vector<GuardRule> rules, Precision precision) {
    Guard guard;
    for (GuardRule& rule : rules) {
        Patterns patterns;
        TRY_ASSIGN(patterns.pattern, compile_pattern(rule, rule.pattern));
        if (!rule.unless.empty()) {
            TRY_ASSIGN(patterns.unless, compile_pattern(rule, rule.unless));
        }
        const auto& under = rule.precisions;
        if (!under.empty() && std::find(under.begin(), under.end(), to_string(precision)) == under.end())
            continue;
        guard.m_rules.push_back(std::move(rule));
        guard.m_patterns.push_back(std::move(patterns));
    }
    return guard;
}

std::vector<GuardFinding> Guard::check(const std::string& candidate) const {
    const CandidateViews views = view_candidate(candidate);
    const std::vector<std::string> lines = split(views.anywhere.text, '\n');
    std::vector<GuardFinding> findings;
    for (size_t i = 0; i < m_rules.size(); ++i) {
        const GuardRule& rule = m_rules[i];
        const std::vector<int> matches =
            matching_lines(view_for(views, rule.scope), *m_patterns[i].pattern, m_patterns[i].unless.get());
        const GuardFinding finding{rule.name, rule.pattern, rule.why, rule.origin, 0, ""};
        if (rule.required) {
            if (matches.empty()) findings.push_back(finding);
            continue;
        }
        for (const int line : matches) {
            findings.push_back(finding);
            findings.back().line = line;
            findings.back().text = line_text(lines, line);
        }
    }
    return findings;
}

Result<std::vector<GuardRule>> lift_for_reference(std::vector<GuardRule> rules, const std::string& problem) {
    std::vector<GuardRule> bans;
    for (GuardRule rule : rules) {
        if (rule.required) continue;
        rule.precisions.clear();
        if (!rule.lifted_by.empty()) {
            bans.push_back(rule);
            bans.back().pattern = rule.lifted_by;
            bans.back().unless.clear();
            bans.back().scope = GuardScope::code;
        }
        bans.push_back(std::move(rule));
    }
    TRY_ASSIGN(const Guard guard, Guard::compile(std::move(bans), Precision::strict));
    std::set<std::string> lifted;
    for (const GuardFinding& finding : guard.check(problem)) lifted.insert(finding.rule);
    std::erase_if(rules, [&](const GuardRule& rule) { return !rule.required && lifted.contains(rule.name); });
    return rules;
}

}  // namespace kforge
