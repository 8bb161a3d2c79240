#include "kforge/guard/guard.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kforge {
namespace {

GuardRule ban(const std::string& pattern, GuardScope scope = GuardScope::code) {
    GuardRule rule;
    rule.name = "ban";
    rule.pattern = pattern;
    rule.scope = scope;
    rule.why = "Because.";
    rule.origin = "user";
    return rule;
}

std::vector<GuardFinding> check(const GuardRule& rule, const std::string& candidate) {
    const Result<Guard> guard = Guard::compile({rule}, Precision::strict);
    EXPECT_TRUE(guard.ok());
    return guard.value().check(candidate);
}

TEST(Guard, ABannedPatternIsFoundWithItsLine) {
    const auto findings = check(ban("foo"), "a = 1\n\nb = foo(a)  # ok\n");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].line, 3);
    EXPECT_EQ(findings[0].text, "b = foo(a)  # ok");
    EXPECT_EQ(findings[0].rule, "ban");
    EXPECT_EQ(findings[0].pattern, "foo");
    EXPECT_EQ(findings[0].origin, "user");
}

TEST(Guard, ScopesSeeWhatTheyShould) {
    const std::string comment = "x = 1  # foo\n", literal = "x = 'foo'\n", code = "x = foo\n";
    EXPECT_EQ(check(ban("foo", GuardScope::code), comment).size(), 0u);
    EXPECT_EQ(check(ban("foo", GuardScope::code), literal).size(), 1u);
    EXPECT_EQ(check(ban("foo", GuardScope::code), code).size(), 1u);
    EXPECT_EQ(check(ban("foo", GuardScope::python), literal).size(), 0u);
    EXPECT_EQ(check(ban("foo", GuardScope::python), code).size(), 1u);
    EXPECT_EQ(check(ban("foo", GuardScope::anywhere), comment).size(), 1u);
    for (const std::string& candidate : {comment, literal, code})
        EXPECT_EQ(check(ban("foo", GuardScope::kernels), candidate).size(), 0u);
    EXPECT_EQ(check(ban("foo", GuardScope::kernels), "x = 'foo();'\n").size(), 1u);
}

TEST(Guard, PatternsAreMatchedLineByLine) {
    EXPECT_EQ(check(ban("a.*b"), "a\nb\n").size(), 0u);
    EXPECT_EQ(check(ban("^b$"), "a\nb\nc\n").size(), 1u);
    EXPECT_EQ(check(ban("a.*b"), "f(a,\n  b)\n").size(), 1u) << "one statement";
    const auto findings = check(ban("^\\s*b"), "a\n\n\n  b\n");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].line, 4) << "the line of what is banned, not of the blank before it";
}

TEST(Guard, EachLineIsReportedOnceAndTheNumberIsLimited) {
    EXPECT_EQ(check(ban("x"), "x = x + x\ny = x\n").size(), 2u);
    std::string many;
    for (int i = 0; i < 1000; ++i) many += "x\n";
    EXPECT_EQ(check(ban("x"), many).size(), 5u);
    EXPECT_LE(check(ban("q*"), many).size(), 5u);
    EXPECT_EQ(check(ban("^$"), "").size(), 1u);
}

TEST(Guard, UnlessExcusesTheSameLineOnly) {
    GuardRule rule = ban("dot\\(");
    rule.unless = "ieee";
    EXPECT_EQ(check(rule, "dot(a,\n  b, p='ieee')\n").size(), 0u);
    EXPECT_EQ(check(rule, "dot(a, b)\np = 'ieee'\n").size(), 1u);
    EXPECT_EQ(check(rule, "dot(a, 'ieee'); dot(b, 'ieee')\ndot(c); dot(d)\ndot(e)\n").size(), 2u);
}

TEST(Guard, ARequiredPatternThatIsMissingIsAFinding) {
    GuardRule rule = ban("load_inline");
    rule.required = true;
    EXPECT_EQ(check(rule, "y = load_inline(x)\n").size(), 0u);
    const auto findings = check(rule, "# load_inline\n");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].line, 0);
    EXPECT_EQ(findings[0].text, "");
}

TEST(Guard, RulesApplyUnderTheirPrecisionsOnly) {
    GuardRule rule = ban("foo");
    rule.precisions = {"strict", "accurate"};
    EXPECT_EQ(Guard::compile({rule}, Precision::strict)->rules().size(), 1u);
    EXPECT_EQ(Guard::compile({rule}, Precision::accurate)->rules().size(), 1u);
    EXPECT_EQ(Guard::compile({rule}, Precision::mixed)->rules().size(), 0u);
    EXPECT_EQ(Guard::compile({ban("foo")}, Precision::mixed)->rules().size(), 1u);
}

TEST(Guard, AnInvalidPatternIsAConfigErrorThatNamesTheRule) {
    const auto guard = Guard::compile({ban("(")}, Precision::strict);
    ASSERT_FALSE(guard.ok());
    EXPECT_EQ(guard.error().kind, ErrorKind::config);
    EXPECT_NE(guard.error().message.find("'ban' (user)"), std::string::npos);
    GuardRule rule = ban("a");
    rule.unless = "[";
    EXPECT_FALSE(Guard::compile({rule}, Precision::strict).ok());
}

TEST(Guard, TheOffendingLineIsShortAndPrintable) {
    const auto findings = check(ban("foo"), "foo = '\x1b[31m\x07'" + std::string(5000, 'x') + "\n");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_LT(findings[0].text.size(), 300u);
    EXPECT_EQ(findings[0].text.find('\x1b'), std::string::npos);
}

TEST(Guard, WhatTheReferenceDoesItselfIsNotBanned) {
    GuardRule half = ban("half");
    half.name = "no-half";
    half.precisions = {"mixed"};
    GuardRule sibling = ban("fp16");
    sibling.name = "no-half";
    GuardRule needed = ban("half");
    needed.required = true;
    const auto rules = lift_for_reference({half, sibling, ban("foo"), needed}, "y = x.half()\n");
    ASSERT_TRUE(rules.ok());
    ASSERT_EQ(rules->size(), 2u);
    EXPECT_EQ(rules.value()[0].pattern, "foo");
    EXPECT_TRUE(rules.value()[1].required);
    EXPECT_EQ(lift_for_reference({half}, "y = x  # half\n")->size(), 1u);
}

TEST(Guard, DescriptionNamesPatternLineAndReason) {
    GuardRule needed = ban("bar");
    needed.required = true;
    needed.name = "need";
    const auto guard = Guard::compile({ban("foo"), needed}, Precision::strict);
    const std::string text = describe(guard.value().check("foo = 1\nx = foo\n"));
    for (const char* part :
         {"'ban' (user)", "line 1: `foo = 1`", "line 2: `x = foo`", "/foo/", "Because.", "'need'", "/bar/"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    EXPECT_EQ(describe({}), "");
}

TEST(Guard, FindingsAndRulesBecomeJson) {
    const auto findings = to_json(check(ban("foo"), "foo\n"));
    EXPECT_EQ(findings.at(0).at("rule"), "ban");
    EXPECT_EQ(findings.at(0).at("line"), 1);
    const auto rules = to_json(std::vector<GuardRule>{ban("foo", GuardScope::python)});
    EXPECT_EQ(rules.at(0).at("scope"), "python");
    EXPECT_EQ(rules.at(0).at("required"), false);
}

}  // namespace
}  // namespace kforge
