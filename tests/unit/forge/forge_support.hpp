// A forge with nothing real around it: an arena, an LLM and templates that do as they are told, and a run
// directory in a temporary folder. What was asked of them is counted.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "kforge/forge/forge.hpp"

namespace kforge {

// "class NewModel" with a number to tell candidates apart.
inline std::string candidate_text(const std::string& mark) {
    return "import torch\n\nclass NewModel(torch.nn.Module):\n    mark = '" + mark + "'\n";
}
inline LlmOutcome answer_with(const std::string& mark) {
    LlmAnswer answer;
    answer.text = "Here it is.\n\n```python\n" + candidate_text(mark) + "```\n";
    answer.usage.input_tokens = 100;
    answer.usage.output_tokens = 10;
    answer.usage.usd = 0.5;
    return answer;
}

inline Evaluation correct_at(double speedup) {
    Evaluation evaluation;
    evaluation.verdict = Verdict::correct("agrees");
    evaluation.speedup = Interval{speedup, speedup * 0.9, speedup * 1.1};
    Timings timings;
    timings.series = {{"candidate", 1 / speedup, {1 / speedup}}, {"eager", 1, {1}}};
    timings.baseline = timings.same_permission_baseline = "eager";
    evaluation.timings = timings;
    return evaluation;
}
inline Evaluation wrong(const std::string& evidence = "3 of 10 values differ") {
    return Evaluation{.verdict = Verdict::because(Reason::values, evidence)};
}

// Evaluates by the mark in a candidate.
class FakeArena final : public Arena {
  public:
    Result<VetReport> vet() override {
        ++vets;
        return vet_report;
    }
    Result<ProblemFacts> facts() override { return ProblemFacts{{"x: float32 [8]"}, {"float32 [8]"}, {}}; }
    Result<void> prepare() override {
        prepared = true;
        return {};
    }
    Result<Evaluation> evaluate(const Submission& submission) override {
        const std::string& candidate = submission.source;
        for (const auto& [mark, evaluation] : evaluations) {
            if (candidate.find("'" + mark + "'") == std::string::npos) continue;
            evaluated.push_back(mark);
            return evaluation;
        }
        return Error{ErrorKind::internal, "an unexpected candidate: " + candidate};
    }
    Result<Verdict> confirm(const Submission& submission) override {
        const std::string& candidate = submission.source;
        ++confirmations;
        for (const auto& [mark, verdict] : unconfirmed)
            if (candidate.find("'" + mark + "'") != std::string::npos) return verdict;
        return Verdict::correct("agrees again");
    }
    Result<std::string> profile(const Submission& submission) override {
        ++profiles;
        if (!profile_failure.empty()) return Error{ErrorKind::process, profile_failure};
        return "profile of " + submission.source;
    }
    Result<std::string> render(const RenderRequest&) override {
        return Error{ErrorKind::internal, "not here"};
    }

    VetReport vet_report{"ok", "", ""};
    std::map<std::string, Evaluation> evaluations;
    std::map<std::string, Verdict> unconfirmed;  // what confirm() finds, by mark
    std::string profile_failure;
    int confirmations = 0;
    int vets = 0;
    bool prepared = false;
    int profiles = 0;
    std::vector<std::string> evaluated;
};

// Answers by agent and iteration, "generation 2"; the default is a candidate marked with its iteration, and a
// recommendation.
class FakeLlm final : public Provider {
  public:
    Result<void> configure(Llm&, const std::string&) const override { return {}; }
    Result<void> check(const Llm&) const override { return {}; }
    Result<LlmOutcome> complete(const Llm& llm, const LlmRequest& request, const LlmCall& call) override {
        const std::string key = request.agent + " " + std::to_string(request.iteration);
        std::unique_lock lock(m_mutex);
        asked.push_back(key);
        prompts[key] = request.prompt;
        requests[key] = request;
        limits[key] = llm;
        if (on_ask) on_ask(key);
        if (unlocked) lock.unlock();
        if (const auto pieces = streamed.find(key); pieces != streamed.end()) pieces->second(call);
        if (const auto error = errors.find(key); error != errors.end()) return error->second;
        if (const auto found = outcomes.find(key); found != outcomes.end()) return found->second;
        if (request.agent == "generation") return answer_with(std::to_string(request.iteration));
        LlmAnswer answer;
        answer.text = "Advice " + std::to_string(request.iteration) + "\n\nBlock the loop for the cache.";
        answer.usage.input_tokens = 50;
        return LlmOutcome(answer);
    }
    long times_asked(const std::string& key) const { return std::count(asked.begin(), asked.end(), key); }

    std::map<std::string, LlmOutcome> outcomes;
    std::map<std::string, Error> errors;
    std::function<void(const std::string&)> on_ask;
    std::vector<std::string> asked;
    std::map<std::string, std::string> prompts;  // what was asked last
    std::map<std::string, LlmRequest> requests;
    std::map<std::string, Llm> limits;                                    // with which limits
    std::map<std::string, std::function<void(const LlmCall&)>> streamed;  // what happens on the way
    bool unlocked = false;                                                // that may wait for another call

  private:
    std::mutex m_mutex;
};

// Renders the whole context, so that tests see what a prompt was told.
class FakeRenderer final : public Renderer {
  public:
    Result<std::string> render(const std::string& name, const nlohmann::json& context) override {
        if (name == broken) return Error{ErrorKind::config, name + ":1: broken"};
        if (name.find("stable") != std::string::npos) return std::string("{");
        return context.dump();
    }
    Result<std::string> render_text(const std::string& text, const nlohmann::json&) override { return text; }
    std::string broken;
};

class Notes final : public RunObserver {
  public:
    void on_note(std::string_view text) override { add(text); }
    void on_iteration_done(const IterationSummary& summary) override { done.push_back(summary); }
    void on_llm_text(std::string_view text) override { received += text.size(); }
    void on_usage(long tokens, double usd) override { used = {tokens, usd}; }
    std::string text() const { return m_text; }
    std::vector<IterationSummary> done;
    size_t received = 0;
    std::pair<long, double> used;

  private:
    void add(std::string_view text) {
        const std::lock_guard lock(m_mutex);
        m_text += std::string(text) + "\n";
    }
    std::mutex m_mutex;
    std::string m_text;
};

struct ForgeBench {
    // A run is synced to disk at every step: in memory that takes no time.
    static fs::path fast_folder() {
        return ::access("/dev/shm", W_OK) == 0 ? fs::path("/dev/shm") : fs::path(::testing::TempDir());
    }

    ForgeBench() : folder(TemporaryDirectory::create(fast_folder(), "kf-forge-").value()) {
        platform.name = "cpu-cpp";
        platform.profilers = {"torch"};
        config.strategy = "refine";
        config.iterations = 4;
        llm.name = "fake";
        llm.provider = "fake";
    }

    fs::path path() const { return folder.path() / "run"; }

    // Opens the run, or makes it, and works on it until it ends.
    Result<RunSummary> run() {
        auto opened = fs::exists(path() / "journal.jsonl")
                          ? RunDirectory::open(path())
                          : RunDirectory::create(path(), "", "class Model: pass\n");
        if (!opened.ok()) return opened.error();
        directory = std::move(opened).value();
        const Guard guard = Guard::compile(rules, config.policies.precision).value();
        const PromptEdits edits;
        const Auxiliary auxiliary;
        Renderer& templates = real_renderer ? *real_renderer : static_cast<Renderer&>(renderer);
        const GenerationAgent generation(llm, provider, templates);
        const AnalysisAgent analysis(
            analysis_llm.name.empty() ? llm : analysis_llm,
            analysis_provider ? *analysis_provider : static_cast<Provider&>(provider), templates);
        Result<RunSummary> summary = run_forge({config,
                                                *directory,
                                                arena,
                                                platform,
                                                detection,
                                                guard,
                                                edits,
                                                auxiliary,
                                                {},
                                                "problem",
                                                "class Model: pass\n",
                                                generation,
                                                analysis,
                                                notes,
                                                rescue,
                                                take_profile});
        directory.reset();
        return summary;
    }

    RunSummary run_ok() {
        Result<RunSummary> summary = run();
        EXPECT_TRUE(summary.ok()) << summary.error().message;
        return summary.ok() ? std::move(summary).value() : RunSummary{};
    }

    // What the generation agent was told in an iteration.
    nlohmann::json told(int iteration) const {
        return nlohmann::json::parse(provider.prompts.at("generation " + std::to_string(iteration)));
    }

    std::vector<std::string> events() const {
        std::vector<std::string> types;
        const auto journal = RunDirectory::read_journal(path());
        for (const Event& event : *journal) types.push_back(event.type);
        return types;
    }

    TemporaryDirectory folder;
    RunConfig config;
    Platform platform;
    Detection detection;
    std::vector<GuardRule> rules;
    Llm llm;
    FakeArena arena;
    FakeLlm provider;
    FakeRenderer renderer;
    Llm analysis_llm;                       // another one than `llm`, when it has a name
    Provider* analysis_provider = nullptr;  // another one than `provider`
    Renderer* real_renderer = nullptr;      // instead of `renderer`
    fs::path rescue;
    TakeProfile take_profile;
    Notes notes;
    std::unique_ptr<RunDirectory> directory;
};

inline std::vector<std::string> passes_of(const RunSummary& summary) {
    std::vector<std::string> passes;
    for (const IterationRecord& record : summary.records)
        passes.push_back(std::string(to_string(record.pass.kind)) + " " + std::to_string(record.pass.base));
    return passes;
}

}  // namespace kforge
