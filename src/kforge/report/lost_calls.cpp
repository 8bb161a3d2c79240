#include "kforge/report/lost_calls.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "kforge/report/llm_cost.hpp"

namespace kforge {
namespace {

using nlohmann::json;

struct OpenCall {
    LostCalls worst;
    bool pending = false;
};

// Files of a run may have been edited by hand: what is no number counts as none.
LostCalls worst_of(const json& fields) {
    LostCalls worst{1, 0, 0, false};
    if (const auto tokens = fields.find("tokens"); tokens != fields.end() && tokens->is_number())
        worst.tokens = tokens->get<long>();
    if (const auto usd = fields.find("usd"); usd != fields.end() && usd->is_number()) {
        worst.usd = usd->get<double>();
        worst.priced = true;
    }
    return worst;
}

void add(LostCalls& sum, const LostCalls& more) {
    sum.calls += more.calls;
    sum.tokens += more.tokens;
    sum.usd += more.usd;
    sum.priced = sum.priced && more.priced;
}

}  // namespace

LostCalls lost_calls(const std::vector<Event>& events) {
    LostCalls lost;
    std::map<std::pair<std::string, int>, OpenCall> open;
    for (const Event& event : events) {
        const size_t line = event.type.rfind('_');
        if (line == std::string::npos) continue;
        const std::pair<std::string, int> call(event.type.substr(0, line), event.iteration);
        const std::string what = event.type.substr(line + 1);
        const auto found = open.find(call);
        if (what == "asked") {
            const auto extends = event.fields.find("extends");
            const bool same = extends != event.fields.end() && *extends == true;
            if (found != open.end() && !found->second.pending && !same) add(lost, found->second.worst);
            open[call] = {worst_of(event.fields), false};
        } else if (what == "pending" && found != open.end()) {
            found->second.pending = true;
        } else if (what == "released") {
            if (const LostCalls paid = worst_of(event.fields); paid.tokens > 0 || paid.usd > 0)
                add(lost, paid);
            open.erase(call);
        } else if (what == "answered") {
            open.erase(call);
        }
    }
    for (const auto& [call, state] : open)
        if (!state.pending) add(lost, state.worst);
    return lost;
}

json to_json(const LostCalls& lost) {
    return {{"calls", lost.calls}, {"tokens", lost.tokens}, {"usd", lost.usd}, {"priced", lost.priced}};
}

std::string lost_text(const LostCalls& lost) {
    LlmCost price;
    price.usd = lost.usd;
    price.priced = lost.priced;
    return fmt::format("{} {}, at most {} tokens, {}", lost.calls, lost.calls == 1 ? "call" : "calls",
                       lost.tokens, usd_text(price));
}

}  // namespace kforge
