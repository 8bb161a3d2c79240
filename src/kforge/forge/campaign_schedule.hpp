// The runs of a campaign and which of them may begin. Pure: who works on them, and how, is not its business.
// Used under one lock.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kforge/forge/campaign_config.hpp"

namespace kforge {

struct PlannedRun {
    std::string name;    // of its directory
    size_t problem = 0;  // in the list of problems
    std::string platform;
    std::string llm;
    std::optional<size_t> after;  // the run before it in the chain
};

// One problem after the other, so that what was opened for a problem serves all its runs; then by platform,
// then by LLM.
std::vector<PlannedRun> plan_runs(const CampaignConfig& campaign, const std::vector<std::string>& problems);

enum class RunState {
    waiting,
    running,
    correct,    // over, with a correct candidate
    nothing,    // over, without
    checked,    // its device is not here: a candidate was checked, and this machine can do no more
    suspended,  // an answer is still out
    stopped,    // by a cap
    failed      // could not go on
};
std::string_view to_string(RunState state);

class Schedule {
  public:
    explicit Schedule(std::vector<PlannedRun> runs);

    const std::vector<PlannedRun>& runs() const { return m_runs; }
    RunState state(size_t run) const { return m_states[run]; }
    size_t count(RunState state) const;

    // The first run that may begin, which is running from now on. A run in a chain waits until the one before
    // it is over.
    std::optional<size_t> next();
    void set(size_t run, RunState state) { m_states[run] = state; }
    // It begins before others: what it has asked for earlier may be paid for already.
    void prefer(size_t run) { m_preferred.push_back(run); }
    // The campaign's budget has no room for a call of this LLM: its runs that have not begun do not begin.
    void refuse(const std::string& llm) { m_refused.push_back(llm); }

    // The nearest run before it in its chain that has a correct candidate.
    std::optional<size_t> kernel_for(size_t run) const;

  private:
    bool may_begin(size_t run) const;

    std::vector<PlannedRun> m_runs;
    std::vector<RunState> m_states;
    std::vector<size_t> m_preferred;
    std::vector<std::string> m_refused;
};

}  // namespace kforge
