#include "kforge/cli/campaign_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "kforge/cli/catalog.hpp"
#include "kforge/forge/asker.hpp"
#include "kforge/report/run_report.hpp"
#include "kforge/util/interrupt.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

constexpr auto k_look_again = 200ms;     // for an interrupt
constexpr auto k_keep_time_every = 10s;  // as much as a killed process forgets
constexpr size_t k_idle_arenas = 2;
constexpr const char* k_clock = "worked.json";

double earlier_seconds(const fs::path& directory) {
    const Result<std::string> text = read_file(directory / k_clock);
    const nlohmann::json value = text.ok() ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
    return value.is_object() && value.contains("worked_s") && value["worked_s"].is_number()
               ? value["worked_s"].get<double>()
               : 0;
}

// False also for one that was killed while it was made; one with a damaged journal is told when it is opened.
bool is_begun(const fs::path& run) {
    std::error_code ignored;
    const auto events = RunDirectory::read_journal(run);
    return (events.ok() && !events->empty()) || fs::exists(run / "iterations", ignored);
}

Spending spent_by_all(const Campaign& campaign) {
    Spending sum;
    for (const PlannedRun& run : campaign.runs) {
        const fs::path path = campaign.path_of(run);
        if (!is_begun(path)) continue;
        const Spending spent = spent_so_far(*require(RunDirectory::open(path)));
        sum.usd += spent.usd;
        sum.tokens += spent.tokens;
        sum.calls += spent.calls;
    }
    return sum;
}

// Runs that agree in this can share an arena.
std::string arena_key(const RunConfig& config, const Platform& platform, const ProblemText& problem) {
    nlohmann::json key = {platform.folder.string(), problem.name, problem.source};
    for (const Setting& setting : run_settings())
        if (setting.group == "Policies" || setting.group == "Evaluation" || setting.group == k_global_group)
            key.push_back(setting.get(config));
    return key.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string headline(const std::string& text) {
    const std::vector<std::string> lines = split_lines(text);
    return lines.empty() ? "" : lines.front();
}

}  // namespace

CampaignWork::CampaignWork(Invocation& invocation, const Campaign& campaign, const BudgetCaps& caps, int jobs)
    : m_invocation(invocation),
      m_campaign(campaign),
      m_caps(caps),
      m_jobs(jobs),
      m_earlier_s(earlier_seconds(campaign.directory)),
      m_budget(caps, spent_by_all(campaign)),
      m_pool(k_idle_arenas),
      m_schedule(campaign.runs),
      m_ends(campaign.runs.size()) {
    for (size_t run = 0; run < campaign.runs.size(); ++run) {
        const fs::path path = campaign.path_of(campaign.runs[run]);
        if (!is_begun(path)) continue;
        const RunReport report = require(read_report(path));
        m_ends[run].found = report.best.has_value();
        if (report.status == "finished")
            m_schedule.set(run, report.best ? RunState::correct : RunState::nothing);
        if (report.status == "suspended") m_schedule.prefer(run);
    }
}

// Whatever is found out once is found out here, before several threads ask for it and before anything is
// timed.
void CampaignWork::look_around() {
    m_invocation.data();
    m_invocation.config_files();
    std::set<std::string> platforms;
    for (size_t run = 0; run < m_campaign.runs.size(); ++run) {
        const PlannedRun& planned = m_campaign.runs[run];
        if (m_schedule.state(run) != RunState::waiting || !platforms.insert(planned.platform).second)
            continue;
        try {
            require_usable(m_invocation, m_campaign.settings_of(planned),
                           named_platform(m_invocation, planned.platform));
        } catch (const Fatal&) {
            continue;  // its runs will tell
        }
    }
}

void CampaignWork::work() {
    {
        const std::lock_guard lock(m_mutex);
        tell();
    }
    look_around();
    std::vector<std::jthread> workers;
    for (int i = 0; i < m_jobs; ++i) workers.emplace_back([this] { worker(); });
    std::unique_lock lock(m_mutex);
    const auto over = [this] { return m_schedule.count(RunState::running) == 0 && m_over == m_jobs; };
    while (!m_changed.wait_for(lock, k_keep_time_every, over)) keep_time();
    lock.unlock();
    workers.clear();  // joins
    keep_time();
    if (m_bug) std::rethrow_exception(m_bug);
    for (size_t run = 0; run < m_ends.size() && out_of_time(); ++run)
        if (m_schedule.state(run) == RunState::waiting)
            m_ends[run].message =
                fmt::format("for the whole campaign the budget of {} minutes is spent", m_caps.minutes);
}

void CampaignWork::worker() {
    std::unique_lock lock(m_mutex);
    while (true) {
        const std::optional<size_t> run =
            interrupted() || m_bug || out_of_time() ? std::nullopt : m_schedule.next();
        if (run) {
            const std::optional<size_t> kernel = m_schedule.kernel_for(*run);
            tell();
            lock.unlock();
            End end = work_on(*run, kernel);
            lock.lock();
            m_schedule.set(*run, end.state);
            if (end.by_campaign) m_schedule.refuse(m_campaign.runs[*run].llm);
            m_ends[*run] = std::move(end);
            tell();
            m_changed.notify_all();
        } else if (m_schedule.count(RunState::running) == 0) {
            break;
        } else {
            m_changed.wait_for(lock, k_look_again);
        }
    }
    ++m_over;
    m_changed.notify_all();
}

CampaignWork::End CampaignWork::work_on(size_t run, std::optional<size_t> kernel) {
    const std::unique_ptr<RunObserver> observer = m_invocation.terminal().lane(m_campaign.runs[run].name);
    End end{RunState::failed, m_ends[run].found, ExitCode::internal, "", false};
    try {
        return go(run, kernel, *observer);
    } catch (const Fatal& error) {
        end.code = error.code();
        end.message = headline(error.what());
        // Interrupted like all the others, which is told once.
        if (error.code() == ExitCode::interrupted)
            end.state = RunState::waiting;
        else
            observer->on_note("failed: " + end.message);
    } catch (const std::exception& error) {
        end.message = error.what();
        const std::lock_guard lock(m_mutex);
        m_bug = std::current_exception();
    }
    return end;
}

CampaignWork::End CampaignWork::go(size_t run, std::optional<size_t> kernel, RunObserver& observer) {
    const std::unique_ptr<RunSession> session = open(run, kernel, observer);
    const RunHost host{observer,
                       [this](const RunConfig& config, const Platform& platform, const ProblemText& problem) {
                           return m_pool.lease(arena_key(config, platform, problem), [&] {
                               return open_arena(m_invocation, config, platform, problem);
                           });
                       },
                       {&m_budget, [this] { return worked_s(); }}};
    const RunSummary summary = session->go(host);
    End end;
    end.found = summary.best.has_value() || summary.awaits_device;
    end.by_campaign = summary.stopped_by_campaign;
    end.message = summary.suspended + summary.stopped;
    if (summary.awaits_device)
        end.state = RunState::checked;
    else if (!summary.suspended.empty())
        end.state = RunState::suspended;
    else if (summary.stopped_by_campaign || (!summary.stopped.empty() && !summary.best))
        end.state = RunState::stopped;
    else
        end.state = summary.best ? RunState::correct : RunState::nothing;
    if (!end.message.empty()) observer.on_note(fmt::format("{}: {}", to_string(end.state), end.message));
    return end;
}

std::unique_ptr<RunSession> CampaignWork::open(size_t run, std::optional<size_t> kernel,
                                               RunObserver& observer) {
    const PlannedRun& planned = m_campaign.runs[run];
    const fs::path path = m_campaign.path_of(planned);
    const auto machine = m_pool.alone();  // rewriting a problem's constants starts Python
    if (is_begun(path)) return RunSession::reopen(m_invocation, path, RunSession::Options::machine);
    std::error_code ignored;
    fs::remove_all(path, ignored);  // killed while it was made: nothing was paid for
    RunConfig config = m_campaign.settings_of(planned);
    config.out = path.string();
    if (kernel) {
        config.reference_from.push_back(m_campaign.path_of(m_campaign.runs[*kernel]).string());
        observer.on_note(fmt::format("starts from the kernel of {}", m_campaign.runs[*kernel].name));
    } else if (planned.after) {
        observer.on_note(
            fmt::format("no platform before it in the chain has a correct kernel ({} is the last): it "
                        "starts without one",
                        m_campaign.runs[*planned.after].name));
    }
    ProblemText problem = m_campaign.text_of(m_invocation, planned, config);
    return RunSession::start(m_invocation,
                             {std::move(config), std::move(problem), m_campaign.rules, m_campaign.registry});
}

void CampaignWork::tell() {
    const size_t total = m_schedule.runs().size();
    const size_t open_runs = m_schedule.count(RunState::waiting) + m_schedule.count(RunState::running);
    std::string text = fmt::format("{} of {} runs are over", total - open_runs, total);
    for (const RunState state : {RunState::suspended, RunState::stopped, RunState::failed})
        if (const size_t count = m_schedule.count(state); count > 0)
            text += fmt::format(", {} {}", count, to_string(state));
    const Spending spent = m_budget.spent();
    m_invocation.terminal().on_usage(spent.tokens, spent.usd);
    m_invocation.terminal().on_phase(0, 0, text);
}

bool CampaignWork::out_of_time() const {
    return m_caps.minutes > 0 && worked_s() >= m_caps.minutes * 60;
}

double CampaignWork::worked_s() const {
    return m_earlier_s + std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

// Best effort: without it the cap on minutes counts from the last time it was kept.
void CampaignWork::keep_time() const {
    const nlohmann::json value = {{"worked_s", std::round(worked_s() * 1000) / 1000}};
    (void)write_file_durable(m_campaign.directory / k_clock, value.dump() + "\n");
}

ExitCode CampaignWork::exit_code() const {
    if (interrupted()) return ExitCode::interrupted;
    if (m_schedule.count(RunState::suspended) > 0) return ExitCode::suspended;
    // What is wrong with the machine is told as such; a run that could not work for another reason found
    // nothing.
    for (const End& end : m_ends)
        if (end.state == RunState::failed && end.code != ExitCode::usage) return end.code;
    const bool all = std::all_of(m_ends.begin(), m_ends.end(), [](const End& end) { return end.found; });
    return all ? ExitCode::ok : ExitCode::not_found;
}

}  // namespace kforge
