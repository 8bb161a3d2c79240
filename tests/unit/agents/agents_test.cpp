#include "kforge/agents/agents.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kforge {
namespace {

class NamingRenderer : public Renderer {
  public:
    Result<std::string> render(const std::string& name, const nlohmann::json& context) override {
        if (!fail_on.empty() && name == fail_on) return Error{ErrorKind::config, name + ":1: broken"};
        return "<" + name + " " + context["problem"]["name"].get<std::string>() + ">\n";
    }
    Result<std::string> render_text(const std::string& text, const nlohmann::json&) override {
        return "<text " + text + ">";
    }
    std::string fail_on;
};

class RecordingProvider : public Provider {
  public:
    Result<void> configure(Llm&, const std::string&) const override { return {}; }
    Result<void> check(const Llm&) const override { return {}; }
    Result<LlmOutcome> complete(const Llm& llm, const LlmRequest& request, const LlmCall&) override {
        llm_name = llm.name;
        last = request;
        LlmAnswer answer;
        answer.text = "done";
        return LlmOutcome(answer);
    }
    std::string llm_name;
    LlmRequest last;
};

class Agents : public ::testing::Test {
  protected:
    Llm llm(bool sees_images = false) {
        Llm entry;
        entry.name = "writer";
        entry.sees_images = sees_images;
        return entry;
    }
    NamingRenderer renderer;
    RecordingProvider provider;
};

TEST_F(Agents, GenerationRendersItsTemplates) {
    const GenerationAgent agent(llm(), provider, renderer);
    GenerationContext context;
    context.problem.name = "relu";
    const auto prompt = agent.compose(context, PromptEdits());
    ASSERT_TRUE(prompt.ok());
    EXPECT_EQ(prompt->system, "<generation-system.md.j2 relu>\n");
    EXPECT_EQ(prompt->user, "<generation.md.j2 relu>\n");
}

TEST_F(Agents, EditsOfTheIterationReplaceAndAppend) {
    const GenerationAgent agent(llm(), provider, renderer);
    const auto edits = PromptEdits::parse({"always", "second@2"}, {"instead@2"});
    ASSERT_TRUE(edits.ok());
    GenerationContext context;
    context.problem.name = "relu";
    context.iteration = 1;
    EXPECT_EQ(agent.compose(context, *edits)->user, "<generation.md.j2 relu>\n\nalways\n");
    context.iteration = 2;
    EXPECT_EQ(agent.compose(context, *edits)->user, "<text instead>\n\nalways\n\nsecond\n");
}

// The stable part is what the template of that name renders, where the whole prompt does begin with it.
class BeginningRenderer : public Renderer {
  public:
    Result<std::string> render(const std::string& name, const nlohmann::json&) override {
        return std::string(name.find("stable") == std::string::npos ? whole : "always the same\n");
    }
    Result<std::string> render_text(const std::string& text, const nlohmann::json&) override { return text; }
    std::string whole = "always the same\nand new\n";
};

TEST_F(Agents, TheStablePartOfAPromptIsMeasuredByRendering) {
    BeginningRenderer beginning;
    const GenerationAgent generation(llm(), provider, beginning);
    const AnalysisAgent analysis(llm(), provider, beginning);
    EXPECT_EQ(generation.compose({}, PromptEdits())->stable_bytes, 16u);
    EXPECT_EQ(analysis.compose({})->stable_bytes, 16u);
    const auto edits = PromptEdits::parse({"more"}, {"something else"});
    EXPECT_EQ(generation.compose({}, *edits)->stable_bytes, 0u) << "an override shares no beginning";
    beginning.whole = "a user's own template\n";
    EXPECT_EQ(analysis.compose({})->stable_bytes, 0u);
}

TEST_F(Agents, ATemplateErrorIsPassedOn) {
    renderer.fail_on = "generation.md.j2";
    const GenerationAgent agent(llm(), provider, renderer);
    const auto prompt = agent.compose(GenerationContext{}, PromptEdits());
    ASSERT_FALSE(prompt.ok());
    EXPECT_EQ(prompt.error().message, "generation.md.j2:1: broken");
}

TEST_F(Agents, AskSaysWhichAgentAndIteration) {
    const GenerationAgent agent(llm(), provider, renderer);
    Llm limited = llm();
    limited.name = "limited";
    const auto outcome = agent.ask({"system", "user", 3, {}}, 3, {}, limited);
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(std::get<LlmAnswer>(*outcome).text, "done");
    EXPECT_EQ(provider.llm_name, "limited");
    EXPECT_EQ(provider.last.stable_bytes, 3u);
    EXPECT_EQ(provider.last.agent, "generation");
    EXPECT_EQ(provider.last.iteration, 3);
    EXPECT_EQ(provider.last.system, "system");
    EXPECT_EQ(provider.last.prompt, "user");
}

TEST_F(Agents, AnalysisSendsImagesOnlyToAnLlmThatSees) {
    AnalysisContext context;
    context.problem.name = "relu";
    const AnalysisAgent blind(llm(false), provider, renderer);
    auto prompt = blind.compose(context);
    ASSERT_TRUE(prompt.ok());
    EXPECT_EQ(prompt->user, "<analysis.md.j2 relu>\n");
    prompt->images = {"profile.png"};
    ASSERT_TRUE(blind.ask(*prompt, 2, {}, blind.llm()).ok());
    EXPECT_EQ(provider.last.agent, "analysis");
    EXPECT_TRUE(provider.last.images.empty());
    const AnalysisAgent seeing(llm(true), provider, renderer);
    ASSERT_TRUE(seeing.ask(*prompt, 2, {}, seeing.llm()).ok());
    EXPECT_EQ(provider.last.images, std::vector<fs::path>{"profile.png"});
}

}  // namespace
}  // namespace kforge
