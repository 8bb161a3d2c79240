// CampaignWork: works on the runs of a campaign, several at a time. Their LLM calls may be out at once and
// share one budget; their evaluations take turns. One that must wait, or cannot go on, does not hold up the
// others.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>

#include "kforge/cli/arena_pool.hpp"
#include "kforge/cli/campaign.hpp"
#include "kforge/cli/session.hpp"

namespace kforge {

class CampaignWork {
  public:
    // Counts what the runs have spent so far: throws Fatal where another process works on one of them.
    CampaignWork(Invocation& invocation, const Campaign& campaign, const BudgetCaps& caps, int jobs);

    // Until no run can go on now, or the user interrupts.
    void work();

    const Schedule& schedule() const { return m_schedule; }
    // Why a run is suspended, stopped or failed.
    const std::string& message(size_t run) const { return m_ends[run].message; }
    ExitCode exit_code() const;

  private:
    struct End {
        RunState state = RunState::waiting;
        bool found = false;  // there is a correct candidate, or one that passed what can be checked here
        ExitCode code = ExitCode::ok;  // of one that failed
        std::string message;
        bool by_campaign = false;  // stopped by the cap of all
    };

    void look_around();
    void worker();
    End work_on(size_t run, std::optional<size_t> kernel);
    End go(size_t run, std::optional<size_t> kernel, RunObserver& observer);
    std::unique_ptr<RunSession> open(size_t run, std::optional<size_t> kernel, RunObserver& observer);
    void tell();  // with the lock held
    bool out_of_time() const;
    double worked_s() const;
    void keep_time() const;

    Invocation& m_invocation;
    const Campaign& m_campaign;
    const BudgetCaps m_caps;
    const int m_jobs;
    const double m_earlier_s;  // of work in earlier sittings
    const std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    Budget m_budget;
    ArenaPool m_pool;
    std::mutex m_mutex;  // of what follows
    std::condition_variable m_changed;
    Schedule m_schedule;
    std::vector<End> m_ends;
    int m_over = 0;  // workers that have nothing left to do
    std::exception_ptr m_bug;
};

}  // namespace kforge
