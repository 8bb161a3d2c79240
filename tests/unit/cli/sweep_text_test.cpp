#include "kforge/cli/sweep_text.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

using nlohmann::json;

SweepRow row_of(long size, double eager_ms, double candidate_ms) {
    const double ratio = eager_ms / candidate_ms;
    return sweep_row(
        size, {{"state", "correct"},
               {"claim", ratio > 1 ? "faster" : "slower"},
               {"speedup", {{"value", ratio}, {"low", ratio - 0.1}, {"high", ratio + 0.1}}},
               {"timings",
                {{"baseline", "eager"},
                 {"same_permission_baseline", "eager"},
                 {"series",
                  {{"eager", {{"median_ms", eager_ms}}}, {"candidate", {{"median_ms", candidate_ms}}}}}}}});
}

Sweep swept() {
    Sweep sweep{"kernel.py", "p", "cpu-cpp", "rows", {}};
    sweep.rows = {
        row_of(1, 0.01, 0.02), row_of(1000, 300, 100),
        sweep_row(5000, {{"state", "mismatch"}, {"reason", "values"}, {"evidence", "3 differ\nmore"}}),
        refused_size(9, "too \x1b[2Jsmall")};
    return sweep;
}

TEST(SweepSizes, AreWholeNumbersInTheirOrder) {
    EXPECT_EQ(*parse_sizes("8,1, 4"), (std::vector<long>{8, 1, 4}));
    for (const char* wrong : {"", "1,", "0", "-1", "1.5", "1e3", "many", "1;2", "99999999999999999999"}) {
        const auto sizes = parse_sizes(wrong);
        ASSERT_FALSE(sizes.ok()) << wrong;
        EXPECT_EQ(sizes.error().kind, ErrorKind::usage);
    }
    EXPECT_NE(parse_sizes("4,2,4").error().message.find("4 is given twice"), std::string::npos);
}

TEST(SweepTable, TellsTimesSpeedupsAndVerdicts) {
    EXPECT_EQ(sweep_table(swept(), 0, {}),
              "rows  eager ms  candidate ms  speedup [95 %]      verdict\n"
              "   1    0.0100        0.0200  0.50x [0.40, 0.60]  slower\n"
              "1000     300.0         100.0  3.00x [2.90, 3.10]  faster\n"
              "5000         -             -  -                   mismatch (values): 3 differ\n"
              "   9         -             -  -                   not possible: too small\n");
}

TEST(SweepTable, ShowsTheRatioWithTheSamePermissionsWhereItDiffers) {
    Sweep sweep = swept();
    sweep.rows[1].same_permission_speedup = Ratio{0.5, 0.4, 0.6};
    const std::string table = sweep_table(sweep, 0, {});
    EXPECT_NE(table.find("same permissions"), std::string::npos);
    EXPECT_NE(table.find("3.00x [2.90, 3.10]  0.50x [0.40, 0.60]  faster"), std::string::npos) << table;
}

TEST(SweepBars, AreMeasuredAgainstOne) {
    EXPECT_EQ(sweep_bars(swept(), 46, {.color = false, .utf8 = false}),
              "speedup over the faster of eager and torch.compile (| is 1x)\n"
              "   1  #####     |  0.50x\n"
              "1000  ##########|###################  3.00x\n"
              "5000            |  mismatch\n"
              "   9            |  not possible\n");
    EXPECT_NE(sweep_bars(swept(), 0, {}).find("█│█"), std::string::npos);
}

TEST(SweepBars, AreLeftOutWhereNothingWasTimed) {
    Sweep sweep = swept();
    sweep.rows = {sweep.rows[2]};
    EXPECT_EQ(sweep_bars(sweep, 80, {}), "");
}

}  // namespace
}  // namespace kforge
