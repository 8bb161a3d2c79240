#include "kforge/forge/forge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/forge/asking.hpp"
#include "kforge/forge/forge_steps.hpp"
#include "kforge/util/text.hpp"

namespace kforge {

// Invariants, on which resuming rests:
//  - every step looks for its own result in the run directory first and does nothing when it is there;
//  - a step's files are written before its event, so an event means that the files are whole;
//  - a step reads only what earlier steps have stored: doing it again gives the same run.
//
// problem -> prompt -> generation agent -> extract code -> guardrails -> arena -> verdict -> store
//    ^                                                                       |
//    +-- functional pass: the error      optimization pass: profile -> analysis agent -> recommendation
Result<RunSummary> Forge::run() {
    if (may_start("vetted", 0)) TRY(vet());
    while (static_cast<int>(m_summary.records.size()) < m_strategy.total() && !over()) {
        if (m_summary.records.empty()) TRY(sample_ahead());
        IterationRecord record;
        record.iteration = static_cast<int>(m_summary.records.size()) + 1;
        record.pass = m_strategy.next(attempts());
        if (!m_summary.records.empty()) record.followed = m_summary.records.back().recommendation;
        if (!may_start("prompted", record.iteration)) break;

        TRY_ASSIGN(const std::optional<LlmOutcome> outcome, generate(record));
        if (!outcome) break;
        TRY(extract(*outcome, record));
        TRY(evaluate(record));
        TRY(call_hooks(record));
        TRY(confirm(record));
        if (over()) break;
        TRY(keep(std::move(record)));
        wait_for_device();
        TRY(advise());
    }
    return finish();
}

bool Forge::over() const {
    return !m_summary.suspended.empty() || !m_summary.stopped.empty();
}

// The cap on time binds every step that has work to do. What has begun is never cut short, and what is
// done already is shown whatever the time.
bool Forge::may_start(const char* done, int iteration) {
    if (over()) return false;
    if (m.run.find(done, iteration)) return true;
    const Budget::OutOfTime late = m_asker.out_of_time();
    m_summary.stopped = late.why;
    m_summary.stopped_by_campaign = late.by_whole;
    return !over();
}

void Forge::phase(const IterationRecord& record, std::string_view text) {
    m.observer.on_phase(record.iteration, m_strategy.total(), text);
}

std::vector<Attempt> Forge::attempts() const {
    std::vector<Attempt> result;
    for (const IterationRecord& record : m_summary.records)
        result.push_back(record.attempt(m.config.rank_by_hook));
    return result;
}

const IterationRecord& Forge::record_of(int iteration) const {
    return m_summary.records[static_cast<size_t>(iteration) - 1];
}

Result<void> Forge::vet() {
    if (const auto event = m.run.find("vetted", 0)) {
        m_summary.vet = {event->fields.value("state", ""), event->fields.value("reason", ""),
                         event->fields.value("evidence", "")};
        return {};
    }
    m.observer.on_phase(0, m_strategy.total(), "vetting the problem");
    TRY_ASSIGN(m_summary.vet, m.arena.vet());
    const VetReport& report = m_summary.vet;
    if (report.state == "broken") return Error{ErrorKind::usage, report.evidence};
    if (report.state != "ok")
        m.observer.on_note(fmt::format("the problem is {}: {}", report.state, report.evidence));
    return m.run.append("vetted", 0,
                        {{"state", report.state},
                         {"reason", report.reason},
                         {"evidence", report.evidence},
                         {"worked_s", m_asker.worked_s()}});
}

// The iteration is over: the best so far is brought up to date.
Result<void> Forge::keep(IterationRecord record) {
    const std::optional<int> before = m_summary.best;
    m_summary.records.push_back(std::move(record));
    const IterationRecord& kept = m_summary.records.back();
    if (const auto best = best_of(attempts())) m_summary.best = best->iteration;
    if (m_summary.best != before && !m.run.find("best", kept.iteration)) {
        TRY(m.run.write(0, "best/candidate.py", kept.candidate));
        TRY(m.run.append("best", kept.iteration));
    }
    IterationSummary line;
    line.iteration = kept.iteration;
    line.total = m_strategy.total();
    line.pass = to_string(kept.pass.kind);
    line.state = kept.evaluation.verdict.state;
    line.reason = kept.evaluation.verdict.reason;
    line.speedup = kept.evaluation.speedup;
    line.best = m_summary.best == kept.iteration;
    const std::vector<std::string> lines = split_lines(kept.evaluation.verdict.evidence);
    if (!lines.empty()) line.evidence = lines.front();
    m.observer.on_iteration_done(line);
    return {};
}

// Where the device is absent nothing can be optimized: once a candidate has passed the checks, and all
// independent samples are there, the run waits for a machine that has it.
void Forge::wait_for_device() {
    const IterationRecord& last = m_summary.records.back();
    const bool all_sampled = last.iteration >= m_strategy.independent();
    const bool passed = std::any_of(m_summary.records.begin(), m_summary.records.end(), [](const auto& r) {
        return r.evaluation.verdict.state == State::checked;
    });
    if (m.arena.has_device() || !passed || !all_sampled) return;
    m_summary.awaits_device = true;
    m_summary.suspended = fmt::format(
        "the device of {} is not on this machine: candidates are checked, not evaluated. Copy the run "
        "directory to a machine that has it",
        m.platform.name);
}

Result<RunSummary> Forge::finish() {
    m_summary.usage = total_usage(m.run);
    if (!m_summary.suspended.empty()) {
        TRY(m.run.append("suspended", 0,
                         {{"message", m_summary.suspended}, {"worked_s", m_asker.worked_s()}}));
    } else if (!m_summary.stopped.empty()) {
        TRY(m.run.append("stopped", 0, {{"message", m_summary.stopped}, {"worked_s", m_asker.worked_s()}}));
    } else if (m.run.events().back().type != "run_done") {  // a finished run may be given more iterations
        TRY(m.run.append("run_done", 0,
                         {{"best", m_summary.best ? nlohmann::json(*m_summary.best) : nlohmann::json()}}));
    }
    return std::move(m_summary);
}

Result<RunSummary> run_forge(const ForgeParts& parts) {
    return Forge(parts).run();
}

}  // namespace kforge
