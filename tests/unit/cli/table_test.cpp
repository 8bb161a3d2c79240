#include "kforge/cli/table.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

TEST(DisplayWidth, CountsWhatTheScreenShows) {
    EXPECT_EQ(display_width(""), 0u);
    EXPECT_EQ(display_width("abc"), 3u);
    EXPECT_EQ(display_width("größe"), 5u);
    EXPECT_EQ(display_width("核心"), 4u);
    EXPECT_EQ(display_width("e\u0301"), 1u);
    EXPECT_EQ(display_width("\x1b[31mred\x1b[0m"), 3u);
    EXPECT_EQ(display_width("cut \xe2\x82"), 6u);  // a sequence that ends too early is safe
    EXPECT_EQ(display_width("\x1b[3"), 0u);
}

TEST(Clip, KeepsWithinTheWidthAndClosesColours) {
    EXPECT_EQ(clip("short", 5), "short");
    EXPECT_EQ(clip("longer", 5), "long…");
    EXPECT_EQ(clip("größer", 5), "größ…");
    EXPECT_EQ(clip("核心核心", 4), "核…");
    EXPECT_EQ(clip("\x1b[31mlonger\x1b[0m", 5), "\x1b[31mlong…\x1b[0m");
    EXPECT_EQ(clip("x", 0), "");
}

TEST(Wrap, BreaksAtSpaces) {
    EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
    EXPECT_EQ(wrap("averylongword a", 4), (std::vector<std::string>{"averylongword", "a"}));
    EXPECT_EQ(wrap("", 10), std::vector<std::string>{""});
}

TEST(Table, AlignsColumnsByWhatIsShown) {
    EXPECT_EQ(render_table({{"name"}, {"ms", Align::right}, {"state"}},
                           {{"größe", "1.5", "\x1b[32mcorrect\x1b[0m"}, {"b", "12.25", "mismatch"}}),
              "name      ms  state\n"
              "größe    1.5  \x1b[32mcorrect\x1b[0m\n"
              "b      12.25  mismatch\n");
}

TEST(Table, WithoutTitlesItHasNoHeading) {
    EXPECT_EQ(render_table({{""}, {""}}, {{"a", "b"}, {"ccc"}}), "a    b\nccc\n");
}

TEST(Table, TheLastColumnGivesWayToTheWidth) {
    EXPECT_EQ(render_table({{"a"}, {"text"}}, {{"1", "a long line of text that goes on"}}, 20),
              "a  text\n1  a long line of t…\n");
}

TEST(Table, TheLastColumnMayTakeSeveralLinesBeforeItIsClipped) {
    const std::vector<Column> columns = {{"a"}, {"text", Align::left, 2}};
    EXPECT_EQ(render_table(columns, {{"1", "two lines are enough for this"}, {"2", "short"}}, 20),
              "a  text\n"
              "1  two lines are\n"
              "   enough for this\n"
              "2  short\n");
    EXPECT_EQ(render_table(columns, {{"1", "a long line of text that goes on and on"}}, 20),
              "a  text\n"
              "1  a long line of\n"
              "   text that goes o…\n");
    EXPECT_EQ(render_table(columns, {{"1", "averylongwordwithoutanyspace"}}, 12), "a  text\n1  averylon…\n");
}

TEST(Table, EmptyTablesShowTheirTitles) {
    EXPECT_EQ(render_table({{"a"}, {"b"}}, {}), "a  b\n");
    EXPECT_EQ(render_table({}, {}), "");
}

}  // namespace
}  // namespace kforge
