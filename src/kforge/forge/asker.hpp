// Asker: the questions of a run to its LLMs: each within the budget, seen while its answer arrives, and on
// disk before anybody reads it. ask() may be called by several threads at once, open() by one.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "kforge/agents/agents.hpp"
#include "kforge/forge/budget.hpp"
#include "kforge/forge/observer.hpp"
#include "kforge/forge/run_config.hpp"
#include "kforge/report/lost_calls.hpp"
#include "kforge/store/run_directory.hpp"

namespace kforge {

BudgetCaps budget_caps(const RunConfig& config);
// What the calls of a run have taken so far, from its journal; those that were lost on their way at their
// worst.
Spending spent_so_far(const RunDirectory& run);

// A question whose prompt lies in the run directory and whose worst case is reserved.
struct Question {
    int iteration = 0;
    std::string agent;
    Prompt prompt;
    Budget::Grant grant;  // without an LLM: it may not be asked, and why
};

struct Asked {
    std::optional<LlmOutcome> outcome;  // an answer or a failure, stored
    std::string suspended;              // else: what the user must do before it can be asked again
};

class Asker {
  public:
    // What cannot be written into the run is kept in a folder below `rescue`, if that is not empty.
    Asker(RunDirectory& run, const RunConfig& config, RunObserver& observer, fs::path rescue,
          Budget::Whole campaign = {});

    // Waits where the campaign's budget may have room when calls of its other runs are over.
    Result<Question> open(int iteration, const std::string& agent, const Llm& llm);
    using Call = std::function<Result<LlmOutcome>(const Prompt&, const LlmCall&, const Llm& limited)>;
    Result<Asked> ask(const Question& question, const Call& call);

    // Questions that know nothing of each other, up to `width` of them out at once and as many as the budget
    // has room for; `begin` is told of each on the calling thread and says how it is asked. Stops at the
    // first that the budget refuses, and after an Error, when the others are back. What came is in the run
    // directory.
    Result<void> ask_several(const std::vector<int>& iterations, const std::string& agent, const Llm& llm,
                             size_t width, const std::function<Call(int iteration)>& begin);

    // Killed between an answer and its event: the event is made up for.
    Result<void> complete(int iteration, const std::string& agent, const Llm& llm, const LlmOutcome& stored);

    double worked_s() const;  // on this run, all sittings together, to the millisecond
    Budget::OutOfTime out_of_time() const { return m_budget.out_of_time(worked_s()); }

  private:
    nlohmann::json event_fields(const Llm& llm) const;
    // Before anything is sent: killed from here on, the call counts at its worst.
    Result<void> note_asked(const Question& question, const Usage& paid, bool again);
    Result<void> note_released(const Question& question, const Usage& paid);
    fs::path partial_path(int iteration, const std::string& agent) const;
    Error rescued(const Question& question, const LlmOutcome& outcome, const Error& error) const;

    RunDirectory& m_run;
    RunObserver& m_observer;
    const fs::path m_rescue;
    const LostCalls m_lost;    // in earlier sittings
    const double m_earlier_s;  // of work in earlier sittings
    const std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    Budget m_budget;
    std::mutex m_mutex;
    std::map<std::string, Budget::Grant> m_pending;  // asked, and not answered yet
};

}  // namespace kforge
