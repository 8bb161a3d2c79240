#include "kforge/forge/asking.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/llm/answer.hpp"

namespace kforge {
namespace {

using nlohmann::json;

// Usage has one JSON form, that of an answer: a failure's is stored the same way.
json usage_json(const Usage& usage) {
    LlmAnswer carrier;
    carrier.usage = usage;
    return to_json(carrier)["usage"];
}

Usage usage_from(const json& value) {
    const Result<LlmAnswer> answer = answer_from_json({{"text", "-"}, {"usage", value}});
    return answer.ok() ? answer->usage : Usage{};
}

// Files of a run may have been edited by hand: what is no text counts as none.
std::string text_of(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string dump(const json& value) {
    return value.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string agent_folder(const std::string& agent) {
    return agent == "generation" ? "" : agent + "/";
}

std::optional<LlmOutcome> stored_answer(const RunDirectory& run, int iteration, const std::string& agent) {
    const std::string name = agent_folder(agent) + "response.json";
    if (!run.has(iteration, name)) return std::nullopt;
    const Result<std::string> text = run.read(iteration, name);
    const json value = text.ok() ? json::parse(*text, nullptr, false) : json();
    if (!value.is_object()) return std::nullopt;
    if (const auto failure = value.find("failure"); failure != value.end())
        return LlmFailure{text_of(*failure, "reason"), text_of(*failure, "message"),
                          usage_from(value.value("usage", json::object()))};
    const Result<LlmAnswer> answer = answer_from_json(value);
    if (!answer.ok()) return std::nullopt;
    return *answer;
}

Result<void> store_prompt(RunDirectory& run, int iteration, const std::string& agent, const Llm& llm,
                          const Prompt& prompt) {
    json request = {{"agent", agent}, {"llm", llm.name},         {"provider", llm.provider},
                    {"id", llm.id},   {"system", prompt.system}, {"prompt", prompt.user}};
    if (llm.temperature) request["temperature"] = *llm.temperature;
    if (!llm.effort.empty()) request["effort"] = llm.effort;
    request["stable_bytes"] = prompt.stable_bytes;
    request["images"] = json::array();  // relative: a run can move
    for (const fs::path& image : prompt.images)
        request["images"].push_back(image.lexically_relative(run.path()).generic_string());
    TRY(run.write(iteration, agent_folder(agent) + "prompt.md", prompt.user));
    // The request is what a resumed run sends: it comes last, when the rest is there.
    return run.write(iteration, agent_folder(agent) + "request.json", dump(request));
}

Result<Prompt> load_prompt(const RunDirectory& run, int iteration, const std::string& agent) {
    TRY_ASSIGN(const std::string text, run.read(iteration, agent_folder(agent) + "request.json"));
    const json request = json::parse(text, nullptr, false);
    if (!request.is_object() || !request.contains("prompt") || !request["prompt"].is_string())
        return Error{
            ErrorKind::config,
            (run.iteration_path(iteration) / agent_folder(agent) / "request.json").string() + " is damaged"};
    Prompt prompt{text_of(request, "system"), text_of(request, "prompt"), 0, {}};
    if (const auto stable = request.find("stable_bytes");
        stable != request.end() && stable->is_number_unsigned())
        prompt.stable_bytes = std::min(stable->get<size_t>(), prompt.user.size());
    for (const json& image : request.value("images", json::array()))
        if (image.is_string()) prompt.images.push_back(run.path() / image.get<std::string>());
    return prompt;
}

json response_json(const LlmOutcome& outcome) {
    if (const LlmFailure* failure = std::get_if<LlmFailure>(&outcome))
        return {{"failure", {{"reason", failure->reason}, {"message", failure->message}}},
                {"usage", usage_json(failure->usage)}};
    if (const LlmAnswer* answer = std::get_if<LlmAnswer>(&outcome)) return to_json(*answer);
    return nullptr;
}

Result<void> store_outcome(RunDirectory& run, int iteration, const std::string& agent,
                           const LlmOutcome& outcome, json more) {
    const json response = response_json(outcome);
    if (response.is_null()) return {};
    const std::string folder = agent_folder(agent);
    more["result"] = "answer";
    if (const LlmFailure* failure = std::get_if<LlmFailure>(&outcome)) more["result"] = failure->reason;
    more["usage"] = response["usage"];
    TRY(run.write(iteration, folder + "response.json", dump(response)));
    if (const LlmAnswer* answer = std::get_if<LlmAnswer>(&outcome))
        TRY(run.write(iteration, folder + "response.md", answer->text));
    return run.append(agent + "_answered", iteration, std::move(more));
}

Usage total_usage(const RunDirectory& run) {
    Usage total;
    for (const Event& event : run.events()) {
        if (!event.type.ends_with("_answered")) continue;
        const Usage usage = usage_from(event.fields.value("usage", json::object()));
        total.input_tokens += usage.input_tokens;
        total.cached_input_tokens += usage.cached_input_tokens;
        total.cache_write_tokens += usage.cache_write_tokens;
        total.output_tokens += usage.output_tokens;
        total.reasoning_tokens += usage.reasoning_tokens;
        total.estimated = total.estimated || usage.estimated;
        total.usd += usage.usd;
    }
    return total;
}

long answered_calls(const RunDirectory& run) {
    const std::vector<Event> events = run.events();
    return std::count_if(events.begin(), events.end(),
                         [](const Event& event) { return event.type.ends_with("_answered"); });
}

double worked_seconds(const RunDirectory& run) {
    double seconds = 0;
    for (const Event& event : run.events()) {
        const auto worked = event.fields.find("worked_s");
        if (worked != event.fields.end() && worked->is_number())
            seconds = std::max(seconds, worked->get<double>());
    }
    return seconds;
}

}  // namespace kforge
