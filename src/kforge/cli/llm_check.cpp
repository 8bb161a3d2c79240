#include "kforge/cli/llm_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "kforge/llm/answer.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using Clock = std::chrono::steady_clock;

// Room to think in for an LLM that cannot do without.
constexpr int k_output_tokens = 4'000;
constexpr size_t k_shown_bytes = 200;

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

const Usage* usage_of(const LlmOutcome& outcome) {
    if (const auto* answer = std::get_if<LlmAnswer>(&outcome)) return &answer->usage;
    if (const auto* failure = std::get_if<LlmFailure>(&outcome)) return &failure->usage;
    return nullptr;
}

std::string cost_text(const LlmCheck& check, const Usage& usage) {
    return has_prices(check.llm) ? fmt::format("${:.6f}", usage.usd) : "unknown: the entry has no prices";
}

}  // namespace

Result<LlmCheck> check_llm(const Llm& llm, const std::function<void(std::string_view)>& on_text,
                           const std::function<void(std::string_view)>& on_note) {
    LlmCheck check;
    check.llm = llm;
    check.llm.max_output_tokens = std::min(llm.max_output_tokens, k_output_tokens);
    TRY_ASSIGN(const std::unique_ptr<Provider> provider, make_provider(llm.provider));
    LlmRequest request;
    request.agent = "generation";
    request.iteration = 1;
    request.prompt = "This checks a connection. Answer with one word: ready";
    const Clock::time_point start = Clock::now();
    LlmCall call;
    call.on_text = [&](std::string_view text) {
        if (!check.first_text_s) check.first_text_s = since(start);
        if (on_text) on_text(text);
    };
    call.on_note = on_note;
    call.may_pay_again = [](const Usage&) { return false; };  // one request is what was promised
    TRY_ASSIGN(check.outcome, provider->complete(check.llm, request, call));
    check.seconds = since(start);
    return check;
}

nlohmann::json to_json(const LlmCheck& check) {
    nlohmann::json object = {
        {"llm", check.llm.name},
        {"id", check.llm.id},
        {"answered", std::holds_alternative<LlmAnswer>(check.outcome)},
        {"seconds", check.seconds},
        {"first_text_s", check.first_text_s ? nlohmann::json(*check.first_text_s) : nlohmann::json()},
        {"reason", nullptr},
        {"message", ""},
        {"answer", nullptr},
        {"priced", has_prices(check.llm)}};
    if (const auto* answer = std::get_if<LlmAnswer>(&check.outcome)) {
        object["answer"] = to_json(*answer);
    } else if (const auto* failure = std::get_if<LlmFailure>(&check.outcome)) {
        object["reason"] = failure->reason;
        object["message"] = failure->message;
    } else {
        object["message"] = std::get<LlmPending>(check.outcome).message;
    }
    if (const Usage* usage = usage_of(check.outcome)) {
        object["tokens"] = {{"input", usage->input_tokens}, {"output", usage->output_tokens}};
        object["usd"] = usage->usd;
    }
    return object;
}

std::vector<std::vector<std::string>> rows_of(const LlmCheck& check) {
    std::vector<std::vector<std::string>> rows;
    if (const auto* answer = std::get_if<LlmAnswer>(&check.outcome)) {
        rows.push_back({"answer", elide_middle(join(split_lines(trim(answer->text)), " "), k_shown_bytes)});
        if (!answer->request_id.empty()) rows.push_back({"request id", answer->request_id});
    } else if (const auto* failure = std::get_if<LlmFailure>(&check.outcome)) {
        rows.push_back({"no answer", fmt::format("{}: {}", failure->reason, failure->message)});
    } else {
        rows.push_back({"no answer yet", std::get<LlmPending>(check.outcome).message});
    }
    std::string time = fmt::format("{:.2f} s", check.seconds);
    if (check.first_text_s) time += fmt::format(", first text after {:.2f} s", *check.first_text_s);
    rows.push_back({"time", time});
    if (const Usage* usage = usage_of(check.outcome)) {
        rows.push_back({"tokens", fmt::format("{}{} in, {} out", usage->estimated ? "about " : "",
                                              usage->input_tokens, usage->output_tokens)});
        rows.push_back({"cost", cost_text(check, *usage)});
    }
    return rows;
}

ExitCode exit_code_of(const LlmCheck& check) {
    if (std::holds_alternative<LlmAnswer>(check.outcome)) return ExitCode::ok;
    return std::holds_alternative<LlmPending>(check.outcome) ? ExitCode::suspended : ExitCode::not_found;
}

}  // namespace kforge
