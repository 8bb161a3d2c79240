#include "kforge/util/result.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "kforge/util/errors.hpp"

namespace kforge {
namespace {

Result<int> half(int value) {
    if (value % 2 != 0) return Error{ErrorKind::usage, "odd"};
    return value / 2;
}

Result<void> check_even(int value) {
    TRY(half(value));
    return {};
}

Result<std::unique_ptr<int>> quarter(int value) {
    TRY_ASSIGN(const int first, half(value));
    TRY_ASSIGN(int second, half(first));
    return std::make_unique<int>(second);
}

TEST(Result, HoldsAValueOrAnError) {
    EXPECT_EQ(*half(4), 2);
    EXPECT_FALSE(half(3).ok());
    EXPECT_EQ(half(3).error().message, "odd");
    EXPECT_EQ(half(3).value_or(7), 7);
    EXPECT_EQ(half(4).value_or(7), 2);
}

TEST(Result, TryPassesTheErrorOn) {
    EXPECT_TRUE(check_even(2).ok());
    EXPECT_EQ(check_even(1).error().kind, ErrorKind::usage);
    EXPECT_EQ(quarter(6).error().message, "odd");
}

TEST(Result, CarriesValuesThatCanOnlyMove) {
    auto result = quarter(8);
    ASSERT_TRUE(result.ok());
    const std::unique_ptr<int> value = std::move(result).value();
    EXPECT_EQ(*value, 2);
}

TEST(Error, GainsContextAndKeepsItsKind) {
    const Error error = Error{ErrorKind::io, "disk full"}.within("saving the run");
    EXPECT_EQ(error.kind, ErrorKind::io);
    EXPECT_EQ(error.message, "saving the run: disk full");
}

TEST(Require, TurnsAnErrorIntoTheRightException) {
    EXPECT_EQ(require(half(4)), 2);
    require(check_even(2));
    try {
        require(check_even(1));
        FAIL() << "nothing was thrown";
    } catch (const Fatal& fatal) {
        EXPECT_EQ(fatal.code(), ExitCode::usage);
        EXPECT_STREQ(fatal.what(), "odd");
    }
    EXPECT_THROW(give_up(Error{ErrorKind::internal, "bug"}), InternalError);
}

TEST(ExitCode, FollowsTheKindOfError) {
    EXPECT_EQ(exit_code_for(ErrorKind::config), ExitCode::usage);
    EXPECT_EQ(exit_code_for(ErrorKind::environment), ExitCode::environment);
    EXPECT_EQ(exit_code_for(ErrorKind::io), ExitCode::environment);
    EXPECT_EQ(exit_code_for(ErrorKind::cancelled), ExitCode::interrupted);
    EXPECT_EQ(exit_code_for(ErrorKind::internal), ExitCode::internal);
}

}  // namespace
}  // namespace kforge
