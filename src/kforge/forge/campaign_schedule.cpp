#include "kforge/forge/campaign_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kforge {
namespace {

constexpr size_t k_longest_part = 40;

// Safe and readable in a file name. An LLM named with its argument is called by its provider alone.
std::string part_of_name(std::string_view text) {
    std::string part;
    for (const char c : text.substr(0, text.find(':')).substr(0, k_longest_part)) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '_' || c == '.' || c == '-';
        part += plain ? c : '-';
    }
    return part;
}

bool is_over(RunState state) {
    return state == RunState::correct || state == RunState::nothing || state == RunState::checked ||
           state == RunState::stopped;
}

}  // namespace

std::vector<PlannedRun> plan_runs(const CampaignConfig& campaign, const std::vector<std::string>& problems) {
    std::vector<PlannedRun> runs;
    const auto add = [&](size_t problem, const std::string& platform, size_t back) {
        for (const std::string& llm : campaign.llms) {
            PlannedRun run{"", problem, platform, llm, std::nullopt};
            if (back > 0) run.after = runs.size() - back;
            runs.push_back(std::move(run));
        }
    };
    for (size_t problem = 0; problem < problems.size(); ++problem) {
        for (const std::string& platform : campaign.platforms) add(problem, platform, 0);
        for (size_t i = 0; i < campaign.chain.size(); ++i)
            add(problem, campaign.chain[i], i == 0 ? 0 : campaign.llms.size());
    }
    const size_t digits = std::max<size_t>(2, std::to_string(runs.size()).size());
    for (size_t i = 0; i < runs.size(); ++i)
        runs[i].name = fmt::format("{:0{}}-{}-{}-{}", i + 1, digits,
                                   part_of_name(fs::path(problems[runs[i].problem]).stem().string()),
                                   part_of_name(runs[i].platform), part_of_name(runs[i].llm));
    return runs;
}

std::string_view to_string(RunState state) {
    switch (state) {
        case RunState::waiting:
            return "not started";
        case RunState::running:
            return "running";
        case RunState::correct:
            return "correct";
        case RunState::nothing:
            return "none correct";
        case RunState::checked:
            return "checked";
        case RunState::suspended:
            return "suspended";
        case RunState::stopped:
            return "stopped";
        case RunState::failed:
            return "failed";
    }
    return "";
}

Schedule::Schedule(std::vector<PlannedRun> runs)
    : m_runs(std::move(runs)), m_states(m_runs.size(), RunState::waiting) {}

size_t Schedule::count(RunState state) const {
    return static_cast<size_t>(std::count(m_states.begin(), m_states.end(), state));
}

bool Schedule::may_begin(size_t run) const {
    const PlannedRun& planned = m_runs[run];
    return m_states[run] == RunState::waiting && (!planned.after || is_over(m_states[*planned.after])) &&
           std::find(m_refused.begin(), m_refused.end(), planned.llm) == m_refused.end();
}

std::optional<size_t> Schedule::next() {
    std::optional<size_t> found;
    for (const size_t run : m_preferred)
        if (!found && may_begin(run)) found = run;
    for (size_t run = 0; run < m_runs.size() && !found; ++run)
        if (may_begin(run)) found = run;
    if (found) m_states[*found] = RunState::running;
    return found;
}

std::optional<size_t> Schedule::kernel_for(size_t run) const {
    for (std::optional<size_t> earlier = m_runs[run].after; earlier; earlier = m_runs[*earlier].after)
        if (m_states[*earlier] == RunState::correct) return earlier;
    return std::nullopt;
}

}  // namespace kforge
