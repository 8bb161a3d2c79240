#include "kforge/report/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "kforge/util/fs.hpp"

namespace kforge {
namespace {

using nlohmann::json;

json sweep_evaluation(double eager_ms, double compile_ms, double candidate_ms) {
    const double best = std::min(eager_ms, compile_ms);
    const double ratio = best / candidate_ms;
    const json speedup = {{"value", ratio}, {"low", ratio * 0.9}, {"high", ratio * 1.1}};
    return {{"state", "correct"},
            {"reason", nullptr},
            {"evidence", "agrees"},
            {"claim", ratio > 1 ? "faster" : "slower"},
            {"speedup", speedup},
            {"same_permission_speedup", speedup},
            {"timings",
             {{"baseline", "eager"},
              {"same_permission_baseline", "eager"},
              {"series",
               {{"candidate", {{"median_ms", candidate_ms}}},
                {"compile", {{"median_ms", compile_ms}}},
                {"eager", {{"median_ms", eager_ms}}}}}}}};
}

Sweep example_sweep() {
    Sweep sweep{"kernel.py", "starter/05_rmsnorm", "cpu-cpp", "leading size", {}};
    sweep.rows.push_back(sweep_row(1, sweep_evaluation(0.02, 0.03, 0.04)));
    sweep.rows.push_back(sweep_row(64, sweep_evaluation(0.5, 0.4, 0.2)));
    sweep.rows.push_back(sweep_row(100, {{"state", "mismatch"},
                                         {"reason", "values"},
                                         {"evidence", "3 of 400 values <differ> & more"},
                                         {"speedup", nullptr},
                                         {"timings", nullptr}}));
    sweep.rows.push_back(sweep_row(1024, sweep_evaluation(8, 6, 1.5)));
    sweep.rows.push_back(refused_size(1 << 20, "needs more memory than there is"));
    return sweep;
}

TEST(Sweep, ARowKnowsItsSidesInTheOrderOfTheTable) {
    const SweepRow row = sweep_row(4, sweep_evaluation(2, 3, 1));
    EXPECT_EQ(row.medians_ms,
              (std::vector<std::pair<std::string, double>>{{"eager", 2}, {"compile", 3}, {"candidate", 1}}));
    EXPECT_EQ(row.median_ms("compile"), 3);
    EXPECT_EQ(row.median_ms("half_eager"), std::nullopt);
    EXPECT_DOUBLE_EQ(row.speedup->value, 2);
    EXPECT_TRUE(row.is_correct());
    EXPECT_FALSE(row.same_permission_speedup) << "it is the same baseline";
}

TEST(Sweep, AnotherBaselineWithTheSamePermissionsIsToldApart) {
    json evaluation = sweep_evaluation(2, 3, 1);
    evaluation["timings"]["same_permission_baseline"] = "half_eager";
    evaluation["timings"]["series"]["half_eager"] = {{"median_ms", 0.5}};
    evaluation["same_permission_speedup"] = {{"value", 0.5}, {"low", 0.4}, {"high", 0.6}};
    const SweepRow row = sweep_row(4, evaluation);
    ASSERT_TRUE(row.same_permission_speedup);
    EXPECT_DOUBLE_EQ(row.same_permission_speedup->value, 0.5);
    EXPECT_EQ(row.medians_ms[2].first, "half_eager");
    EXPECT_EQ(row.medians_ms.back().first, "candidate");
}

TEST(Sweep, JsonHoldsAllOfEveryEvaluationWithItsSize) {
    const json result = to_json(example_sweep());
    EXPECT_EQ(result["axis"], "leading size");
    EXPECT_EQ(result["sizes"].size(), 5u);
    EXPECT_EQ(result["sizes"][1]["size"], 64);
    EXPECT_EQ(result["sizes"][1]["timings"]["series"]["eager"]["median_ms"], 0.5);
    EXPECT_EQ(result["sizes"][2]["reason"], "values");
    EXPECT_TRUE(result["sizes"][4]["state"].is_null());
}

TEST(Sweep, ThePictureChangesOnlyOnPurpose) {
    const fs::path file = fs::path(KFORGE_SOURCE_DIR) / "tests/golden/sweep/example.svg";
    const std::string picture = sweep_svg(example_sweep());
    const char* update = std::getenv("KFORGE_UPDATE_GOLDEN");
    if (update != nullptr && std::string(update) == "1") {
        ASSERT_TRUE(write_file_durable(file, picture).ok());
        return;
    }
    const auto golden = read_file(file);
    ASSERT_TRUE(golden.ok()) << golden.error().message;
    EXPECT_EQ(picture, *golden)
        << "if the change is meant, run the unit tests once with KFORGE_UPDATE_GOLDEN=1";
}

TEST(Sweep, ThePictureOfNothingButFailuresIsOneToo) {
    Sweep sweep = example_sweep();
    sweep.problem = "a<b>&c";
    sweep.rows = {sweep.rows[2], sweep.rows[4]};
    const std::string picture = sweep_svg(sweep);
    EXPECT_NE(picture.find("a&lt;b&gt;&amp;c"), std::string::npos);
    EXPECT_NE(picture.find(">values<"), std::string::npos);
    EXPECT_NE(picture.find(">not possible<"), std::string::npos);
    EXPECT_EQ(picture.find("nan"), std::string::npos);
    EXPECT_EQ(picture.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace kforge
