#include "kforge/cli/problem_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> paths;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::vector<fs::path> python_files(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::path& path : entries(folder)) {
        const std::string name = path.filename().string();
        if (path.extension() == ".py" && name.front() != '_' && name.front() != '.') files.push_back(path);
    }
    return files;
}

// "09_linear" is number 9, bare name "linear".
struct Numbered {
    std::string number;  // without leading zeros; empty: none
    std::string bare;
};

std::string without_zeros(const std::string& digits) {
    const size_t first = digits.find_first_not_of('0');
    return first == std::string::npos ? "0" : digits.substr(first);
}

Numbered numbered(const std::string& stem) {
    const size_t end = stem.find_first_not_of("0123456789");
    if (end == 0 || end == std::string::npos || stem[end] != '_') return {"", stem};
    return {without_zeros(stem.substr(0, end)), stem.substr(end + 1)};
}

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// Ever looser ways to call a problem; the first under which something matches decides.
using Match = bool (*)(const std::string& stem, const std::string& wanted);
constexpr Match k_matches[] = {
    [](const std::string& stem, const std::string& wanted) { return stem == wanted; },
    [](const std::string& stem, const std::string& wanted) {
        const Numbered parts = numbered(stem);
        return parts.bare == wanted || (is_number(wanted) && parts.number == without_zeros(wanted));
    },
    [](const std::string& stem, const std::string& wanted) {
        return !is_number(wanted) &&
               (stem.rfind(wanted, 0) == 0 || numbered(stem).bare.rfind(wanted, 0) == 0);
    },
};

std::string names_of(const std::vector<ProblemFile>& problems) {
    std::vector<std::string> names;
    for (const ProblemFile& problem : problems) names.push_back(problem.name());
    if (names.size() > 6) {
        const size_t more = names.size() - 6;
        names.resize(6);
        names.push_back(fmt::format("{} more", more));
    }
    return join(names, ", ");
}

Error unknown_problem(const std::vector<ProblemFile>& problems, const std::string& name,
                      const std::string& wanted) {
    std::vector<std::string> known;
    for (const ProblemFile& problem : problems) {
        known.push_back(problem.name());
        known.push_back(problem.stem);
        known.push_back(numbered(problem.stem).bare);
    }
    std::string near = nearest(name, known);
    if (near.empty()) near = nearest(wanted, known);
    return Error{ErrorKind::usage,
                 fmt::format("there is no problem '{}', neither a file nor a built-in one: {}", name,
                             near.empty() ? "see kforge problems" : "did you mean '" + near + "'?")};
}

}  // namespace

std::vector<ProblemFile> list_problems(const std::vector<fs::path>& roots) {
    std::map<std::string, ProblemFile> found;
    for (const fs::path& root : roots)
        for (const fs::path& suite : entries(root))
            if (is_folder(suite))
                for (const fs::path& file : python_files(suite)) {
                    ProblemFile problem{suite.filename().string(), file.stem().string(), file};
                    found.emplace(problem.name(), problem);
                }
    std::vector<ProblemFile> problems;
    for (auto& [name, problem] : found) problems.push_back(std::move(problem));
    return problems;
}

Result<fs::path> resolve_problem(const std::vector<fs::path>& roots, const std::string& name) {
    std::error_code ignored;
    if (fs::exists(name, ignored) && !is_folder(name)) return fs::path(name);
    const std::vector<ProblemFile> problems = list_problems(roots);

    std::string wanted = name;
    if (wanted.size() > 3 && wanted.ends_with(".py")) wanted.resize(wanted.size() - 3);
    const size_t slash = wanted.rfind('/');
    const std::string suite = slash == std::string::npos ? "" : wanted.substr(0, slash);
    if (slash != std::string::npos) wanted.erase(0, slash + 1);

    for (const Match match : k_matches) {
        std::vector<ProblemFile> matching;
        for (const ProblemFile& problem : problems)
            if (!wanted.empty() && (suite.empty() || problem.suite == suite) && match(problem.stem, wanted))
                matching.push_back(problem);
        if (matching.size() == 1) return matching.front().path;
        if (matching.size() > 1)
            return Error{ErrorKind::usage,
                         fmt::format("'{}' could be any of {}: say which", name, names_of(matching))};
    }
    if (is_folder(name) || std::any_of(problems.begin(), problems.end(),
                                       [&](const ProblemFile& problem) { return problem.suite == name; }))
        return Error{
            ErrorKind::usage,
            fmt::format("'{}' is a folder of problems: name one of them (see kforge problems)", name)};
    return unknown_problem(problems, name, wanted);
}

Result<std::vector<fs::path>> resolve_problems(const std::vector<fs::path>& roots, const std::string& name) {
    if (is_folder(name)) {
        std::vector<fs::path> files = python_files(name);
        if (!files.empty()) return files;
        return Error{ErrorKind::usage, fmt::format("the folder {} holds no problem (no .py file)", name)};
    }
    std::vector<fs::path> files;
    for (const ProblemFile& problem : list_problems(roots))
        if (problem.suite == name) files.push_back(problem.path);
    if (!files.empty()) return files;
    TRY_ASSIGN(const fs::path file, resolve_problem(roots, name));
    return std::vector<fs::path>{file};
}

std::string problem_summary(const std::string& source) {
    std::string_view text = trim(source);
    const bool docstring = text.starts_with("\"\"\"") || text.starts_with("'''");
    if (docstring) text = text.substr(3, text.find(text.substr(0, 3), 3) - 3);
    for (const std::string& raw : split_lines(text)) {
        std::string_view line = trim(raw);
        if (line.starts_with("#!")) continue;
        if (!docstring && !line.starts_with("#")) return "";
        while (!docstring && line.starts_with("#")) line.remove_prefix(1);
        line = trim(line);
        if (!line.empty()) return sanitize(line);
    }
    return "";
}

}  // namespace kforge
