// Budget: what a run may still spend on its LLMs. Every call reserves the most it can cost before it is made
// and is settled with what it did cost, so that no cap is ever crossed, however many calls are out at once.
// A run of a campaign has one that is part of the campaign's: a call must fit both. Arithmetic only: it knows
// no files and no clock; who asks says how long the run has worked. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
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

class Budget;
// A budget that others are part of, and which outlives them; how long all of them together were worked on.
struct WholeBudget {
    Budget* budget = nullptr;
    std::function<double()> worked_s = {};
};

class Budget {
  public:
    using Whole = WholeBudget;
    Budget(const BudgetCaps& caps, const Spending& spent, Whole whole = {})
        : m_caps(caps), m_whole(std::move(whole)), m_spent(spent) {}

    // The LLM with the limits under which the call may be made: less output where the rest of a cap does not
    // allow for all of it, less time where that is short. Why not, where it may not be made now.
    struct Grant {
        std::optional<Llm> llm;
        long ticket = 0;          // for settle()
        std::string refusal;      // names the cap, what is left and what to do
        bool others_out = false;  // of a refusal: calls are out, and what they leave may be enough
        bool by_whole = false;    // of a refusal: the whole refuses, and `others_out` speaks of its calls
    };
    Grant reserve(const Llm& llm, const PromptSize& prompt, double worked_s);

    // A call that has used `so_far` wants to send a second request, with what came of the answer behind the
    // prompt: true when the caps allow for its worst case too, which is reserved then.
    bool extend(long ticket, const Llm& limited, const PromptSize& prompt, const Usage& so_far);

    // Why nothing new may be begun, where a cap on time is reached; empty otherwise.
    struct OutOfTime {
        std::string why;
        bool by_whole = false;
    };
    OutOfTime out_of_time(double worked_s) const;

    // The call is over. One whose answer is still out is not settled: it may cost money yet.
    void settle(long ticket, const Usage& usage);
    // The call was never made, or could not be.
    void release(long ticket);
    // The answer comes in another sitting: it stays reserved, and nobody waits for what it leaves.
    void park(long ticket);
    // Until a call of the whole is over, or `limit` has passed.
    void wait_for_others(std::chrono::milliseconds limit);

    Spending spent() const;
    Spending reserved() const;

  private:
    struct Out {
        Spending worst;
        long whole_ticket = 0;
        bool parked = false;
    };
    Grant reserve_here(const Llm& llm, const PromptSize& prompt, double worked_s);
    bool others_out() const;
    std::string why_not(const Llm& llm, const Spending& worst, double worked_s) const;
    bool fits(const Spending& worst) const;
    Spending reserved_now() const;

    const BudgetCaps m_caps;
    const Whole m_whole;
    mutable std::mutex m_mutex;  // taken before that of the whole
    std::condition_variable m_changed;
    Spending m_spent;
    std::map<long, Out> m_out;
    long m_next_ticket = 1;
};

// A cap in USD needs prices: a config error that names the entry and its keys where they are missing.
Result<void> check_prices(const BudgetCaps& caps, const Llm& llm);

}  // namespace kforge
