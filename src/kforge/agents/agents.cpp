#include "kforge/agents/agents.hpp"

#include <nlohmann/json.hpp>

#include "kforge/util/text.hpp"

namespace kforge {

Result<Prompt> compose_generation(Renderer& renderer, const GenerationContext& context,
                                  const PromptEdits& edits) {
    const nlohmann::json variables = to_json(context);
    Prompt prompt;
    TRY_ASSIGN(prompt.system, renderer.render("generation-system.md.j2", variables));
    if (const auto text = edits.override_for(context.iteration)) {
        TRY_ASSIGN(prompt.user, renderer.render_text(*text, variables));
    } else {
        TRY_ASSIGN(prompt.user, renderer.render("generation.md.j2", variables));
    }
    for (const std::string& text : edits.appends_for(context.iteration)) {
        prompt.user += prompt.user.ends_with('\n') ? "\n" : "\n\n";
        prompt.user += std::string(trim(text)) + '\n';
    }
    return prompt;
}

Result<LlmOutcome> GenerationAgent::ask(const Prompt& prompt, int iteration, const LlmCall& call) const {
    return m_provider.complete(m_llm, {"generation", iteration, prompt.system, prompt.user, {}}, call);
}

Result<Prompt> AnalysisAgent::compose(const AnalysisContext& context) const {
    const nlohmann::json variables = to_json(context);
    Prompt prompt;
    TRY_ASSIGN(prompt.system, m_renderer.render("analysis-system.md.j2", variables));
    TRY_ASSIGN(prompt.user, m_renderer.render("analysis.md.j2", variables));
    return prompt;
}

Result<LlmOutcome> AnalysisAgent::ask(const Prompt& prompt, int iteration, const LlmCall& call,
                                      const std::vector<fs::path>& images) const {
    LlmRequest request{"analysis", iteration, prompt.system, prompt.user, {}};
    if (m_llm.sees_images) request.images = images;
    return m_provider.complete(m_llm, request, call);
}

}  // namespace kforge
