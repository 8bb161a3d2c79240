#include "kforge/llm/command_line.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

using Words = std::vector<std::string>;

TEST(LlmCommandLine, SplitsAtBlanks) {
    EXPECT_EQ(split_command_line("  llm -m  gpt\t--no-stream\n").value(),
              (Words{"llm", "-m", "gpt", "--no-stream"}));
    EXPECT_EQ(split_command_line(" ").value(), Words{});
}

TEST(LlmCommandLine, SingleQuotesAreLiteral) {
    EXPECT_EQ(split_command_line(R"(ask 'a b' 'c\"d' '$HOME')").value(),
              (Words{"ask", "a b", R"(c\"d)", "$HOME"}));
}

TEST(LlmCommandLine, DoubleQuotesEscapeQuoteAndBackslashOnly) {
    EXPECT_EQ(split_command_line(R"(ask "a \"b\" \\ \n")").value(), (Words{"ask", R"(a "b" \ \n)"}));
}

TEST(LlmCommandLine, BackslashOutsideOfQuotesEscapesAnything) {
    EXPECT_EQ(split_command_line(R"(my\ ask a\'b)").value(), (Words{"my ask", "a'b"}));
}

TEST(LlmCommandLine, QuotedPiecesJoinAndEmptyQuotesMakeAWord) {
    EXPECT_EQ(split_command_line(R"(a'b'"c" '' "")").value(), (Words{"abc", "", ""}));
}

TEST(LlmCommandLine, OpenQuoteAndTrailingBackslashAreUsageErrors) {
    for (const char* text : {"ask 'a", "ask \"a", "ask a\\"}) {
        const auto words = split_command_line(text);
        ASSERT_FALSE(words.ok()) << text;
        EXPECT_EQ(words.error().kind, ErrorKind::usage);
        EXPECT_NE(words.error().message.find(text), std::string::npos);
    }
}

TEST(LlmCommandLine, ProgramsWithASlashAreAnchoredAndBareNamesAreNot) {
    Words script = {"./bin/../ask.sh", "./x"}, bare = {"llm"}, absolute = {"/usr/bin/llm"};
    anchor_program(script, "/etc/project");
    anchor_program(bare, "/etc/project");
    anchor_program(absolute, "/etc/project");
    EXPECT_EQ(script, (Words{"/etc/project/ask.sh", "./x"}));
    EXPECT_EQ(bare, Words{"llm"});
    EXPECT_EQ(absolute, Words{"/usr/bin/llm"});
}

TEST(LlmCommandLine, AnchoredWithoutFolderIsRelativeToTheWorkingDirectory) {
    EXPECT_EQ(anchored("box", {}), fs::current_path() / "box");
}

}  // namespace
}  // namespace kforge
