// Provider replay: answers by iteration and agent from the files of a run directory, or of a folder written
// by hand in the same layout.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/llm/answer.hpp"
#include "kforge/llm/command_line.hpp"
#include "kforge/llm/provider.hpp"

namespace kforge {
namespace {

// iterations/03 for generation, iterations/03/analysis for analysis.
fs::path answer_folder(const fs::path& recording, const LlmRequest& request) {
    const fs::path iteration = recording / "iterations" / fmt::format("{:02}", request.iteration);
    return request.agent == "generation" ? iteration : iteration / request.agent;
}

// What response.json knows beyond the text. Tokens count as recorded; their price is this entry's, because
// replaying spends nothing unless the user says so.
Result<void> add_recorded_facts(const fs::path& path, const Llm& llm, LlmAnswer& answer) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return {};
    TRY_ASSIGN(const std::string text, read_file(path));
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    Result<LlmAnswer> recorded = answer_from_json(json);
    if (!recorded.ok())
        return Error{ErrorKind::config, fmt::format("{} is damaged ({}): restore or remove it", path.string(),
                                                    recorded.error().message)};
    answer.reasoning = recorded->reasoning;
    answer.truncated = recorded->truncated;
    answer.request_id = recorded->request_id;
    if (json.contains("usage")) answer.usage = recorded->usage;
    answer.usage.usd = cost_usd(llm, answer.usage);
    return {};
}

class ReplayProvider : public Provider {
  public:
    Result<void> configure(Llm& llm, const std::string& argument) const override {
        if (!argument.empty()) llm.directory = anchored(argument, {});
        llm.usd_per_million_input = llm.usd_per_million_output = 0;  // unless the user says what it cost
        return {};
    }

    Result<void> check(const Llm& llm) const override {
        if (!llm.directory.empty()) return {};
        return Error{ErrorKind::config,
                     fmt::format("LLM '{}' has no recording: say replay:DIR with a run directory, or set "
                                 "directory = \"DIR\" in its [llms] table",
                                 llm.name)};
    }

    Result<LlmOutcome> complete(const Llm& llm, const LlmRequest& request, const LlmCall&) override {
        std::error_code ignored;
        if (!fs::is_directory(llm.directory / "iterations", ignored))
            return Error{
                ErrorKind::config,
                fmt::format("{} is not a recorded run: it has no folder iterations", llm.directory.string())};
        const fs::path folder = answer_folder(llm.directory, request);
        const fs::path path = folder / "response.md";
        if (!fs::exists(path, ignored))
            return LlmOutcome(LlmFailure{
                "empty",
                fmt::format("the recording has no answer for iteration {} ({} agent): {} is not there",
                            request.iteration, request.agent, path.string())});
        TRY_ASSIGN(const std::string text, read_file(path));
        LlmOutcome outcome =
            plain_answer(llm, request, text, fmt::format("the recorded answer {} is empty", path.string()));
        if (auto* answer = std::get_if<LlmAnswer>(&outcome))
            TRY(add_recorded_facts(folder / "response.json", llm, *answer));
        return outcome;
    }
};

}  // namespace

std::unique_ptr<Provider> make_replay_provider() {
    return std::make_unique<ReplayProvider>();
}

}  // namespace kforge
