#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "kforge/arena/verdict.hpp"
#include "kforge/util/fs.hpp"
#include "rendering.hpp"

namespace kforge {
namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string render_ok(Renderer& renderer, const std::string& name, const nlohmann::json& context) {
    const Result<std::string> text = renderer.render(name, context);
    EXPECT_TRUE(text.ok()) << text.error().message;
    return text.ok() ? *text : "";
}

std::string error_of(const Result<std::string>& text) {
    EXPECT_FALSE(text.ok()) << *text;
    return text.ok() ? "" : text.error().message;
}

class Templates : public ::testing::Test {
  protected:
    void write(const std::string& name, const std::string& text) {
        EXPECT_TRUE(write_file_durable(folder->path() / name, text).ok());
    }
    ProcessRenderer with_user_folder() {
        return ProcessRenderer({folder->path().string(), KFORGE_SOURCE_DIR "/prompts"});
    }
    Result<TemporaryDirectory> folder =
        TemporaryDirectory::create(fs::temp_directory_path(), "kforge-prompts-");
    ProcessRenderer built_in = ProcessRenderer::with_built_in_templates();
};

TEST_F(Templates, EveryReasonIsExplainedInItsOwnWords) {
    nlohmann::json attempts = nlohmann::json::array();
    for (int i = 0; i <= static_cast<int>(Reason::interpreted); ++i) {
        const Reason reason = static_cast<Reason>(i);
        attempts.push_back(
            to_json(sample_after(std::string(to_string(state_of(reason))), std::string(to_string(reason)),
                                 "what happened"))["previous"]);
    }
    const auto rendered = built_in.render_text(
        "{% for previous in attempts %}{% include 'partials/verdict.md.j2' %}=====\n{% endfor %}",
        {{"attempts", attempts}});
    ASSERT_TRUE(rendered.ok()) << rendered.error().message;
    std::set<std::string> explanations;
    size_t start = 0;
    for (const nlohmann::json& attempt : attempts) {
        const std::string state = attempt["state"];
        const std::string reason = attempt["reason"];
        const size_t end = rendered->find("=====\n", start);
        ASSERT_NE(end, std::string::npos);
        const std::string text = rendered->substr(start, end - start);
        start = end + 6;
        EXPECT_TRUE(contains(text, "**" + state + " (" + reason + ")**")) << text;
        EXPECT_TRUE(contains(text, "```\nwhat happened\n```")) << text;
        const std::string explanation = text.substr(text.find('\n'));
        EXPECT_GT(explanation.size(), 60u) << reason;
        const bool own = explanations.insert(explanation).second;
        EXPECT_TRUE(own || state == "checked") << reason;
    }
}

TEST_F(Templates, TheBeginningDoesNotChangeBetweenIterations) {
    const std::string first = render_ok(built_in, "generation.md.j2", to_json(sample_generation()));
    const std::string second =
        render_ok(built_in, "generation.md.j2", to_json(sample_after("mismatch", "values", "wrong")));
    const std::string common = first.substr(0, first.find("# Now"));
    EXPECT_TRUE(second.starts_with(common));
    EXPECT_TRUE(contains(common, "# Problem: linear-relu"));
}

TEST_F(Templates, EveryPlatformOfTheRepositoryRenders) {
    const fs::path platforms = fs::path(KFORGE_SOURCE_DIR) / "platforms";
    if (!fs::exists(platforms)) GTEST_SKIP() << "[SKIP] there is no folder platforms";
    for (const fs::directory_entry& entry : fs::directory_iterator(platforms)) {
        const auto example = read_file(entry.path() / "example/kernel.py");
        const auto reference = read_file(entry.path() / "example/reference.py");
        const auto guide = read_file(entry.path() / "guide.md");
        if (!example.ok() || !reference.ok() || !guide.ok()) continue;
        GenerationContext context = sample_generation();
        context.platform.guide = *guide;
        context.platform.example_reference = *reference;
        context.platform.example_kernel = *example;
        const std::string text = render_ok(built_in, "generation.md.j2", to_json(context));
        EXPECT_TRUE(contains(text, example->substr(0, example->size() - 1))) << entry.path();
        EXPECT_TRUE(contains(text, reference->substr(0, reference->size() - 1))) << entry.path();
        const std::string first_heading = guide->substr(guide->find("# ") + 2, 8);
        EXPECT_TRUE(contains(text, "\n## " + first_heading)) << entry.path() << ": sections begin with one #";
    }
}

TEST_F(Templates, ASpeedupThatEqualsTheOtherIsToldOnce) {
    AnalysisContext context = sample_analysis();
    context.candidate.result.same_permission_speedup = context.candidate.result.speedup;
    EXPECT_FALSE(contains(render_ok(built_in, "analysis.md.j2", to_json(context)), "same permissions"));
    context.candidate.result.same_permission_speedup = SpeedupContext{0.9, 0.88, 0.93};
    EXPECT_TRUE(contains(render_ok(built_in, "analysis.md.j2", to_json(context)), "same permissions: 0.90x"));
}

TEST_F(Templates, TheUsersFolderComesFirstAndMayReplaceOnePart) {
    write("partials/pass-first.md.j2", "Be brief, iteration {{ iteration }}.\n");
    ProcessRenderer renderer = with_user_folder();
    const std::string text = render_ok(renderer, "generation.md.j2", to_json(sample_generation()));
    EXPECT_TRUE(contains(text, "Be brief, iteration 1."));
    EXPECT_TRUE(contains(text, "# Problem: linear-relu"));
}

TEST_F(Templates, AMissingVariableNamesTemplateLineAndWhatExists) {
    write("generation.md.j2", "one\ntwo {{ foo }}\n");
    ProcessRenderer renderer = with_user_folder();
    const std::string message = error_of(renderer.render("generation.md.j2", to_json(sample_generation())));
    EXPECT_TRUE(
        contains(message, "generation.md.j2:2: 'foo' is undefined; known variables: auxiliary, best, "))
        << message;
}

TEST_F(Templates, AMissingFieldNamesThoseThatExist) {
    const std::string message =
        error_of(built_in.render_text("{{ platform.nmae }}", to_json(sample_generation())));
    EXPECT_TRUE(contains(message, "<inline template>:1: the object has no 'nmae'; it has: device, "))
        << message;
}

TEST_F(Templates, AMissingVariableInAnIncludedPartNamesThatPart) {
    nlohmann::json context = to_json(sample_after("mismatch", "values", ""));
    context.erase("recommendation");
    const std::string message = error_of(built_in.render("generation.md.j2", context));
    EXPECT_TRUE(contains(message, "prompts/partials/pass-functional.md.j2:6: 'recommendation' is undefined"))
        << message;
}

TEST_F(Templates, BrokenAndMissingTemplatesSayWhere) {
    write("broken.md.j2", "fine\n{% if %}\n");
    write("endless.md.j2", "{% include 'endless.md.j2' %}");
    ProcessRenderer renderer = with_user_folder();
    EXPECT_TRUE(
        contains(error_of(renderer.render("broken.md.j2", nlohmann::json::object())), "broken.md.j2:2: "));
    EXPECT_TRUE(contains(error_of(renderer.render("none.md.j2", nlohmann::json::object())),
                         "there is no template 'none.md.j2' in "));
    EXPECT_TRUE(
        contains(error_of(renderer.render("endless.md.j2", nlohmann::json::object())), "without end"));
    EXPECT_TRUE(contains(error_of(renderer.render_text("{{ 1 / 0 }}", nlohmann::json::object())),
                         "ZeroDivisionError"));
}

TEST_F(Templates, TheSandboxHolds) {
    const std::string message =
        error_of(built_in.render_text("{{ ''.__class__.__mro__ }}", nlohmann::json::object()));
    EXPECT_TRUE(contains(message, "SecurityError")) << message;
}

TEST_F(Templates, TextFromOutsideIsNeverATemplate) {
    GenerationContext context = sample_after("mismatch", "values", "{{ boom }} {% raw %}");
    context.previous->source = "x = '{{ 7 * 6 }}'\n";
    const std::string text = render_ok(built_in, "generation.md.j2", to_json(context));
    EXPECT_TRUE(contains(text, "{{ boom }} {% raw %}"));
    EXPECT_TRUE(contains(text, "x = '{{ 7 * 6 }}'"));
}

TEST_F(Templates, BytesThatAreNoTextDoNotBreakTheJson) {
    GenerationContext context = sample_after("runtime_error", "exception", "bad \xFF byte \x1B[31m");
    EXPECT_TRUE(contains(render_ok(built_in, "generation.md.j2", to_json(context)), "bad \xEF\xBF\xBD byte"));
}

}  // namespace
}  // namespace kforge
