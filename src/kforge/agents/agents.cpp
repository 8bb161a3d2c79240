#include "kforge/agents/agents.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// The stable part of a prompt is a template of its own, which the whole one includes first. A user's template
// that begins otherwise has none.
Result<size_t> stable_bytes(Renderer& renderer, const std::string& template_name,
                            const nlohmann::json& variables, const std::string& whole) {
    TRY_ASSIGN(const std::string stable, renderer.render(template_name, variables));
    return whole.starts_with(stable) ? stable.size() : 0;
}

LlmRequest request_of(const char* agent, int iteration, const Prompt& prompt) {
    LlmRequest request;
    request.agent = agent;
    request.iteration = iteration;
    request.system = prompt.system;
    request.prompt = prompt.user;
    request.stable_bytes = std::min(prompt.stable_bytes, prompt.user.size());
    return request;
}

}  // namespace

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
    TRY_ASSIGN(prompt.stable_bytes,
               stable_bytes(renderer, "generation-stable.md.j2", variables, prompt.user));
    for (const std::string& text : edits.appends_for(context.iteration)) {
        prompt.user += prompt.user.ends_with('\n') ? "\n" : "\n\n";
        prompt.user += std::string(trim(text)) + '\n';
    }
    return prompt;
}

Result<LlmOutcome> GenerationAgent::ask(const Prompt& prompt, int iteration, const LlmCall& call,
                                        const Llm& limited) const {
    return m_provider.complete(limited, request_of("generation", iteration, prompt), call);
}

Result<Prompt> AnalysisAgent::compose(const AnalysisContext& context) const {
    const nlohmann::json variables = to_json(context);
    Prompt prompt;
    TRY_ASSIGN(prompt.system, m_renderer.render("analysis-system.md.j2", variables));
    TRY_ASSIGN(prompt.user, m_renderer.render("analysis.md.j2", variables));
    TRY_ASSIGN(prompt.stable_bytes,
               stable_bytes(m_renderer, "analysis-stable.md.j2", variables, prompt.user));
    return prompt;
}

Result<LlmOutcome> AnalysisAgent::ask(const Prompt& prompt, int iteration, const LlmCall& call,
                                      const Llm& limited) const {
    LlmRequest request = request_of("analysis", iteration, prompt);
    if (m_llm.sees_images) request.images = prompt.images;
    return m_provider.complete(limited, request, call);
}

}  // namespace kforge
