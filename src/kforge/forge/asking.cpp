#include "kforge/forge/asking.hpp"

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
    return Prompt{text_of(request, "system"), text_of(request, "prompt")};
}

Result<void> store_outcome(RunDirectory& run, int iteration, const std::string& agent,
                           const LlmOutcome& outcome) {
    json response;
    std::string text;
    std::string result = "answer";
    if (const LlmFailure* failure = std::get_if<LlmFailure>(&outcome)) {
        response = {{"failure", {{"reason", failure->reason}, {"message", failure->message}}},
                    {"usage", usage_json(failure->usage)}};
        result = failure->reason;
    } else if (const LlmAnswer* answer = std::get_if<LlmAnswer>(&outcome)) {
        response = to_json(*answer);
        text = answer->text;
    } else {
        return {};
    }
    const std::string folder = agent_folder(agent);
    TRY(run.write(iteration, folder + "response.json", dump(response)));
    if (!text.empty()) TRY(run.write(iteration, folder + "response.md", text));
    return run.append(agent + "_answered", iteration, {{"result", result}, {"usage", response["usage"]}});
}

Usage total_usage(const RunDirectory& run) {
    Usage total;
    for (const Event& event : run.events()) {
        if (!event.type.ends_with("_answered")) continue;
        const Usage usage = usage_from(event.fields.value("usage", json::object()));
        total.input_tokens += usage.input_tokens;
        total.output_tokens += usage.output_tokens;
        total.estimated = total.estimated || usage.estimated;
        total.usd += usage.usd;
    }
    return total;
}

}  // namespace kforge
