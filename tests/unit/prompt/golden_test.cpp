#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "kforge/util/fs.hpp"
#include "rendering.hpp"

namespace kforge {
namespace {

// Compares with tests/golden/prompts/<name>.md; KFORGE_UPDATE_GOLDEN=1 writes it instead.
void expect_golden(const std::string& name, const std::string& system_template,
                   const std::string& user_template, const nlohmann::json& context) {
    ProcessRenderer renderer = ProcessRenderer::with_built_in_templates();
    const Result<std::string> system = renderer.render(system_template, context);
    ASSERT_TRUE(system.ok()) << system.error().message;
    const Result<std::string> user = renderer.render(user_template, context);
    ASSERT_TRUE(user.ok()) << user.error().message;
    const std::string text = *system + "\n---\n\n" + *user;
    const fs::path file = fs::path(KFORGE_SOURCE_DIR) / "tests/golden/prompts" / (name + ".md");
    const char* update = std::getenv("KFORGE_UPDATE_GOLDEN");
    if (update != nullptr && std::string(update) == "1") {
        ASSERT_TRUE(write_file_durable(file, text).ok());
        return;
    }
    const Result<std::string> golden = read_file(file);
    ASSERT_TRUE(golden.ok()) << golden.error().message;
    EXPECT_EQ(text, *golden) << "if the change is meant, run the unit tests once with KFORGE_UPDATE_GOLDEN=1";
}

void expect_golden(const std::string& name, const GenerationContext& context) {
    expect_golden(name, "generation-system.md.j2", "generation.md.j2", to_json(context));
}

TEST(GoldenPrompt, First) {
    expect_golden("first", sample_generation());
}

TEST(GoldenPrompt, AfterACompileError) {
    expect_golden("compile-error",
                  sample_after("compilation_failure", "toolchain",
                               "main.c:3:9: error: 'n' undeclared\n    3 |     i < n\n      |         ^"));
}

TEST(GoldenPrompt, AfterAMismatch) {
    GenerationContext context =
        sample_after("mismatch", "values", "largest error 0.31 at [63, 511]: expected 1.25, got 0.94");
    context.iteration = 4;
    context.previous->iteration = 3;
    context.recommendation = "Vectorise the tail\n\nUse eight lanes.";
    context.best = BestContext{2, "# the best\n", SpeedupContext{1.25, 1.2, 1.31}};
    context.history = {{1, "runtime_error", "crash", std::nullopt, ""},
                       {2, "correct", "", SpeedupContext{1.25, 1.2, 1.31}, ""},
                       {3, "mismatch", "values", std::nullopt, context.recommendation}};
    expect_golden("mismatch", context);
}

TEST(GoldenPrompt, AfterAGuardRejection) {
    expect_golden("guard",
                  sample_after("disqualified", "guardrail",
                               "line 7 breaks no-fast-math (it changes results): flags = '-ffast-math'"));
}

TEST(GoldenPrompt, AfterAnAnswerWithoutCode) {
    GenerationContext context = sample_after("generation_failure", "no_code", "");
    context.previous->source.clear();
    expect_golden("no-code", context);
}

TEST(GoldenPrompt, Optimization) {
    GenerationContext context = sample_after("correct", "", "");
    context.pass_kind = PassKind::optimization;
    context.iteration = 4;
    context.previous->iteration = 3;
    context.history = {{1, "compilation_failure", "syntax", std::nullopt, ""},
                       {2, "correct", "", SpeedupContext{1.25, 1.2, 1.31}, ""},
                       {3, "correct", "", SpeedupContext{1.1, 1.05, 1.16}, "Unroll the loop\n\nBy four."}};
    ResultContext& result = context.previous->result;
    result.speedup = SpeedupContext{1.1, 1.05, 1.16};
    result.same_permission_speedup = SpeedupContext{0.9, 0.88, 0.93};
    result.timings = {{"candidate", 0.91, 0.87}, {"eager", 1.0, 0.97}, {"compile", 1.1234567, 1.1}};
    context.best = BestContext{2, "", SpeedupContext{1.25, 1.2, 1.31}};
    context.recommendation =
        "Fuse the tail into the product\n\nThe product is read twice. Do it in one pass.";
    expect_golden("optimization", context);
}

TEST(GoldenPrompt, Everything) {
    GenerationContext context = sample_generation();
    context.platform.device = "cuda";
    context.platform.machine = {"device: Toy 9000", "toolchain: toyc 3.6"};
    context.policies = {Precision::mixed, Weights::live, true, true, Kernels::required, Mode::eval};
    context.reference_kernels = {{"nvidia-cuda", "// says ``` in a comment\n__global__ void k();\n"},
                                 {"", "kernel void k();\n"}};
    context.auxiliary = {{"lib/norm.py", "def norm(x): ...\n", "python"}, {"notes.txt", "text", ""}};
    context.hooks = {{"energy", {{"joules", 12.5}, {"score", 0.333333333}}}};
    context.notes = {"not shown, binary: lib/a.o"};
    expect_golden("everything", context);
}

TEST(GoldenPrompt, Analysis) {
    expect_golden("analysis", "analysis-system.md.j2", "analysis.md.j2", to_json(sample_analysis()));
}

TEST(GoldenPrompt, AnalysisWithAllThereIs) {
    AnalysisContext context = sample_analysis();
    context.platform.machine = {"device: Toy 9000", "peaks: 4800 GB/s"};
    context.policies.precision = Precision::accurate;
    context.iteration = 4;
    context.history.push_back(
        {3, "correct", "", SpeedupContext{1.1, 1.05, 1.16}, "Unroll the loop\n\nBy four."});
    context.candidate.result.same_permission_speedup = SpeedupContext{0.9, 0.58, 1.33};
    context.candidate.result.evidence = "agrees with the reference; largest error 1e-06 (limit 4e-06)";
    context.profiles.push_back({"timeline", "", 1});
    context.profiles.push_back({"roofline", "at 40 % of the peak\n", 2});
    context.hooks = {{"energy", {{"joules", 12.5}}}};
    context.notes = {"2 threads"};
    expect_golden("analysis-everything", "analysis-system.md.j2", "analysis.md.j2", to_json(context));
}

}  // namespace
}  // namespace kforge
