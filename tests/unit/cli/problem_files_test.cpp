#include "kforge/cli/problem_files.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

class ProblemFiles : public testing::Test {
  protected:
    void SetUp() override {
        auto folder = TemporaryDirectory::create(fs::temp_directory_path(), "kforge-problems-");
        ASSERT_TRUE(folder.ok());
        m_folder.emplace(std::move(folder).value());
        for (const char* name :
             {"user/mine/softmax_rows.py", "user/starter/01_chain.py", "data/starter/01_chain.py",
              "data/starter/02_masked_softmax.py", "data/starter/__init__.py",
              "data/gemm-tail/02_linear_relu.py", "data/gemm-tail/12_linear_gelu.py", "data/README.md"})
            ASSERT_TRUE(write_file_durable(m_folder->path() / name, "\"\"\"What it is.\"\"\"\n").ok());
        m_roots = {m_folder->path() / "user", m_folder->path() / "data", m_folder->path() / "absent"};
    }

    // Relative to the folder; or the error's text.
    std::string resolved(const std::string& name) {
        const auto path = resolve_problem(m_roots, name);
        if (path.ok()) return fs::relative(*path, m_folder->path()).string();
        EXPECT_EQ(path.error().kind, ErrorKind::usage);
        return path.error().message;
    }

    std::optional<TemporaryDirectory> m_folder;
    std::vector<fs::path> m_roots;
};

TEST_F(ProblemFiles, AreListedByNameAndTheUsersOwnWin) {
    std::vector<std::string> names;
    for (const ProblemFile& problem : list_problems(m_roots)) names.push_back(problem.name());
    EXPECT_EQ(names, (std::vector<std::string>{"gemm-tail/02_linear_relu", "gemm-tail/12_linear_gelu",
                                               "mine/softmax_rows", "starter/01_chain",
                                               "starter/02_masked_softmax"}));
    EXPECT_EQ(resolved("starter/01_chain"), "user/starter/01_chain.py");
}

TEST_F(ProblemFiles, AreCalledByPathFullNameStemBareNameNumberOrBeginning) {
    const std::string softmax = "data/starter/02_masked_softmax.py";
    EXPECT_EQ(resolved((m_folder->path() / softmax).string()), softmax);
    EXPECT_EQ(resolved("starter/02_masked_softmax"), softmax);
    EXPECT_EQ(resolved("starter/02_masked_softmax.py"), softmax);
    EXPECT_EQ(resolved("02_masked_softmax"), softmax);
    EXPECT_EQ(resolved("masked_softmax"), softmax);
    EXPECT_EQ(resolved("starter/masked_softmax"), softmax);
    EXPECT_EQ(resolved("starter/2"), softmax);
    EXPECT_EQ(resolved("masked"), softmax);
    EXPECT_EQ(resolved("12"), "data/gemm-tail/12_linear_gelu.py");
    EXPECT_EQ(resolved("1"), "user/starter/01_chain.py");  // a number is matched whole
    EXPECT_EQ(resolved("softmax_rows"), "user/mine/softmax_rows.py");
}

TEST_F(ProblemFiles, WhatCouldBeSeveralListsThem) {
    EXPECT_EQ(resolved("02"),
              "'02' could be any of gemm-tail/02_linear_relu, starter/02_masked_softmax: say which");
    EXPECT_EQ(resolved("linear"),
              "'linear' could be any of gemm-tail/02_linear_relu, gemm-tail/12_linear_gelu: say which");
}

TEST_F(ProblemFiles, WhatIsUnknownNamesTheNearest) {
    EXPECT_EQ(
        resolved("starter/02_masked_sotfmax"),
        "there is no problem 'starter/02_masked_sotfmax', neither a file nor a built-in one: did you mean "
        "'starter/02_masked_softmax'?");
    EXPECT_NE(resolved("linear_geluu").find("did you mean 'linear_gelu'?"), std::string::npos);
    EXPECT_NE(resolved("absent.py").find("see kforge problems"), std::string::npos);
    EXPECT_NE(resolved("").find("there is no problem"), std::string::npos);
    EXPECT_NE(resolved("starter").find("is a folder of problems"), std::string::npos);
}

TEST_F(ProblemFiles, ASuiteOrFolderMeansAllOfIt) {
    const auto suite = resolve_problems(m_roots, "gemm-tail");
    ASSERT_TRUE(suite.ok());
    EXPECT_EQ(suite->size(), 2u);
    const auto folder = resolve_problems(m_roots, (m_folder->path() / "data" / "starter").string());
    ASSERT_TRUE(folder.ok());
    EXPECT_EQ(folder->size(), 2u);  // without __init__.py
    EXPECT_EQ(resolve_problems(m_roots, "masked")->size(), 1u);
    EXPECT_FALSE(resolve_problems(m_roots, (m_folder->path() / "data").string()).ok());
}

TEST(ProblemSummary, IsTheFirstLineOfDocstringOrComment) {
    EXPECT_EQ(problem_summary("\"\"\"Row softmax.\n\nMore.\n\"\"\"\nimport torch\n"), "Row softmax.");
    EXPECT_EQ(problem_summary("\"\"\"\nRow softmax.\n\"\"\"\n"), "Row softmax.");
    EXPECT_EQ(problem_summary("'''One line.'''\n"), "One line.");
    EXPECT_EQ(problem_summary("#!/usr/bin/env python3\n#\n# A comment.\nimport torch\n"), "A comment.");
    EXPECT_EQ(problem_summary("import torch\n# not this\n"), "");
    EXPECT_EQ(problem_summary("\"\"\"\"\"\"\nimport torch\n"), "");
    EXPECT_EQ(problem_summary("\"\"\"never closed"), "never closed");
    EXPECT_EQ(problem_summary(""), "");
}

}  // namespace
}  // namespace kforge
