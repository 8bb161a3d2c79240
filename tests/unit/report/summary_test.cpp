#include "kforge/report/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace kforge {
namespace {

using nlohmann::json;

RunReport run(const std::string& name, std::optional<double> speedup, const std::string& vet = "ok",
              const std::string& claim = "faster") {
    RunReport report;
    report.path = "runs/" + name;
    report.status = "finished";
    report.vet = {{"state", vet}};
    ReportRow row;
    row.iteration = 1;
    row.evaluation = {{"state", speedup ? "correct" : "mismatch"}};
    if (speedup) {
        row.evaluation["speedup"] = {{"value", *speedup}, {"low", *speedup}, {"high", *speedup}};
        row.evaluation["same_permission_speedup"] = {{"value", *speedup / 2}};
        row.evaluation["claim"] = claim;
        row.best = true;
        report.best = 1;
    }
    report.rows.push_back(row);
    return report;
}

TEST(Summary, DegenerateAndRandomProblemsAreKeptOutOfTheMean) {
    const Summary summary = summarize_runs({run("a", 2), run("b", 8), run("c", 1000, "degenerate"),
                                            run("d", 1, "random", "no difference"), run("e", std::nullopt)});
    EXPECT_EQ(summary.sound.runs, 2u);
    EXPECT_DOUBLE_EQ(*summary.sound.speedup, 4);
    EXPECT_DOUBLE_EQ(*summary.sound.same_permission, 2);
    EXPECT_EQ(summary.all.runs, 4u);
    EXPECT_NEAR(*summary.all.speedup, std::pow(16'000, 0.25), 1e-9);
    EXPECT_EQ(summary.faster, 2u);
    const json value = to_json(summary);
    EXPECT_EQ(value["runs"].size(), 5u);
    EXPECT_DOUBLE_EQ(value["geometric_mean"]["sound"]["speedup"].get<double>(), 4);
}

TEST(Summary, WithoutASpeedupThereIsNoMean) {
    const Summary summary = summarize_runs({run("a", std::nullopt)});
    EXPECT_FALSE(summary.sound.speedup);
    EXPECT_TRUE(to_json(summary)["geometric_mean"]["all"]["speedup"].is_null());
}

TEST(Summary, AFolderOfRunsIsAllOfThem) {
    const Result<TemporaryDirectory> folder = TemporaryDirectory::create("/tmp", "kforge-summary-");
    ASSERT_TRUE(folder.ok());
    for (const char* name : {"two", "one", "notes"}) fs::create_directories(folder->path() / name);
    for (const char* name : {"two", "one"}) std::ofstream(folder->path() / name / "journal.jsonl");
    EXPECT_EQ(runs_at(folder->path()),
              (std::vector<fs::path>{folder->path() / "one", folder->path() / "two"}));
    EXPECT_EQ(runs_at(folder->path() / "one"), std::vector<fs::path>{folder->path() / "one"});
    EXPECT_EQ(runs_at(folder->path() / "notes"), std::vector<fs::path>{folder->path() / "notes"});
}

}  // namespace
}  // namespace kforge
