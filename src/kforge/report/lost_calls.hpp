// LostCalls: LLM calls that were sent and whose answers never came into the run directory: it was killed, or
// interrupted, in between. What they cost nobody knows; a budget counts them at their worst.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kforge/store/run_directory.hpp"

namespace kforge {

struct LostCalls {
    long calls = 0;
    long tokens = 0;
    double usd = 0;
    bool priced = true;  // false: of some call the price is not known, and not in `usd`
};

// From the events of a journal:
//  - AGENT_asked says what a call may take at most, before it is sent; with `extends` it stands for the last;
//  - AGENT_pending: its answer comes later, and the same call is taken up again;
//  - AGENT_released: it could not be made, and took no more than it says;
//  - AGENT_answered: it is over.
LostCalls lost_calls(const std::vector<Event>& events);

nlohmann::json to_json(const LostCalls& lost);
std::string lost_text(const LostCalls& lost);  // "2 calls, at most 9000 tokens, $0.12"

}  // namespace kforge
