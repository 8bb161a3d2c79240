#include <gtest/gtest.h>

#include "kforge/guard/guard.hpp"

namespace kforge {
namespace {

TEST(GuardRules, AreReadWithAllTheirKeys) {
    const auto rules = parse_guard_rules(R"(
[[guard]]
name = "a"
pattern = '\bfoo\b'
why = "Foo is bad."
[[guard]]
name = "b"
pattern = "bar"
unless = "baz"
scope = "python"
why = "Bar is bad."
precisions = ["strict", "mixed"]
[[guard]]
name = "c"
pattern = "qux"
scope = "anywhere"
required = true
why = "Qux is needed."
)",
                                         "policy");
    ASSERT_TRUE(rules.ok()) << rules.error().message;
    const std::vector<GuardRule>& list = rules.value();
    ASSERT_EQ(list.size(), 3u);
    EXPECT_EQ(list[0].pattern, "\\bfoo\\b");
    EXPECT_EQ(list[0].scope, GuardScope::code);
    EXPECT_FALSE(list[0].required);
    EXPECT_EQ(list[0].origin, "policy");
    EXPECT_EQ(list[1].scope, GuardScope::python);
    EXPECT_EQ(list[1].unless, "baz");
    EXPECT_EQ(list[1].precisions, (std::vector<std::string>{"strict", "mixed"}));
    EXPECT_EQ(list[2].scope, GuardScope::anywhere);
    EXPECT_TRUE(list[2].required);
}

TEST(GuardRules, NoRulesIsFine) {
    EXPECT_TRUE(parse_guard_rules("", "x")->empty());
    EXPECT_TRUE(parse_guard_rules("guard = []", "x")->empty());
}

TEST(GuardRules, MistakesAreConfigErrorsThatSayWhatAndWhere) {
    const std::string head = "[[guard]]\nname = 'a'\nwhy = 'w'\n";
    const struct {
        std::string text;
        std::vector<std::string> parts;
    } cases[] = {
        {head + "patern = 'x'\n", {"line 4", "'patern'", "did you mean 'pattern'?"}},
        {head + "zzzzzzzz = 'x'\n", {"'zzzzzzzz'", "precisions"}},
        {head, {"line 1", "lacks 'pattern'"}},
        {head + "pattern = ''\n", {"line 4", "'pattern'"}},
        {head + "pattern = 3\n", {"line 4", "'pattern'"}},
        {head + "pattern = 'x'\nscope = 'comments'\n", {"line 5", "'comments'", "anywhere"}},
        {head + "pattern = 'x'\nrequired = 'yes'\n", {"line 5", "true or false"}},
        {head + "pattern = 'x'\nrequired = true\nunless = 'y'\n", {"'unless'"}},
        {head + "pattern = 'x'\nprecisions = ['strikt']\n", {"line 5", "strikt"}},
        {head + "pattern = 'x'\nprecisions = 'strict'\n", {"line 5", "list"}},
        {"[[gaurd]]\nname = 'a'\n", {"line 1", "'gaurd'", "did you mean 'guard'?"}},
        {"guard = 3\n", {"[[guard]]"}},
        {"[guard]\nname = 'a'\n", {"[[guard]]"}},
        {"[[guard]\n", {"line 1"}},
    };
    for (const auto& item : cases) {
        const auto rules = parse_guard_rules(item.text, "my.toml");
        ASSERT_FALSE(rules.ok()) << item.text;
        EXPECT_EQ(rules.error().kind, ErrorKind::config);
        EXPECT_NE(rules.error().message.find("my.toml"), std::string::npos);
        for (const std::string& part : item.parts)
            EXPECT_NE(rules.error().message.find(part), std::string::npos)
                << part << " in " << rules.error().message;
    }
}

TEST(GuardRules, OtherKeysMayStandBesideThemWhenNamed) {
    EXPECT_TRUE(parse_guard_rules("[platform]\ntitle = 'x'\n", "x", {"platform"}).ok());
    EXPECT_FALSE(parse_guard_rules("[platform]\ntitle = 'x'\n", "x").ok());
}

}  // namespace
}  // namespace kforge
