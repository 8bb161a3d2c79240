#include "kforge/cli/results.hpp"

#include <gtest/gtest.h>

#include "kforge/cli/table.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using nlohmann::json;

ReportRow failed_row(int iteration) {
    return {
        iteration,
        iteration == 1 ? "first" : "functional",
        false,
        {{"state", "mismatch"},
         {"reason", "values"},
         {"evidence", "175831 of 1572864 \x1b[2Jvalues differ by more than 0.0001 + 0.0001*|expected|\nmore"},
         {"speedup", nullptr},
         {"timings", nullptr}}};
}

ReportRow correct_row(int iteration) {
    return {iteration,
            "optimization",
            true,
            {{"state", "correct"},
             {"reason", nullptr},
             {"evidence", "agrees"},
             {"speedup", {{"value", 2.5}, {"low", 2.4}, {"high", 2.6}}},
             {"timings",
              {{"baseline", "compile"},
               {"series", {{"candidate", {{"median_ms", 1.0}}}, {"compile", {{"median_ms", 2.5}}}}}}}}};
}

RunReport finished_run() {
    RunReport report;
    report.path = "runs/one";
    report.status = "finished";
    report.rows = {failed_row(1), correct_row(2)};
    report.best = 2;
    report.cost.input_tokens = 1000;
    report.cost.output_tokens = 234;
    report.cost.estimated = true;
    return report;
}

TEST(RunTable, TellsEveryVerdictTheBestKernelAndTheCost) {
    EXPECT_EQ(report_text(finished_run(), 0, {}),
              "#   pass          verdict   speedup [95 %]      what happened\n"
              " 1  first         mismatch  -                   values: 175831 of 1572864 values differ by "
              "more than "
              "0.0001 + 0.0001*|expected|\n"
              "*2  optimization  correct   2.50x [2.40, 2.60]  1.000 ms, torch.compile 2.500 ms\n"
              "\n"
              "best      iteration 2: 2.50x [2.40, 2.60] over torch.compile\n"
              "kernel    runs/one/best/candidate.py\n"
              "run       runs/one\n"
              "LLM       about 1234 tokens, $0.00\n");
}

TEST(RunTable, TellsWhatEachAgentTookAndWhatCameFromACache) {
    RunReport report = finished_run();
    LlmCost& generation = report.agents["generation"];
    generation.calls = 5;
    generation.input_tokens = 40'000;
    generation.cached_input_tokens = 25'000;
    generation.output_tokens = 9'000;
    generation.usd = 0.1234;
    LlmCost& analysis = report.agents["analysis"];
    analysis.calls = 1;
    analysis.input_tokens = 100;
    analysis.estimated = true;
    analysis.priced = false;
    const std::string text = report_text(report, 80, {});
    EXPECT_NE(
        text.find("          generation: 5 calls, 40000 tokens in (62 % from a cache), 9000 out, $0.12\n"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("          analysis: 1 call, 100 tokens in, 0 out, price unknown\n"),
              std::string::npos)
        << text;
}

TEST(RunTable, FitsATerminalOf80Columns) {
    RunReport report = finished_run();
    report.rows[0].evaluation["state"] = "compilation_failure";
    for (const size_t width : {80u, 100u})
        for (const std::string& line : split_lines(report_text(report, width, {true, true})))
            EXPECT_LE(display_width(line), width) << line;
    EXPECT_EQ(report_text(report, 80, {}).find("optimization"), std::string::npos);
    EXPECT_NE(report_text(report, 100, {}).find("optimization"), std::string::npos);
    EXPECT_NE(report_text(report, 80, {true, true}).find("\x1b[32mcorrect"), std::string::npos);
}

TEST(RunTable, WithoutACorrectCandidateItSaysSoAndHowToGoOn) {
    RunReport report = finished_run();
    report.rows = {failed_row(1), failed_row(2)};
    report.best.reset();
    EXPECT_NE(report_text(report, 0, {}).find("no correct candidate so far\n"), std::string::npos);
    EXPECT_NE(report_text(report, 0, {}).find("next      more iterations: kforge resume runs/one -n 7\n"),
              std::string::npos);
    report.rows = {failed_row(1)};
    EXPECT_EQ(report_text(report, 0, {}).find("resume"), std::string::npos)
        << "an independent try is not continued";
}

TEST(RunTable, ASuspendedRunSaysWhatItWaitsForAndHowToGoOn) {
    RunReport report = finished_run();
    report.status = "suspended";
    report.message = "read 001.prompt.md";
    EXPECT_NE(report_text(report, 0, {})
                  .find("next      read 001.prompt.md\n          then: kforge resume runs/one\n"),
              std::string::npos);
}

TEST(RunTable, AStoppedRunSaysWhy) {
    RunReport report = finished_run();
    report.status = "stopped";
    report.message = "the budget of 5 tokens is spent (9)";
    const std::string text = report_text(report, 0, {});
    EXPECT_NE(text.find("(stopped: the budget of 5 tokens is spent (9))"), std::string::npos);
    EXPECT_NE(text.find("with a larger budget: kforge resume runs/one --budget-..."), std::string::npos);
}

TEST(RunTable, BeforeTheFirstVerdictThereIsNoTable) {
    RunReport report;
    report.path = "runs/one";
    report.status = "unfinished";
    EXPECT_EQ(report_text(report, 0, {}),
              "best      no correct candidate so far\n"
              "run       runs/one (unfinished)\n"
              "LLM       0 tokens, $0.00\n"
              "next      kforge resume runs/one\n");
}

TEST(EvaluationText, ShowsTimesOfBothSidesAndWhatTheJailDidNotPromise) {
    json evaluation = correct_row(1).evaluation;
    evaluation["timings"]["notes"] = json::array();
    evaluation["timings"]["same_permission_baseline"] = "compile";
    evaluation["timings"]["cold"] = {{"series", {{"candidate", {{"median_ms", 1.5}}}}}};
    for (auto& [name, series] : evaluation["timings"]["series"].items()) series["samples_ms"] = {1.0, 2.0};
    evaluation["open_promises"] = {"no network (no namespaces)", "no other files"};
    EXPECT_EQ(evaluation_text(evaluation),
              "correct\nagrees\n\n"
              "speedup  2.50x [2.40, 2.60] over torch.compile\n\n"
              "side              median  empty caches\n"
              "candidate      1.0000 ms     1.5000 ms  2 calls\n"
              "torch.compile  2.5000 ms                2 calls\n"
              "open promises  no network (no namespaces); no other files\n");
}

}  // namespace
}  // namespace kforge
