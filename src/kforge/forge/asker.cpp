#include "kforge/forge/asker.hpp"

#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <future>
#include <nlohmann/json.hpp>

#include "kforge/forge/asking.hpp"
#include "kforge/forge/partial_answer.hpp"
#include "kforge/llm/answer.hpp"
#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

// An answer, its verdict and its timings: without room for these an answer would be paid for in vain.
constexpr size_t k_answer_room = 128 << 10;

// How long a run waits for the calls of others before it looks for an interrupt.
constexpr std::chrono::milliseconds k_look_again{200};

std::string key_of(const std::string& agent, int iteration) {
    return fmt::format("{} {}", agent, iteration);
}

PromptSize size_of(const Question& question) {
    return {question.prompt.system.size() + question.prompt.user.size(), question.prompt.images.size()};
}

const Usage& usage_of(const LlmOutcome& outcome) {
    if (const LlmFailure* failure = std::get_if<LlmFailure>(&outcome)) return failure->usage;
    return std::get<LlmAnswer>(outcome).usage;
}

}  // namespace

BudgetCaps budget_caps(const RunConfig& config) {
    return {config.budget_usd, config.budget_tokens, config.budget_calls, config.budget_minutes};
}

Spending spent_so_far(const RunDirectory& run) {
    const Usage usage = total_usage(run);
    const LostCalls lost = lost_calls(run.events());
    return {usage.usd + lost.usd, usage.input_tokens + usage.output_tokens + lost.tokens,
            answered_calls(run) + lost.calls};
}

Asker::Asker(RunDirectory& run, const RunConfig& config, RunObserver& observer, fs::path rescue,
             Budget::Whole campaign)
    : m_run(run),
      m_observer(observer),
      m_rescue(std::move(rescue)),
      m_lost(lost_calls(run.events())),
      m_earlier_s(worked_seconds(run)),
      m_budget(budget_caps(config), spent_so_far(run), std::move(campaign)) {
    const BudgetCaps caps = budget_caps(config);
    if (m_lost.calls > 0 && (caps.usd > 0 || caps.tokens > 0 || caps.calls > 0))
        m_observer.on_note(
            fmt::format("the budget counts {}, sent before: the run ended before an answer was stored",
                        lost_text(m_lost)));
}

double Asker::worked_s() const {
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    return std::round((m_earlier_s + now) * 1000) / 1000;
}

Result<void> Asker::note_asked(const Question& question, const Usage& paid, bool again) {
    const Llm& llm = *question.grant.llm;
    Usage worst = worst_case(llm, size_of(question));
    // The second request of a call has what came of the answer behind the prompt.
    if (again) worst.input_tokens += llm.max_output_tokens;
    nlohmann::json fields = {
        {"tokens", worst.input_tokens + worst.output_tokens + paid.input_tokens + paid.output_tokens},
        {"worked_s", worked_s()}};
    if (const std::optional<double> usd = worst_usd(llm, worst)) fields["usd"] = *usd + paid.usd;
    if (again) fields["extends"] = true;
    return m_run.append(question.agent + "_asked", question.iteration, std::move(fields));
}

Result<void> Asker::note_released(const Question& question, const Usage& paid) {
    nlohmann::json fields = {{"tokens", paid.input_tokens + paid.output_tokens}};
    if (has_prices(*question.grant.llm)) fields["usd"] = paid.usd;
    return m_run.append(question.agent + "_released", question.iteration, std::move(fields));
}

Result<Question> Asker::open(int iteration, const std::string& agent, const Llm& llm) {
    TRY(require_room(m_run.path(), k_answer_room));
    Question question{iteration, agent, {}, {}};
    TRY_ASSIGN(question.prompt, load_prompt(m_run, iteration, agent));
    {
        const std::lock_guard lock(m_mutex);
        if (const auto pending = m_pending.find(key_of(agent, iteration)); pending != m_pending.end()) {
            question.grant = pending->second;
            return question;
        }
    }
    // Without the lock: the calls that are waited for may be this run's own.
    question.grant = m_budget.reserve(llm, size_of(question), worked_s());
    while (question.grant.by_whole && question.grant.others_out) {
        m_budget.wait_for_others(k_look_again);
        if (interrupted()) return interrupted_error();
        question.grant = m_budget.reserve(llm, size_of(question), worked_s());
    }
    return question;
}

Result<Asked> Asker::ask(const Question& question, const Call& call_llm) {
    PartialAnswer partial(partial_path(question.iteration, question.agent));
    LlmCall call;
    call.run_directory = m_run.path();
    call.on_text = [&](std::string_view text) {
        partial.add(text);
        m_observer.on_llm_text(text);
    };
    call.on_restart = [&] {
        partial.restart();
        m_observer.on_llm_restart();
    };
    call.on_note = [&](std::string_view text) { m_observer.on_note(text); };
    Usage paid;  // by a call that is not over
    call.may_pay_again = [&](const Usage& so_far) {
        paid = so_far;
        return m_budget.extend(question.grant.ticket, *question.grant.llm, size_of(question), so_far) &&
               note_asked(question, so_far, true).ok();
    };
    if (const Result<void> noted = note_asked(question, {}, false); !noted.ok()) {
        m_budget.release(question.grant.ticket);
        return noted.error();
    }
    Result<LlmOutcome> outcome = call_llm(question.prompt, call, *question.grant.llm);
    const std::lock_guard lock(m_mutex);
    const std::string key = key_of(question.agent, question.iteration);
    if (!outcome.ok()) {
        m_pending.erase(key);
        m_budget.release(question.grant.ticket);
        // An interrupt comes while the answer is on its way: what that costs nobody says.
        if (outcome.error().kind != ErrorKind::cancelled) (void)note_released(question, paid);
        return outcome.error();
    }
    if (const LlmPending* pending = std::get_if<LlmPending>(&*outcome)) {
        m_pending[key] = question.grant;
        m_budget.park(question.grant.ticket);
        TRY(m_run.append(question.agent + "_pending", question.iteration));
        return Asked{std::nullopt, pending->message};
    }
    m_pending.erase(key);
    m_budget.settle(question.grant.ticket, usage_of(*outcome));
    // The whole answer is in memory: what arrived of it makes room for it.
    if (std::holds_alternative<LlmAnswer>(*outcome)) partial.remove();
    const Result<void> stored =
        store_outcome(m_run, question.iteration, question.agent, *outcome, event_fields(*question.grant.llm));
    if (!stored.ok()) return rescued(question, *outcome, stored.error());
    const Spending spent = m_budget.spent();
    m_observer.on_usage(spent.tokens - m_lost.tokens, spent.usd - m_lost.usd);
    return Asked{std::move(*outcome), ""};
}

Result<void> Asker::ask_several(const std::vector<int>& iterations, const std::string& agent, const Llm& llm,
                                size_t width, const std::function<Call(int iteration)>& begin) {
    std::deque<std::future<Result<Asked>>> out;
    std::optional<Error> failed;
    const auto wait_for_one = [&] {
        if (const Result<Asked> asked = out.front().get(); !asked.ok()) failed = asked.error();
        out.pop_front();
    };
    for (const int iteration : iterations) {
        while (!failed && out.size() >= width) wait_for_one();
        if (failed) break;
        Result<Question> question = open(iteration, agent, llm);
        // What those that are out leave of the budget may be enough.
        while (question.ok() && question->grant.others_out && !out.empty() && !failed) {
            wait_for_one();
            question = open(iteration, agent, llm);
        }
        if (!question.ok()) failed = question.error();
        if (failed || !question->grant.llm) {
            if (question.ok()) m_budget.release(question->grant.ticket);
            break;
        }
        out.push_back(
            std::async(std::launch::async, [this, question = std::move(question).value(),
                                            call = begin(iteration)] { return ask(question, call); }));
    }
    while (!out.empty()) wait_for_one();
    if (failed) return *failed;
    return {};
}

Result<void> Asker::complete(int iteration, const std::string& agent, const Llm& llm,
                             const LlmOutcome& stored) {
    if (m_run.find(agent + "_answered", iteration)) return {};
    TRY(store_outcome(m_run, iteration, agent, stored, event_fields(llm)));
    if (std::holds_alternative<LlmAnswer>(stored)) PartialAnswer(partial_path(iteration, agent)).remove();
    return {};
}

nlohmann::json Asker::event_fields(const Llm& llm) const {
    return {{"worked_s", worked_s()}, {"priced", has_prices(llm)}};
}

fs::path Asker::partial_path(int iteration, const std::string& agent) const {
    return m_run.iteration_path(iteration) / (agent_folder(agent) + "response.partial.md");
}

// A paid answer and no room for it: it goes to another disk, and the error says how it gets back.
Error Asker::rescued(const Question& question, const LlmOutcome& outcome, const Error& error) const {
    const std::string name = agent_folder(question.agent) + "response.json";
    const fs::path target = m_run.iteration_path(question.iteration) / name;
    std::error_code ignored;
    // Written after all: the run directory lacks no more than the event, which a resumed run makes up for.
    if (m_rescue.empty() || fs::is_regular_file(target, ignored)) return error;
    // By the whole path: runs in different folders may have the same name.
    const fs::path kept = m_rescue / fmt::format("kforge-answer-{:x}-{:02}-{}.json",
                                                 std::hash<std::string>()(m_run.path().string()),
                                                 question.iteration, question.agent);
    const std::string text =
        response_json(outcome).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    if (const Result<void> written = write_file_durable(kept, text); !written.ok())
        return Error{error.kind, fmt::format("{}\nThe answer of the LLM is lost: {}", error.message,
                                             written.error().message)};
    return Error{error.kind, fmt::format("{}\nThe answer of the LLM is kept: when there is room, mv {} {}",
                                         error.message, kept.string(), target.string())};
}

}  // namespace kforge
