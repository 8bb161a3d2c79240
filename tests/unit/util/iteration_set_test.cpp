#include "kforge/util/iteration_set.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

std::vector<int> members(std::string_view text) {
    const auto set = IterationSet::parse(text);
    EXPECT_TRUE(set.ok()) << text;
    std::vector<int> result;
    for (int i = 1; set.ok() && i <= 7; ++i)
        if (set->contains(i)) result.push_back(i);
    return result;
}

TEST(IterationSet, UnderstandsNumbersRangesAndLists) {
    EXPECT_EQ(members("3"), (std::vector{3}));
    EXPECT_EQ(members("2-4"), (std::vector{2, 3, 4}));
    EXPECT_EQ(members("5-"), (std::vector{5, 6, 7}));
    EXPECT_EQ(members("1,3-4,6-"), (std::vector{1, 3, 4, 6, 7}));
    EXPECT_EQ(members("2-2"), (std::vector{2}));
    EXPECT_EQ(members("").size(), 7u);
    EXPECT_TRUE(IterationSet::parse("5-")->contains(1'000'000));
}

TEST(IterationSet, RefusesEverythingElse) {
    for (const char* text : {"0", "-3", "4-2", "a", "1,", ",", "1-2-3", "1 2", "+1", "99999999999", "2-x"}) {
        const auto set = IterationSet::parse(text);
        ASSERT_FALSE(set.ok()) << text;
        EXPECT_EQ(set.error().kind, ErrorKind::usage);
        EXPECT_NE(set.error().message.find("'" + std::string(text) + "'"), std::string::npos);
    }
}

TEST(ParseSelected, SplitsAtTheLastAt) {
    const auto check = [](std::string_view text, std::string_view value, std::string_view iterations) {
        const auto selected = parse_selected(text);
        ASSERT_TRUE(selected.ok()) << text;
        EXPECT_EQ(selected->value, value);
        EXPECT_EQ(selected->iterations.text(), iterations);
    };
    check("notes.md@2-4", "notes.md", "2-4");
    check("@file.md@3", "@file.md", "3");
    check("@3", "@3", "");
    check("user@host", "user@host", "");
    check("plain", "plain", "");
    check("a@b@1,2-", "a@b", "1,2-");
    check("trailing@", "trailing@", "");
}

TEST(ParseSelected, RefusesASetThatMakesNoSense) {
    EXPECT_FALSE(parse_selected("notes.md@4-2").ok());
    EXPECT_FALSE(parse_selected("notes.md@0").ok());
}

}  // namespace
}  // namespace kforge
