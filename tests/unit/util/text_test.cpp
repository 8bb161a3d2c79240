#include "kforge/util/text.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

using Pieces = std::vector<std::string>;

TEST(Split, KeepsEmptyPieces) {
    EXPECT_EQ(split("a,b,,c", ','), (Pieces{"a", "b", "", "c"}));
    EXPECT_EQ(split("", ','), (Pieces{""}));
    EXPECT_EQ(split(",", ','), (Pieces{"", ""}));
}

TEST(SplitLines, DropsLineEndsOfBothKinds) {
    EXPECT_EQ(split_lines("a\r\nb\n"), (Pieces{"a", "b"}));
    EXPECT_EQ(split_lines("a\n\nb"), (Pieces{"a", "", "b"}));
    EXPECT_EQ(split_lines(""), Pieces{});
}

TEST(Trim, RemovesWhiteSpaceAtBothEnds) {
    EXPECT_EQ(trim(" \t a b\r\n"), "a b");
    EXPECT_EQ(trim(" \n "), "");
}

TEST(Join, PutsTheSeparatorBetween) {
    EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
    EXPECT_EQ(join({}, ", "), "");
}

TEST(Nearest, FindsAMistypedWordAndNothingFarAway) {
    const Pieces known = {"iterations", "samples", "seed", "llm"};
    EXPECT_EQ(nearest("iteratoins", known), "iterations");
    EXPECT_EQ(nearest("sample", known), "samples");
    EXPECT_EQ(nearest("llm", known), "llm");
    EXPECT_EQ(nearest("temperature", known), "");
    EXPECT_EQ(nearest("xy", {"ab"}), "");  // two edits, but nothing in common
    EXPECT_EQ(nearest("anything", {}), "");
}

TEST(ElideMiddle, KeepsBothEndsAndCountsTheRest) {
    EXPECT_EQ(elide_middle("short", 5), "short");
    EXPECT_EQ(elide_middle("0123456789", 4), "01\n[... 6 bytes left out ...]\n89");
}

TEST(ElideMiddle, NeverCutsACharacterInTwo) {
    std::string text;
    for (int i = 0; i < 20; ++i) text += "\xE2\x82\xAC";  // a euro sign, three bytes
    for (size_t limit = 0; limit < text.size(); ++limit) {
        const std::string elided = elide_middle(text, limit);
        EXPECT_EQ(sanitize(elided), elided) << limit;
    }
}

TEST(Sanitize, ReplacesBrokenUtf8AndKeepsGood) {
    const std::string bad = "\xEF\xBF\xBD";
    EXPECT_EQ(sanitize("h\xC3\xA9llo \xF0\x9F\x98\x80"), "h\xC3\xA9llo \xF0\x9F\x98\x80");
    EXPECT_EQ(sanitize("a\xFF"
                       "b"),
              "a" + bad + "b");
    EXPECT_EQ(sanitize("\xC3"), bad);                                // cut off
    EXPECT_EQ(sanitize("\xC0\xAF"), bad + bad);                      // overlong
    EXPECT_EQ(sanitize("\xED\xA0\x80"), bad + bad + bad);            // a surrogate
    EXPECT_EQ(sanitize("\xF4\x90\x80\x80"), bad + bad + bad + bad);  // beyond U+10FFFF
}

TEST(Sanitize, RemovesControlCharactersButTabAndNewline) {
    EXPECT_EQ(sanitize(std::string("a\0b\a\tc\r\nd\x7F", 10)), "ab\tc\nd");
    EXPECT_EQ(sanitize("a\xC2\x9B"
                       "31mb"),
              "a31mb");  // the one-character form of ESC [
    EXPECT_EQ(sanitize("a\xC2\xA0"
                       "b"),
              "a\xC2\xA0"
              "b");
}

TEST(Sanitize, RemovesWhatNobodySees) {
    EXPECT_EQ(sanitize("a\xE2\x80\xAE"
                       "b\xE2\x81\xA6"
                       "c\xE2\x80\xA8"
                       "d"),
              "abcd");
    EXPECT_EQ(sanitize("a\xF3\xA0\x81\x81"
                       "b"),
              "ab");
    EXPECT_EQ(sanitize("\xE2\x80\xA6 \xE2\x80\xAF \xE2\x88\x9A"), "\xE2\x80\xA6 \xE2\x80\xAF \xE2\x88\x9A");
}

TEST(Sanitize, RemovesTerminalEscapes) {
    EXPECT_EQ(sanitize("\x1B[1;31mred\x1B[0m"), "red");
    EXPECT_EQ(sanitize("\x1B]0;title\a text"), " text");
    EXPECT_EQ(sanitize("\x1B]8;;http://x\x1B\\link\x1B]8;;\x1B\\"), "link");
    EXPECT_EQ(sanitize("\x1B(Bplain\x1B"
                       "7x"),
              "plainx");
}

TEST(Sanitize, ABrokenEscapeTakesNoTextWithIt) {
    EXPECT_EQ(sanitize("\x1B"), "");
    EXPECT_EQ(sanitize("\x1B["), "");
    EXPECT_EQ(sanitize("\x1B[12\nnext line"), "\nnext line");
    EXPECT_EQ(sanitize("\x1B]0;never closed\nnext line"), "0;never closed\nnext line");
    EXPECT_EQ(sanitize("\x1B\nnext line"), "\nnext line");
}

}  // namespace
}  // namespace kforge
