// The part of Forge that an iteration consists of.
#include "kforge/forge/forge_steps.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/agents/extract.hpp"
#include "kforge/agents/recommendation.hpp"
#include "kforge/forge/asking.hpp"
#include "kforge/forge/contexts.hpp"
#include "kforge/forge/hooks.hpp"
#include "kforge/guard/source_view.hpp"
#include "kforge/util/text.hpp"

namespace kforge {

namespace {

using nlohmann::json;

constexpr const char* k_generation = "generation";
constexpr const char* k_analysis = "analysis";

// A PROVIDER:ARGUMENT without its argument, which may be a long path.
std::string short_name(const Llm& llm) {
    return llm.name.substr(0, llm.name.find(':'));
}

}  // namespace

// --- Prompt and answer

Result<GenerationContext> Forge::generation_context(const IterationRecord& record) {
    TRY_ASSIGN(const ProblemFacts facts, m.arena.facts());
    GenerationContext context;
    context.platform = platform_context(m.platform, m.detection, m.config.policies.precision, facts);
    context.policies = m.config.policies;
    context.rules = rule_contexts(m.guard.rules());
    context.problem = problem_context(m.problem_name, m.problem, facts);
    context.reference_kernels = m.reference_kernels;
    const AuxiliaryCode code = m.auxiliary.code_for(record.iteration);
    context.auxiliary = code.files;
    context.notes = code.notes;
    context.pass_kind = record.pass.kind;
    context.iteration = record.iteration;
    context.iterations = m_strategy.total();
    if (record.pass.kind == PassKind::first) return context;  // independent: knows of no other try

    const IterationRecord& base = record_of(record.pass.base);
    context.history = history_contexts(m_summary.records);
    context.previous = attempt_context(base);
    context.hooks = hook_contexts(base);
    if (record.pass.kind == PassKind::optimization) context.recommendation = record.followed;
    if (const auto best = best_of(attempts()); best && best->iteration != base.iteration) {
        const IterationRecord& winner = record_of(best->iteration);
        const AttemptContext attempt = attempt_context(winner);
        context.best = BestContext{winner.iteration, winner.candidate, attempt.result.speedup};
    }
    return context;
}

Result<void> Forge::write_prompt(const IterationRecord& record) {
    if (m.run.find("prompted", record.iteration)) return {};
    phase(record, "writing the prompt");
    TRY_ASSIGN(const GenerationContext context, generation_context(record));
    TRY_ASSIGN(const Prompt prompt, m.generation.compose(context, m.edits));
    TRY(store_prompt(m.run, record.iteration, k_generation, m.generation.llm(), prompt));
    TRY(m.run.append("prompted", record.iteration,
                     {{"pass", std::string(to_string(record.pass.kind))}, {"base", record.pass.base}}));
    return m.arena.prepare();
}

// Asks once: an answer that lies in the run directory is taken as it is. Nothing when the run must wait
// or stop.
Result<std::optional<LlmOutcome>> Forge::ask_once(int iteration, const char* agent, const Llm& llm,
                                                  const Asker::Call& call) {
    if (auto stored = stored_answer(m.run, iteration, agent)) {
        TRY(m_asker.complete(iteration, agent, llm, *stored));
        return stored;
    }
    TRY_ASSIGN(const Question question, m_asker.open(iteration, agent, llm));
    if (!question.grant.llm) {
        m_summary.stopped = question.grant.refusal;
        m_summary.stopped_by_campaign = question.grant.by_whole;
        return std::optional<LlmOutcome>();
    }
    TRY_ASSIGN(Asked asked, m_asker.ask(question, call));
    m_summary.suspended = asked.suspended;
    return std::move(asked.outcome);
}

Asker::Call Forge::generation_call(int iteration) const {
    return [this, iteration](const Prompt& prompt, const LlmCall& call, const Llm& limited) {
        return m.generation.ask(prompt, iteration, call, limited);
    };
}

Result<std::optional<LlmOutcome>> Forge::generate(const IterationRecord& record) {
    TRY(write_prompt(record));
    if (!stored_answer(m.run, record.iteration, k_generation))  // sampled ahead
        phase(record, "asking " + short_name(m.generation.llm()));
    return ask_once(record.iteration, k_generation, m.generation.llm(), generation_call(record.iteration));
}

// Independent tries: prompts are written first, then asked for several at a time, as many as the budget
// has room for at their worst. Their answers lie ready when the loop comes to them; a try whose answer is
// still out is asked for again there and suspends the run, one that the budget refused stops it.
Result<void> Forge::sample_ahead() {
    // A batch is for all of them.
    const int width = m.generation.llm().batch ? m_strategy.independent() : m.config.parallel;
    if (width <= 1 || m_strategy.independent() <= 1) return {};
    std::vector<int> iterations;
    for (int i = 1; i <= m_strategy.independent(); ++i) {
        IterationRecord record;
        record.iteration = i;
        TRY(write_prompt(record));
        if (!stored_answer(m.run, i, k_generation)) iterations.push_back(i);
    }
    return m_asker.ask_several(iterations, k_generation, m.generation.llm(), static_cast<size_t>(width),
                               [this](int iteration) {
                                   IterationRecord record;
                                   record.iteration = iteration;
                                   phase(record, "asking " + short_name(m.generation.llm()));
                                   return generation_call(iteration);
                               });
}

// --- Candidate and verdict

Result<void> Forge::extract(const LlmOutcome& outcome, IterationRecord& record) {
    if (const LlmFailure* failure = std::get_if<LlmFailure>(&outcome)) {
        const Result<Reason> reason = parse_reason(failure->reason);
        record.evaluation.verdict =
            Verdict::because(reason.ok() ? *reason : Reason::network, failure->message);
        return {};
    }
    const LlmAnswer& answer = std::get<LlmAnswer>(outcome);
    const std::optional<Extraction> found = extract_candidate(answer.text, answer.truncated);
    if (!found) {
        record.evaluation.verdict =
            answer.truncated
                ? Verdict::because(Reason::truncated,
                                   "The answer was cut off before a whole candidate was there.")
                : Verdict::because(Reason::no_code,
                                   "No Python block in the answer defines class NewModel. It begins: " +
                                       elide_middle(trim(answer.text), 300));
        return {};
    }
    record.candidate = found->code;
    if (!found->note.empty() && !m.run.find("evaluated", record.iteration))
        m.observer.on_note(fmt::format("iteration {}: {}", record.iteration, found->note));
    return m.run.write(record.iteration, "candidate.py", record.candidate);
}

Submission Forge::submission(const IterationRecord& record) const {
    return Submission{record.candidate, m.auxiliary.paths_for(record.iteration)};
}

// The first iteration with the same code and the same auxiliary files, or null.
const IterationRecord* Forge::earlier_twin(const IterationRecord& record) const {
    const std::string essence = essence_of(record.candidate);
    for (const IterationRecord& earlier : m_summary.records)
        if (earlier.guard.empty() && essence_of(earlier.candidate) == essence &&
            m.auxiliary.paths_for(earlier.iteration) == m.auxiliary.paths_for(record.iteration))
            return &earlier;
    return nullptr;
}

Result<void> Forge::evaluate(IterationRecord& record) {
    if (!may_start("evaluated", record.iteration)) return {};
    if (m.run.find("evaluated", record.iteration)) {
        TRY_ASSIGN(record.evaluation, load_evaluation(m.run, record.iteration));
        // What was only checked, elsewhere, is evaluated now that the device is here.
        if (record.evaluation.verdict.state != State::checked || !m.arena.has_device()) return {};
        record.evaluation = {};
    }
    if (!record.candidate.empty()) {
        record.guard = m.guard.check(record.candidate);
        if (!record.guard.empty()) {
            record.evaluation.verdict = Verdict::because(Reason::guardrail, describe(record.guard));
        } else if (const IterationRecord* twin = earlier_twin(record)) {
            record.evaluation = twin->evaluation;
            record.evaluation.verdict.evidence =
                fmt::format("The same code as in iteration {}, whose result stands: {}", twin->iteration,
                            twin->evaluation.verdict.evidence);
        } else {
            phase(record, "building, checking and timing");
            TRY_ASSIGN(record.evaluation, m.arena.evaluate(submission(record)));
        }
    }
    TRY(store_evaluation(m.run, record));
    const Verdict& verdict = record.evaluation.verdict;
    json fields = {{"state", std::string(to_string(verdict.state))}, {"worked_s", m_asker.worked_s()}};
    if (verdict.reason) fields["reason"] = std::string(to_string(*verdict.reason));
    if (record.evaluation.speedup) fields["speedup"] = record.evaluation.speedup->value;
    return m.run.append("evaluated", record.iteration, fields);
}

Result<void> Forge::call_hooks(IterationRecord& record) {
    if (m.config.hook.empty() || !may_start("hooked", record.iteration)) return {};
    if (const auto event = m.run.find("hooked", record.iteration)) {
        for (const json& item : event->fields.value("hooks", json::array())) {
            TRY_ASSIGN(HookResult hook, hook_result_from_json(item));
            record.hooks.push_back(std::move(hook));
        }
        return {};
    }
    phase(record, "calling hooks");
    TRY(m.arena.alone([&]() -> Result<void> {
        TRY_ASSIGN(record.hooks, run_hooks(m.config.hook, m.config.hook_timeout_s, m.run.path(), record));
        return {};
    }));
    json all = json::array();
    for (const HookResult& hook : record.hooks) {
        if (!hook.failure.empty()) m.observer.on_note(fmt::format("{}: {}", hook.name, hook.failure));
        TRY(m.run.write(record.iteration, hook.name + ".json", to_json(hook).dump(1) + "\n"));
        all.push_back(to_json(hook));
    }
    return m.run.append("hooked", record.iteration, {{"hooks", all}, {"worked_s", m_asker.worked_s()}});
}

// What would be the best of the run must pass once more, in a fresh player with new secrets.
Result<void> Forge::confirm(IterationRecord& record) {
    const Attempt attempt = record.attempt(m.config.rank_by_hook);
    const auto best = best_of(attempts());
    if (!attempt.correct || (best && attempt.rank <= best->rank)) return {};
    if (m.run.find("confirmed", record.iteration) || !may_start("confirmed", record.iteration)) return {};
    phase(record, "confirming");
    TRY_ASSIGN(Verdict verdict, m.arena.confirm(submission(record)));
    if (!verdict.is_correct()) {
        verdict.evidence =
            "It passed at first, and failed with other secret inputs and weights:\n" + verdict.evidence;
        record.evaluation.verdict = verdict;
        record.evaluation.speedup.reset();
        record.evaluation.same_permission_speedup.reset();
        record.evaluation.claim.clear();
        TRY(store_evaluation(m.run, record));
    }
    return m.run.append("confirmed", record.iteration,
                        {{"state", std::string(to_string(verdict.state))}, {"worked_s", m_asker.worked_s()}});
}

// --- Performance analysis

// When the next pass will optimize: profiles what it starts from and asks for one recommendation.
Result<void> Forge::advise() {
    IterationRecord& last = m_summary.records.back();
    if (last.iteration >= m_strategy.total()) return {};
    const Pass next = m_strategy.next(attempts());
    if (next.kind != PassKind::optimization) return {};
    if (m.run.find("advised", last.iteration)) {
        if (m.run.has(last.iteration, "recommendation.md")) {
            TRY_ASSIGN(last.recommendation, m.run.read(last.iteration, "recommendation.md"));
        }
        return {};
    }
    const IterationRecord& base = record_of(next.base);
    if (!may_start("analysis_prompted", last.iteration)) return {};
    if (!m.run.find("analysis_prompted", last.iteration)) {
        phase(last, "profiling");
        TRY_ASSIGN(const Prompt prompt, analysis_prompt(base));
        TRY(store_prompt(m.run, last.iteration, k_analysis, m.analysis.llm(), prompt));
        TRY(m.run.append("analysis_prompted", last.iteration, {{"base", base.iteration}}));
    }
    phase(last, fmt::format("asking {} for a recommendation", short_name(m.analysis.llm())));
    TRY_ASSIGN(const std::optional<LlmOutcome> outcome,
               ask_once(last.iteration, k_analysis, m.analysis.llm(),
                        [&](const Prompt& prompt, const LlmCall& call, const Llm& limited) {
                            return m.analysis.ask(prompt, last.iteration, call, limited);
                        }));
    if (!outcome) return {};
    if (const LlmFailure* failure = std::get_if<LlmFailure>(&*outcome)) {
        m.observer.on_note(fmt::format("no recommendation: {}", failure->message));
    } else if (const auto found = extract_recommendation(std::get<LlmAnswer>(*outcome).text)) {
        last.recommendation = *found;
        TRY(m.run.write(last.iteration, "recommendation.md", last.recommendation));
        m.observer.on_recommendation(last.iteration, m_strategy.total(),
                                     split_lines(last.recommendation).front());
    } else {
        m.observer.on_note("no recommendation: the analysis agent's answer holds none");
    }
    return m.run.append("advised", last.iteration);
}

Result<Prompt> Forge::analysis_prompt(const IterationRecord& base) {
    TRY_ASSIGN(const ProblemFacts facts, m.arena.facts());
    AnalysisContext context;
    context.platform = platform_context(m.platform, m.detection, m.config.policies.precision, facts);
    context.policies = m.config.policies;
    context.problem = problem_context(m.problem_name, m.problem, facts);
    context.candidate = attempt_context(base);
    context.iteration = static_cast<int>(m_summary.records.size());
    context.iterations = m_strategy.total();
    context.history = history_contexts(m_summary.records);
    context.hooks = hook_contexts(base);
    TRY_ASSIGN(const std::vector<fs::path> images, add_profile(base, context));
    TRY_ASSIGN(Prompt prompt, m.analysis.compose(context));
    prompt.images = images;
    return prompt;
}

// The images of the profile, where the LLM sees them.
Result<std::vector<fs::path>> Forge::add_profile(const IterationRecord& base, AnalysisContext& context) {
    const TakeProfile take = m.take_profile ? m.take_profile : [&](std::vector<std::string>& notes) {
        ProfileTarget target;
        target.torch_table = [&] { return m.arena.profile(submission(base)); };
        return kforge::take_profile(m.platform.profilers, target, notes);
    };
    TRY_ASSIGN(const std::optional<Profile> profile, profile_of(m.run, base.iteration, take, context.notes));
    if (!profile) {
        for (const std::string& note : context.notes) m.observer.on_note(note);
        return std::vector<fs::path>();
    }
    const std::vector<fs::path> images =
        m.analysis.llm().sees_images ? profile->images : std::vector<fs::path>();
    if (profile->text.empty() && images.empty())
        context.notes.push_back("There is a profile, but only as a picture.");
    else
        context.profiles.push_back(
            {m.platform.profilers.front(), profile->text, static_cast<int>(images.size())});
    return images;
}

}  // namespace kforge
