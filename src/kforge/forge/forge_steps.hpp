// Forge: one run under way. The loop is in forge.cpp, what an iteration consists of in forge_steps.cpp. Used
// by one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kforge/forge/asker.hpp"
#include "kforge/forge/forge.hpp"

namespace kforge {

class Forge {
  public:
    explicit Forge(const ForgeParts& parts)
        : m(parts),
          m_strategy(parts.config),
          m_asker(parts.run, parts.config, parts.observer, parts.rescue, parts.campaign) {}

    Result<RunSummary> run();

  private:
    bool over() const;
    bool may_start(const char* done, int iteration);
    void phase(const IterationRecord& record, std::string_view text);
    std::vector<Attempt> attempts() const;
    const IterationRecord& record_of(int iteration) const;
    Result<void> vet();
    Result<void> keep(IterationRecord record);
    void wait_for_device();
    Result<RunSummary> finish();

    Result<GenerationContext> generation_context(const IterationRecord& record);
    Result<void> write_prompt(const IterationRecord& record);
    Result<std::optional<LlmOutcome>> ask_once(int iteration, const char* agent, const Llm& llm,
                                               const Asker::Call& call);
    Asker::Call generation_call(int iteration) const;
    Result<std::optional<LlmOutcome>> generate(const IterationRecord& record);
    Result<void> sample_ahead();

    Result<void> extract(const LlmOutcome& outcome, IterationRecord& record);
    Submission submission(const IterationRecord& record) const;
    const IterationRecord* earlier_twin(const IterationRecord& record) const;
    Result<void> evaluate(IterationRecord& record);
    Result<void> call_hooks(IterationRecord& record);
    Result<void> confirm(IterationRecord& record);

    Result<void> advise();
    Result<Prompt> analysis_prompt(const IterationRecord& base);
    Result<std::vector<fs::path>> add_profile(const IterationRecord& base, AnalysisContext& context);

    const ForgeParts& m;
    Strategy m_strategy;
    Asker m_asker;
    RunSummary m_summary;
};

}  // namespace kforge
