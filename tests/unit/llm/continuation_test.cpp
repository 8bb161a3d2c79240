#include "kforge/llm/continuation.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

TEST(Continuation, PartsThatFitAreJoinedAsTheyAre) {
    EXPECT_EQ(join_continuation("x = 1\ny =", " 2\n"), "x = 1\ny = 2\n");
    EXPECT_EQ(join_continuation("    ", "    return x"), "        return x") << "a short overlap is chance";
}

TEST(Continuation, WhatIsRepeatedIsKeptOnce) {
    EXPECT_EQ(join_continuation("def forward(self, x):\n    retu", "def forward(self, x):\n    return x\n"),
              "def forward(self, x):\n    return x\n");
}

TEST(Continuation, AFenceThatIsOpenIsNotOpenedAgain) {
    EXPECT_EQ(join_continuation("```python\nx = 1\n", "```python\ny = 2\n```\n"),
              "```python\nx = 1\ny = 2\n```\n");
    EXPECT_EQ(join_continuation("```python\nx = 1\n", "```\nDone."), "```python\nx = 1\n```\nDone.")
        << "a bare one closes it";
    EXPECT_EQ(join_continuation("Here it is:\n", "```python\ny = 2\n```\n"),
              "Here it is:\n```python\ny = 2\n```\n");
}

}  // namespace
}  // namespace kforge
