#include "kforge/agents/extract.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

const std::string k_file = R"(import torch
import torch.nn as nn

class NewModel(nn.Module):
    def forward(self, x):
        return torch.relu(x)
)";

std::string fenced(const std::string& code, const std::string& info = "python") {
    return "```" + info + "\n" + code + "```\n";
}

std::string with_return(const std::string& expression) {
    std::string code = k_file;
    code.replace(code.find("torch.relu(x)"), 13, expression);
    return code;
}

void expect_code(const std::string& answer, const std::string& code, bool truncated = false) {
    const auto found = extract_candidate(answer, truncated);
    ASSERT_TRUE(found.has_value()) << answer;
    EXPECT_EQ(found->code, code);
}

TEST(Extract, OneFencedBlockIsTakenAsItIsWithoutANote) {
    const auto found = extract_candidate(fenced(k_file), false);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->code, k_file);
    EXPECT_EQ(found->note, "");
}

TEST(Extract, TextAroundTheBlockIsIgnored) {
    expect_code("Here is the kernel. It fuses `relu`.\n\n" + fenced(k_file) + "\nThis is **2x** faster.\n",
                k_file);
}

TEST(Extract, AnyInfoStringAndTildesWillDo) {
    for (const std::string info :
         {"", "py", "Python", "python3", "python title=\"new_model.py\"", "{.python}", " python "})
        expect_code(fenced(k_file, info), k_file);
    expect_code("~~~python\n" + k_file + "~~~\n", k_file);
    expect_code("`````python\n" + k_file + "`````\n", k_file);
}

TEST(Extract, AnIndentedFenceIsDedented) {
    std::string answer = "1. The file:\n\n   ```python\n";
    for (size_t start = 0; start < k_file.size();) {
        const size_t end = k_file.find('\n', start);
        answer += (end == start ? "" : "   ") + k_file.substr(start, end - start) + "\n";
        start = end + 1;
    }
    expect_code(answer + "   ```\n", k_file);
}

TEST(Extract, CarriageReturnsAndAByteOrderMarkAreRemoved) {
    std::string answer = "\xEF\xBB\xBF";
    for (char c : fenced(k_file)) answer += c == '\n' ? std::string("\r\n") : std::string(1, c);
    expect_code(answer, k_file);
}

TEST(Extract, KernelBenchsClassNameIsAccepted) {
    std::string code = k_file;
    code.replace(code.find("NewModel"), 8, "ModelNew");
    expect_code(fenced(code), code);
}

TEST(Extract, TheLastWholeFileWinsOverDrafts) {
    const std::string final_code = with_return("x.clamp(min=0)");
    const auto found =
        extract_candidate("Draft:\n" + fenced(k_file) + "That is slow. Final:\n" + fenced(final_code), false);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->code, final_code);
    EXPECT_NE(found->note.find("one of 2 code blocks"), std::string::npos);
}

TEST(Extract, AFragmentAfterTheFileDoesNotReplaceIt) {
    const std::string fragment =
        "class NewModel(nn.Module):\n    def forward(self, x):\n        return y  # the key change\n";
    expect_code(fenced(k_file) + "The key part again:\n" + fenced(fragment), k_file);
}

TEST(Extract, AFileWithPartsLeftOutDoesNotReplaceAWholeOne) {
    const std::string elided =
        "import torch\n\n# ... kernel source as above ...\n\nclass NewModel(torch.nn.Module):\n    def "
        "forward(self, x):\n        return x\n";
    expect_code(fenced(k_file) + fenced(elided), k_file);
}

TEST(Extract, BlocksOfOtherLanguagesAreIgnored) {
    expect_code("The kernel:\n```cpp\nvoid relu(float* x) {}\n```\n" + fenced(k_file) +
                    "Run:\n```bash\npython x.py\n```\n",
                k_file);
    EXPECT_FALSE(
        extract_candidate("```diff\n class NewModel(nn.Module):\n+class NewModel(nn.Module):\n```\n", false));
}

TEST(Extract, UsageExamplesAreIgnored) {
    expect_code(fenced(k_file) + "Usage:\n" + fenced("model = NewModel()\nprint(model(torch.rand(3)))\n"),
                k_file);
}

TEST(Extract, AKernelBlockAndAModuleBlockAreJoined) {
    const std::string kernel =
        "import torch\nimport torch.nn as nn\n\nkernel_source = r'''\nint f();\n'''\n\ndef launch(x):\n    "
        "return x\n";
    const std::string module =
        "class NewModel(nn.Module):\n    def forward(self, x):\n        return launch(x)\n";
    const auto found = extract_candidate("Kernel:\n" + fenced(kernel) + "Module:\n" + fenced(module), false);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->code, kernel + "\n\n" + module);
    EXPECT_NE(found->note.find("2 code blocks were joined"), std::string::npos);
}

TEST(Extract, AModuleBlockWithItsOwnImportsStillGetsTheKernelItUses) {
    const std::string source = "cpp_source = '''\nint f();\n'''\n";
    const std::string build =
        "from torch.utils.cpp_extension import load_inline\nops = load_inline(name='k', "
        "cpp_sources=cpp_source)\n";
    const std::string module =
        "import torch\n\nclass NewModel(torch.nn.Module):\n    def forward(self, x):\n        return "
        "ops.f(x)\n";
    expect_code(fenced(source) + fenced(build) + fenced(module), source + "\n\n" + build + "\n\n" + module);
}

TEST(Extract, AnIllustrationBeforeTheFileIsNotJoined) {
    expect_code(
        "The reference does:\n" + fenced("x = torch.rand(3)\nresult = torch.relu(x)\n") + fenced(k_file),
        k_file);
}

TEST(Extract, AFenceInsideADocstringIsPartOfTheCode) {
    const std::string code = "\"\"\"A fused kernel.\n\n```python\nNewModel()(x)\n```\n\"\"\"\n" + k_file;
    expect_code("Answer:\n" + fenced(code) + "Done.\n", code);
}

TEST(Extract, AShorterFenceInsideALongerOneIsText) {
    const std::string code = "# ```\n" + k_file;
    expect_code("````python\n" + code + "````\n", code);
}

TEST(Extract, AMarkdownBlockAroundTheAnswerIsOpened) {
    expect_code("````markdown\n# Answer\n\n" + fenced(k_file) + "````\n", k_file);
    expect_code("```markdown\n# Answer\n\n" + fenced(k_file) + "```\n", k_file);
}

TEST(Extract, ABlockWhoseCloseWasForgottenGivesWayToTheNextOne) {
    const std::string final_code = with_return("x * 2");
    expect_code("```python\n" + k_file + "\nBetter:\n\n" + fenced(final_code), final_code);
}

TEST(Extract, AnUnclosedBlockAtTheEndIsTaken) {
    const auto found = extract_candidate("Sure:\n```python\n" + k_file, false);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->code, k_file);
    EXPECT_EQ(found->note, "the code block was not closed");
}

TEST(Extract, ATruncatedBlockIsTakenOnlyWhenItsForwardReturns) {
    const auto whole = extract_candidate("```python\n" + k_file, true);
    ASSERT_TRUE(whole.has_value());
    EXPECT_NE(whole->note.find("cut off inside"), std::string::npos);
    const std::string cut = k_file.substr(0, k_file.find("        return"));
    EXPECT_FALSE(extract_candidate("```python\n" + cut, true));
    EXPECT_FALSE(extract_candidate("```python\nimport torch\nsource = '''\nvoid f() {", true));
    EXPECT_FALSE(extract_candidate("```python\n" + k_file + "\nsource = '''\nvoid f() {\n", true));
}

TEST(Extract, AWholeBlockBeforeTheCutIsTaken) {
    const auto found = extract_candidate(
        fenced(k_file) + "Now an improved version:\n```python\nimport torch\nclass NewModel(", true);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->code, k_file);
    EXPECT_NE(found->note.find("cut off after"), std::string::npos);
}

TEST(Extract, ABrokenStringDoesNotSwallowTheClosingFence) {
    const std::string code = "source = '''\nvoid f();\n" + k_file;
    expect_code(fenced(code) + "It is fast.\n", code);
}

TEST(Extract, AnUnfencedAnswerThatIsPythonIsTaken) {
    const auto found = extract_candidate(k_file, false);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->code, k_file);
    EXPECT_NE(found->note.find("no fenced block"), std::string::npos);
}

TEST(Extract, ProseAroundUnfencedPythonIsCutOff) {
    const std::string code = "import torch\n\nSRC = '''\nThis is kernel text = not prose.\n'''\n\n" + k_file +
                             "\nlib = build(\n    SRC,\n)\n";
    expect_code("Here is the code:\n\n" + code + "\nThis kernel fuses everything.\nIt is fast.\n", code);
}

TEST(Extract, ReasoningTagsAreNotTheAnswer) {
    expect_code("<think>Maybe\n" + fenced(with_return("x")) + "no.</think>\n" + fenced(k_file), k_file);
    EXPECT_FALSE(extract_candidate("<think>\n" + fenced(k_file), true));
}

TEST(Extract, AnAnswerWithoutTheClassHoldsNoCandidate) {
    EXPECT_FALSE(extract_candidate("", false));
    EXPECT_FALSE(extract_candidate("I cannot help with that.", false));
    EXPECT_FALSE(
        extract_candidate(fenced("import torch\n\nclass Model(torch.nn.Module):\n    pass\n"), false));
    EXPECT_FALSE(extract_candidate("You should define `class NewModel(nn.Module)` and import torch.", false));
    EXPECT_FALSE(extract_candidate("```\n", false));
}

}  // namespace
}  // namespace kforge
