// BatchDesk: gathers the requests of a run that are waiting at the same time into one batch and remembers in
// the run directory what was handed in, so that a resumed run, here or elsewhere, finds its answers.
// Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

#include "kforge/llm/provider.hpp"

namespace kforge {

class BatchDesk {
  public:
    // An answer, or LlmPending while the batch is being worked on. Nothing when the batch has no answer to
    // this request and never will: it is to be asked singly.
    Result<std::optional<BatchOutcome>> ask(LlmBatches& batches, const Llm& llm, const LlmRequest& request,
                                            const LlmCall& call);

  private:
    struct Waiting;
    Result<void> hand_in(LlmBatches& batches, const Llm& llm, const fs::path& folder, const BatchItem& item,
                         const LlmCall& call);
    Result<void> fetch(LlmBatches& batches, const Llm& llm, const fs::path& folder, const std::string& item,
                       const LlmCall& call);

    std::mutex m_fetching;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<std::string, std::vector<Waiting*>> m_waiting;                 // by run and LLM
    std::map<std::string, std::chrono::steady_clock::time_point> m_looked;  // when a batch was last asked for
};

}  // namespace kforge
