// Problems as files: the suites below the problem roots, and what a user may call one.
#pragma once

#include <string>
#include <vector>

#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

struct ProblemFile {
    std::string suite;  // the folder's name: "gemm-tail"
    std::string stem;   // "09_linear_sub_mul_relu"
    fs::path path;

    std::string name() const { return suite + "/" + stem; }
};

// Every suite/stem.py below `roots` (earlier roots win), sorted by name.
std::vector<ProblemFile> list_problems(const std::vector<fs::path>& roots);

// A path, "suite/stem", or a part of it that only one problem has: its stem with or without the number before
// it, the number, or the beginning of the stem. Unknown or ambiguous: a usage error that says what is near.
Result<fs::path> resolve_problem(const std::vector<fs::path>& roots, const std::string& name);

// The same, and a suite's name or a folder means every problem in it.
Result<std::vector<fs::path>> resolve_problems(const std::vector<fs::path>& roots, const std::string& name);

// The first line of the file's docstring or leading comment; empty when it has none.
std::string problem_summary(const std::string& source);

}  // namespace kforge
