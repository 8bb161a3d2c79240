#include "kforge/guard/source_view.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

bool contains(const SourceView& view, std::string_view text) {
    return view.text.find(text) != std::string::npos;
}

// The line that the first occurrence of `text` came from; 0 when there is none.
int line_of(const SourceView& view, std::string_view text) {
    const size_t pos = view.text.find(text);
    return pos == std::string::npos ? 0 : view.lines[pos];
}

TEST(SourceView, EveryByteHasALine) {
    const CandidateViews views = view_candidate("a = 'x\\ny' # c\nb = f'{a!r:>{w}}'\n\"\"\"z\n\"\"\"\nq = 1");
    for (const SourceView* view : {&views.code, &views.python, &views.kernels, &views.anywhere})
        EXPECT_EQ(view->text.size(), view->lines.size());
}

TEST(SourceView, PythonCommentsAreLeftOut) {
    const CandidateViews views = view_candidate("x = 1  # SECRET\ny = 2\n");
    EXPECT_FALSE(contains(views.code, "SECRET"));
    EXPECT_FALSE(contains(views.python, "SECRET"));
    EXPECT_TRUE(contains(views.anywhere, "SECRET"));
    EXPECT_EQ(line_of(views.code, "y = 2"), 2);
}

TEST(SourceView, AHashInAStringIsNoComment) {
    const CandidateViews views = view_candidate("x = '# no' + y  # yes\nz = \"#\"; w = 1\n");
    EXPECT_TRUE(contains(views.python, "+ y"));
    EXPECT_TRUE(contains(views.python, "w = 1"));
    EXPECT_FALSE(contains(views.code, "yes"));
}

TEST(SourceView, StringsAreCodeButNotPython) {
    for (const char* literal :
         {"'SECRET'", "\"SECRET\"", "r'SECRET'", "b\"SECRET\"", "Rb'''SECRET'''", "f'SECRET'",
          "fR\"\"\"SECRET\"\"\"", "u'SECRET'", "'\\'SECRET'", "r'\\'SECRET'", "'''it's \"SECRET\"'''"}) {
        const CandidateViews views = view_candidate(std::string("x = ") + literal + "\ny = 2\n");
        EXPECT_TRUE(contains(views.code, "SECRET")) << literal;
        EXPECT_FALSE(contains(views.python, "SECRET")) << literal;
        EXPECT_TRUE(contains(views.python, "y = 2")) << literal;
    }
}

TEST(SourceView, DocstringsAreLeftOut) {
    const CandidateViews views = view_candidate(
        "'''Module SECRET.'''\nclass A:\n    \"\"\"Class\n    SECRET\n    \"\"\"\n    def f(self):\n"
        "        r'SECRET'\n        return 1\n");
    EXPECT_FALSE(contains(views.code, "SECRET"));
    EXPECT_EQ(line_of(views.code, "return 1"), 8);
}

TEST(SourceView, ADocstringThatTheCandidateReadsIsCode) {
    EXPECT_TRUE(contains(view_candidate("'''SECRET'''\nsource = __doc__\n").code, "SECRET"));
}

TEST(SourceView, AStringThatIsUsedIsNoDocstring) {
    EXPECT_TRUE(contains(view_candidate("'SECRET'.join(x)\n").code, "SECRET"));
    EXPECT_TRUE(contains(view_candidate("f(\n'SECRET'\n)\n").code, "SECRET"));
    EXPECT_TRUE(contains(view_candidate("x = \\\n'SECRET'\n").code, "SECRET"));
}

TEST(SourceView, AStatementOverSeveralLinesIsOneLine) {
    const CandidateViews views = view_candidate("a = torch \\\n  .half\nf(x,  # comment\n  y)\nz = 1\n");
    EXPECT_TRUE(contains(views.python, "torch    .half\n"));
    EXPECT_TRUE(contains(views.python, "y)\nz"));
    EXPECT_EQ(line_of(views.python, ".half"), 2);
    EXPECT_EQ(line_of(views.python, "y)"), 4);
}

TEST(SourceView, EscapesAreDecoded) {
    const CandidateViews views = view_candidate(R"(x = '-f\x66ast\u002dm\141th a\
b \N{BULLET} \q \\n')");
    EXPECT_TRUE(contains(views.code, "-ffast-math ab"));
    EXPECT_TRUE(contains(views.code, "\\q \\n"));
}

TEST(SourceView, RawStringsAreNotDecoded) {
    EXPECT_TRUE(contains(view_candidate("x = r'a\\x66b'").code, "a\\x66b"));
}

TEST(SourceView, NeighbouringLiteralsAreOne) {
    EXPECT_TRUE(contains(view_candidate("x = '-ffast' \"-math\"").code, "\"-ffast-math\""));
    EXPECT_TRUE(contains(view_candidate("x = '-ffast' + r'-math'").code, "\"-ffast-math\""));
    EXPECT_TRUE(contains(view_candidate("x = ['-ffast'  # a\n '-math']").code, "\"-ffast-math\""));
    EXPECT_TRUE(contains(view_candidate("x = ['-O3', '-math']").code, "\"-O3\", \"-math\""));
    EXPECT_TRUE(contains(view_candidate("x = '-a'\n'-b'").code, "\"-a\"\n"));
}

TEST(SourceView, FieldsOfFormattedStringsAreCode) {
    const CandidateViews views = view_candidate("x = f'{{A}} {g(y)!r:>{width}} B'\nz = 1\n");
    EXPECT_TRUE(contains(views.python, "g(y)!r"));
    EXPECT_TRUE(contains(views.python, "width"));
    EXPECT_FALSE(contains(views.python, "B"));
    EXPECT_TRUE(contains(views.code, "{A}"));
    EXPECT_TRUE(contains(views.python, "z = 1"));
}

TEST(SourceView, QuotesNestedInFormattedStringsHideNothing) {
    // Python 3.12: the '#' is inside a string inside the field.
    const CandidateViews views = view_candidate("s = f\"{y + \"# \"}\"; x.half()\nz = 1\n");
    EXPECT_TRUE(contains(views.python, "x.half()"));
    EXPECT_TRUE(contains(views.python, "z = 1"));
}

TEST(SourceView, CommentsOfKernelSourceAreLeftOut) {
    const CandidateViews views = view_candidate(
        "SRC = r'''\nfloat f(float x) { // SECRET\n  /* SECRET\n SECRET */ return x * 0.5f; // "
        "SECRET\n}\n'''\n");
    EXPECT_FALSE(contains(views.code, "SECRET"));
    EXPECT_EQ(line_of(views.code, "return x"), 4);
    EXPECT_EQ(line_of(views.code, "}"), 5);
}

TEST(SourceView, KernelSourceInSeveralLiteralsIsReadAsOne) {
    const CandidateViews views = view_candidate("S = ('// SECRET\\n'\n     'float x;\\n')\n");
    EXPECT_FALSE(contains(views.code, "SECRET"));
    EXPECT_EQ(line_of(views.code, "float x;"), 2);
}

TEST(SourceView, SlashesInFlagsHideNothing) {
    EXPECT_TRUE(contains(view_candidate("f = '-I//usr/include -ffast-math'").code, "-ffast-math"));
    EXPECT_TRUE(contains(view_candidate("f = '/tmp/* -ffast-math'").code, "-ffast-math"));
}

TEST(SourceView, PythonSourceInAStringCountsAsPython) {
    const CandidateViews views = view_candidate(
        "S = '''\nimport torch\ndef f(x):\n    n = 4 // 2; return x.half()  # c\n'''\nexec(S)\n");
    EXPECT_TRUE(contains(views.python, "x.half()"));
    EXPECT_EQ(line_of(views.python, "x.half()"), 4);
    EXPECT_TRUE(contains(views.code, "x.half()"));
    EXPECT_TRUE(contains(views.python, "exec("));
}

TEST(SourceView, DecoratorsAreTheBeginningOfPython) {
    const auto is_python = [](const std::string& source) {
        return contains(view_candidate("S = '''\n" + source + "\n'''\n").python, "MARK");
    };
    EXPECT_TRUE(is_python("@decorated(1)\n@again\nclass A: MARK"));
    EXPECT_TRUE(is_python("@decorated(\n  1)\ndef f(x): MARK"));
    EXPECT_FALSE(is_python("/*\n  @brief MARK\n  @param x MARK\n*/\nclass A {};"));
}

TEST(SourceView, KernelsAreSourceWithoutCommentsAndTheTextOfItsStrings) {
    const CandidateViews views = view_candidate(
        "K = r'''\nfloat f() { // SECRET\n  printf(\"SECRET %d\", 1); }\n'''\nx = SECRET\ny = 'one; SECRET'\n"
        "z = 'int i;'\nw = '''\nSECRET in prose\n'''\nexec('''\nimport os\nk = \"int j;\"\n''')\n");
    EXPECT_FALSE(contains(views.kernels, "SECRET"));
    EXPECT_EQ(line_of(views.kernels, "float f() {"), 2);
    EXPECT_EQ(line_of(views.kernels, "printf(\"\", 1)"), 3);
    EXPECT_EQ(line_of(views.kernels, "int i;"), 7);
    EXPECT_EQ(line_of(views.kernels, "int j;"), 13);
}

TEST(SourceView, CarriageReturnsEndLines) {
    const CandidateViews views = view_candidate("a = 1\r\n# c\rb = 2\nc = 3");
    EXPECT_EQ(line_of(views.code, "b = 2"), 3);
    EXPECT_EQ(line_of(views.code, "c = 3"), 4);
}

TEST(SourceView, SurvivesBrokenText) {
    for (const std::string& text :
         {std::string("x = 'abc"), std::string("x = '''abc\n"), std::string("f'{"), std::string("f'{x:{"),
          std::string("x = '\\"), std::string("\"\\x"), std::string("]})'"), std::string("\\"),
          std::string("f\"\\N{"), std::string("\xff\xfe'\x80"), std::string(3, '\0')})
        EXPECT_EQ(view_candidate(text).anywhere.text.size(), text.size());
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "f'{";
    EXPECT_FALSE(view_candidate(deep).anywhere.text.empty());
}

SourceView c_source(std::string_view text) {
    SourceView view;
    int line = 1;
    for (const char c : text) {
        view.add(c, line);
        if (c == '\n') ++line;
    }
    return without_c_comments(view);
}

TEST(CComments, AreReplacedByASpace) {
    EXPECT_EQ(c_source("a/* x\ny */b // c\nd").text, "a b  \nd");
}

TEST(CComments, LiteralsAreNotComments) {
    EXPECT_EQ(c_source("s = \"//\"; a // b").text, "s = \"//\"; a  ");
    EXPECT_EQ(c_source("c = '\"'; a // b").text, "c = '\"'; a  ");
    EXPECT_EQ(c_source("c = '\\''; s = \"\\\"/*\"; a").text, "c = '\\''; s = \"\\\"/*\"; a");
    EXPECT_EQ(c_source("n = 1'000'000; s = \"'//'\"; a").text, "n = 1'000'000; s = \"'//'\"; a");
    EXPECT_EQ(c_source("s = R\"x(\")\" // )x\"; a // b").text, "s = R\"x(\")\" // )x\"; a  ");
}

TEST(CComments, AnApostropheInProseHidesNothing) {
    EXPECT_EQ(c_source("#error don't // x\nhalf h; // it's").text, "#error don't  \nhalf h;  ");
}

TEST(CComments, ContinuedLinesAreJoinedFirst) {
    EXPECT_EQ(c_source("__ha\\\nlf x; // a \\\n b\nc").text, "__half x;  \nc");
    EXPECT_EQ(c_source("__ha\\\nlf x;\nc").lines.back(), 3);
}

TEST(CComments, AnOpenCommentRunsToTheEnd) {
    EXPECT_EQ(c_source("a /* b").text, "a  ");
}

TEST(Essence, CommentsDocstringsAndBlankLinesDoNotMatter) {
    const std::string plain = "import torch\nK = r'int f() { return 1; }'\ndef g(x):\n    return x + 1\n";
    const std::string dressed =
        "# by me\nimport torch  \n\nK = r'int f() { return 1; }'  # kernel\n\n\ndef g(x):\n"
        "    \"\"\"Adds.\"\"\"\n    return x + 1\n";
    EXPECT_EQ(essence_of(plain), essence_of(dressed));
}

TEST(Essence, WhatChangesTheResultMatters) {
    const std::string plain = "def g(x):\n    if x:\n        x = f('1')\n    return x\n";
    for (const char* other : {"def g(x):\n    if x:\n        x = f(1)\n    return x\n",
                              "def g(x):\n    if x:\n        x = f('2')\n    return x\n",
                              "def g(x):\n    if x:\n        x = f('1')\n        return x\n",
                              "def g(x):\n    if x:\n        x = f('1 ')\n    return x\n"})
        EXPECT_NE(essence_of(plain), essence_of(other)) << other;
}

}  // namespace
}  // namespace kforge
