#include "kforge/forge/estimate.hpp"

#include <algorithm>

#include "kforge/forge/asker.hpp"
#include "kforge/forge/strategy.hpp"
#include "kforge/llm/answer.hpp"

namespace kforge {
namespace {

constexpr size_t k_template_bytes = 8'000;  // the wording around what is fixed
// The usual sizes of what changes: a candidate, what was seen of it and the history; an answer; an advice.
constexpr long k_history_tokens = 6'000;
constexpr long k_answer_tokens = 4'000;
constexpr long k_advice_tokens = 500;
// What is long: two candidates (the one to start from and the best), evidence, profile, history and notes.
constexpr size_t k_long_history_bytes = 120'000;

// Sums up calls; a price that is not known makes the sum unknown.
class Sum {
  public:
    void add(long calls, const Usage& usage, std::optional<double> usd) {
        m_tokens += calls * (usage.input_tokens + usage.output_tokens);
        if (!usd || !m_usd)
            m_usd.reset();
        else
            *m_usd += static_cast<double>(calls) * *usd;
    }
    long tokens() const { return m_tokens; }
    std::optional<double> usd() const { return m_usd; }

  private:
    long m_tokens = 0;
    std::optional<double> m_usd = 0;
};

void add_usual(Sum& sum, long calls, const Llm& llm, long input, long output) {
    if (calls == 0) return;
    const Usage usage{.input_tokens = input, .output_tokens = std::min<long>(output, llm.max_output_tokens)};
    sum.add(calls, usage, has_prices(llm) ? std::optional(cost_usd(llm, usage)) : std::nullopt);
}

void add_worst(Sum& sum, long calls, const Llm& llm, size_t prompt_bytes) {
    if (calls == 0) return;
    const Usage worst = worst_case(llm, {.bytes = prompt_bytes});
    sum.add(calls, worst, worst_usd(llm, worst));
}

}  // namespace

Estimate estimate_run(const RunConfig& config, const Llm& generation, const Llm& analysis,
                      size_t fixed_bytes) {
    const Strategy strategy(config);
    const long first = strategy.independent();
    const long refined = strategy.total() - first;
    const size_t fixed = fixed_bytes + k_template_bytes;
    const long fixed_tokens = static_cast<long>((fixed + 3) / 4);

    Sum usual;
    add_usual(usual, first, generation, fixed_tokens, k_answer_tokens);
    add_usual(usual, refined, generation, fixed_tokens + k_history_tokens, k_answer_tokens);
    add_usual(usual, refined, analysis, fixed_tokens + k_history_tokens, k_advice_tokens);

    Sum worst;
    add_worst(worst, first, generation, fixed);
    add_worst(worst, refined, generation, fixed + k_long_history_bytes);
    add_worst(worst, refined, analysis, fixed + k_long_history_bytes);

    return within({first + 2 * refined, usual.tokens(), usual.usd(), worst.tokens(), worst.usd()},
                  budget_caps(config));
}

Estimate within(Estimate estimate, const BudgetCaps& caps) {
    if (caps.calls > 0) estimate.calls = std::min(estimate.calls, caps.calls);
    if (caps.tokens > 0) {
        estimate.tokens = std::min(estimate.tokens, caps.tokens);
        estimate.worst_tokens = std::min(estimate.worst_tokens, caps.tokens);
    }
    if (caps.usd > 0) {
        estimate.usd = std::min(estimate.usd.value_or(caps.usd), caps.usd);
        estimate.worst_usd = std::min(estimate.worst_usd.value_or(caps.usd), caps.usd);
    }
    return estimate;
}

}  // namespace kforge
