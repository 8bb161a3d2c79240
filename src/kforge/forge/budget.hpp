// Budget: what a run may still spend on its LLMs. Every call reserves the most it can cost before it is made
// and is settled with what it did cost, so that no cap is ever crossed, however many calls are out at once.
// Arithmetic only: it knows no files and no clock; who asks says how long the run has worked. Thread-safe.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "kforge/llm/provider.hpp"

namespace kforge {

// 0: no cap.
struct BudgetCaps {
    double usd = 0;
    long tokens = 0;
    long calls = 0;
    double minutes = 0;
};

struct Spending {
    double usd = 0;
    long tokens = 0;
    long calls = 0;
};

// How much of a prompt there is: all that bounds its tokens.
struct PromptSize {
    size_t bytes = 0;
    size_t images = 0;
};

// The most that one call of `llm` can use. No tokenizer makes more tokens than there are bytes; frames around
// the messages and images are allowed for generously.
Usage worst_case(const Llm& llm, const PromptSize& prompt);
// Its price, cache writes included; nothing where the entry does not say it.
std::optional<double> worst_usd(const Llm& llm, const Usage& worst);

class Budget {
  public:
    Budget(const BudgetCaps& caps, const Spending& spent) : m_caps(caps), m_spent(spent) {}

    // The LLM with the limits under which the call may be made: less output where the rest of a cap does not
    // allow for all of it, less time where that is short. Why not, where it may not be made now.
    struct Grant {
        std::optional<Llm> llm;
        long ticket = 0;          // for settle()
        std::string refusal;      // names the cap, what is left and what to do
        bool others_out = false;  // of a refusal: calls are out, and what they leave may be enough
    };
    Grant reserve(const Llm& llm, const PromptSize& prompt, double worked_s);

    // A call that has used `so_far` wants to send a second request, with what came of the answer behind the
    // prompt: true when the caps allow for its worst case too, which is reserved then.
    bool extend(long ticket, const Llm& limited, const PromptSize& prompt, const Usage& so_far);

    // The call is over. One whose answer is still out is not settled: it may cost money yet.
    void settle(long ticket, const Usage& usage);
    // The call was never made, or could not be.
    void release(long ticket);

    Spending spent() const;
    Spending reserved() const;

  private:
    std::string why_not(const Llm& llm, const Spending& worst, double worked_s) const;
    bool fits(const Spending& worst) const;
    Spending reserved_now() const;

    const BudgetCaps m_caps;
    mutable std::mutex m_mutex;
    Spending m_spent;
    std::map<long, Spending> m_out;
    long m_next_ticket = 1;
};

// A cap in USD needs prices: a config error that names the entry and its keys where they are missing.
Result<void> check_prices(const BudgetCaps& caps, const Llm& llm);

}  // namespace kforge
