// The two agents: each is an LLM, a way to ask it and the templates of its prompts. They compose and ask;
// what an answer means is for extract.hpp and recommendation.hpp, what happens next is for the forge.
// Provider and renderer must outlive the agent. ask() may be called by several threads at once.
#pragma once

#include <string>
#include <vector>

#include "kforge/llm/provider.hpp"
#include "kforge/prompt/context.hpp"
#include "kforge/prompt/edits.hpp"
#include "kforge/prompt/renderer.hpp"

namespace kforge {

struct Prompt {
    std::string system;
    std::string user;
    size_t stable_bytes = 0;       // of `user`: what the other prompts of this agent in the run begin with
    std::vector<fs::path> images;  // PNG, that belong to the text
};

// The edits are those for context.iteration: an override in place of the template, appends behind.
Result<Prompt> compose_generation(Renderer& renderer, const GenerationContext& context,
                                  const PromptEdits& edits);

class GenerationAgent {
  public:
    GenerationAgent(Llm llm, Provider& provider, Renderer& renderer)
        : m_llm(std::move(llm)), m_provider(provider), m_renderer(renderer) {}

    Result<Prompt> compose(const GenerationContext& context, const PromptEdits& edits) const {
        return compose_generation(m_renderer, context, edits);
    }
    // `limited` is llm(), with less room where a budget says so.
    Result<LlmOutcome> ask(const Prompt& prompt, int iteration, const LlmCall& call,
                           const Llm& limited) const;
    const Llm& llm() const { return m_llm; }

  private:
    Llm m_llm;
    Provider& m_provider;
    Renderer& m_renderer;
};

class AnalysisAgent {
  public:
    AnalysisAgent(Llm llm, Provider& provider, Renderer& renderer)
        : m_llm(std::move(llm)), m_provider(provider), m_renderer(renderer) {}

    Result<Prompt> compose(const AnalysisContext& context) const;
    // Images are sent only to an LLM that can see them.
    Result<LlmOutcome> ask(const Prompt& prompt, int iteration, const LlmCall& call,
                           const Llm& limited) const;
    const Llm& llm() const { return m_llm; }

  private:
    Llm m_llm;
    Provider& m_provider;
    Renderer& m_renderer;
};

}  // namespace kforge
