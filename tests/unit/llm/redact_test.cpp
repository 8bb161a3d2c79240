#include "kforge/llm/redact.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

TEST(LlmRedact, ReplacesValuesOfSecretVariablesByTheirNames) {
    const Environment environment = {"SOME_API_KEY=abcdefgh", "GH_TOKEN=tok-12345", "DB_PASSWORD=passw0rd!",
                                     "A_SECRET=hush-hush", "HOME=/home/someone"};
    EXPECT_EQ(redact("abcdefgh tok-12345 passw0rd! hush-hush /home/someone abcdefgh", environment, ""),
              "[SOME_API_KEY] [GH_TOKEN] [DB_PASSWORD] [A_SECRET] /home/someone [SOME_API_KEY]");
}

TEST(LlmRedact, TheEntrysOwnVariableNeedsNoTellingName) {
    EXPECT_EQ(redact("x abcdefgh", {"CREDENTIAL_FOR_X=abcdefgh"}, "CREDENTIAL_FOR_X"),
              "x [CREDENTIAL_FOR_X]");
}

TEST(LlmRedact, ShortValuesAndPlainVariablesAreLeft) {
    EXPECT_EQ(redact("1 error in /tmp/abcdef", {"FOO_KEY=1", "FOLDER=/tmp/abcdef", "BROKEN"}, ""),
              "1 error in /tmp/abcdef");
}

}  // namespace
}  // namespace kforge
