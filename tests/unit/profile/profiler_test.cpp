#include "kforge/profile/profiler.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace kforge {
namespace {

const std::string k_table =
    R"(-------------------  ------------  ------------  ------------  ---------------
               Name    Self CPU %      Self CPU    # of Calls     Input Shapes
-------------------  ------------  ------------  ------------  ---------------
        aten::addmm        60.00%       6.000ms            10  [[8], [8, 64]]
         aten::relu         0.00%       0.000us            10               []
-------------------  ------------  ------------  ------------  ---------------
Self CPU time total: 10.000ms
)";

ProfileTarget target_with(const std::string& table) {
    return ProfileTarget{[table]() -> Result<std::string> { return table; }};
}

std::string condensed(const std::string& table) {
    std::vector<std::string> notes;
    const Result<Profile> profile = take_profile({"torch"}, target_with(table), notes);
    EXPECT_TRUE(profile.ok());
    return profile.ok() ? profile->text : "";
}

TEST(Profilers, TheTableLosesItsRulesAndSharesAndKeepsItsNumbers) {
    EXPECT_EQ(condensed(k_table),
              "Name | Self CPU | # of Calls | Input Shapes\n"
              "aten::addmm | 6.000ms | 10 | [[8], [8, 64]]\n"
              "aten::relu | 0 | 10 | \n"
              "Self CPU time total: 10.000ms");
}

TEST(Profilers, OfADeviceItIsSaidWhatWasIdleInACallAndNothingOfTheProfilerItself) {
    EXPECT_EQ(
        condensed(R"(-----------------------  ---------  ---------  -----------  -----------  ----------
                   Name   Self CPU  CPU total    Self CUDA  Self CUDA %  # of Calls
-----------------------  ---------  ---------  -----------  -----------  ----------
       NewModel.forward    0.000us    0.000us      2.597ms      125.44%          10
              gemm_gelu    0.000us    0.000us      1.942ms       93.77%          10
Activity Buffer Request    2.472ms    2.472ms     13.184us        0.64%           1
       NewModel.forward    1.602ms    4.876ms      0.000us        0.00%          10
  cudaDeviceSynchronize    0.423ms    0.423ms      0.000us        0.00%           2
   hipDeviceSynchronize    0.423ms    0.423ms      0.000us        0.00%          12
-----------------------  ---------  ---------  -----------  -----------  ----------
Self CPU time total: 5.299ms
Self CUDA time total: 2.071ms
)"),
        "Name | Self CPU | CPU total | Self CUDA | # of Calls\n"
        "NewModel.forward (span on the device) | 0 | 0 | 2.597ms | 10\n"
        "gemm_gelu | 0 | 0 | 1.942ms | 10\n"
        "NewModel.forward | 1.602ms | 4.876ms | 0 | 10\n"
        "hipDeviceSynchronize | 0.423ms | 0.423ms | 0 | 12\n"
        "Self CPU time total: 5.299ms\n"
        "Self CUDA time total: 2.071ms\n"
        "In a call, with the profiler's own cost on the host: 259.7 us from the first kernel to the last, "
        "207.1 us of it in kernels, 52.6 us idle");
}

TEST(Profilers, ColumnsThatAreZeroEverywhereAreLeftOut) {
    const std::string text = condensed(
        "------  ------  ------\n"
        "  Name     CPU    CUDA\n"
        "------  ------  ------\n"
        "   one     5us     0 b\n"
        "   two     6us        \n"
        "------  ------  ------\n");
    EXPECT_EQ(text.find("CUDA"), std::string::npos) << text;
    EXPECT_NE(text.find("one | 5us"), std::string::npos) << text;
}

TEST(Profilers, WhatIsNoTableIsGivenAsItIs) {
    for (const char* text : {"no table at all", "", "----\n----\n", "-\n", "- - -\nx\n"})
        EXPECT_EQ(condensed(text), text);
}

TEST(Profilers, AHostileTableTakesNeitherTimeNorSpace) {
    std::string many_rows = "---  ---\n";
    for (int i = 0; i < 20'000; ++i) many_rows += "a\n";
    std::string many_columns;
    for (int i = 0; i < 20'000; ++i) many_columns += "- ";
    many_columns += "\n" + many_rows + many_columns + "\n";
    many_rows += "---  ---\n";
    const auto start = std::chrono::steady_clock::now();
    EXPECT_LT(condensed(many_rows).size(), 13'000u);
    EXPECT_LT(condensed(many_columns).size(), 13'000u);
    EXPECT_LT(condensed(std::string(1 << 20, '-')).size(), 13'000u);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Profilers, OneThatIsNotThereIsPassedOverWithANote) {
    std::vector<std::string> notes;
    const Result<Profile> profile = take_profile({"crystal-ball", "torch"}, target_with(k_table), notes);
    ASSERT_TRUE(profile.ok());
    EXPECT_EQ(profile->profiler, "torch");
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find("'crystal-ball'"), std::string::npos);
}

TEST(Profilers, OneThatFailsIsPassedOverWithItsReason) {
    std::vector<std::string> notes;
    const ProfileTarget failing{[]() -> Result<std::string> { return Error{ErrorKind::process, "it died"}; }};
    EXPECT_FALSE(take_profile({"torch"}, failing, notes).ok());
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find("it died"), std::string::npos);
    EXPECT_FALSE(take_profile({"torch"}, ProfileTarget{}, notes).ok());
    EXPECT_FALSE(take_profile({}, target_with(k_table), notes).ok());
}

TEST(Profilers, AnInterruptIsPassedOnAtOnce) {
    std::vector<std::string> notes;
    const ProfileTarget cancelled{[]() -> Result<std::string> {
        return Error{ErrorKind::cancelled, "interrupted"};
    }};
    const Result<Profile> profile = take_profile({"torch", "torch"}, cancelled, notes);
    ASSERT_FALSE(profile.ok());
    EXPECT_EQ(profile.error().kind, ErrorKind::cancelled);
    EXPECT_TRUE(notes.empty());
}

}  // namespace
}  // namespace kforge
