// Provider command: any program, trusted as the user's own. System text, a blank line and the prompt on
// standard input, the answer as plain text on standard output.
#include <fmt/format.h>

#include <algorithm>

#include "kforge/llm/answer.hpp"
#include "kforge/llm/command_line.hpp"
#include "kforge/llm/provider.hpp"
#include "kforge/llm/redact.hpp"
#include "kforge/util/process.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr int k_exit_not_yet = 75;  // EX_TEMPFAIL of sysexits.h
constexpr size_t k_answer_limit = 64 << 20;
constexpr size_t k_stderr_lines = 10;
constexpr size_t k_stderr_bytes = 2000;

// The user's whole environment (the program may need its keys) and what this call is about.
Environment call_environment(const Environment& users, const LlmRequest& request, const LlmCall& call) {
    std::vector<std::string> images;
    for (const fs::path& image : request.images) images.push_back(anchored(image, {}).string());
    const fs::path run = call.run_directory.empty() ? fs::path() : anchored(call.run_directory, {});
    const Environment ours = {
        fmt::format("KFORGE_AGENT={}", request.agent),
        fmt::format("KFORGE_ITERATION={}", request.iteration),
        fmt::format("KFORGE_RUN_DIR={}", run.string()),
        fmt::format("KFORGE_IMAGES={}", join(images, ":")),
    };
    const auto is_ours = [&](const std::string& variable) {
        return std::any_of(ours.begin(), ours.end(), [&](const std::string& mine) {
            return variable.starts_with(mine.substr(0, mine.find('=') + 1));
        });
    };
    Environment all;
    for (const std::string& variable : users)
        if (!is_ours(variable)) all.push_back(variable);
    all.insert(all.end(), ours.begin(), ours.end());
    return all;
}

// ": " and the last lines of standard error, or nothing.
std::string last_words(const std::string& err) {
    std::vector<std::string> lines = split_lines(trim(sanitize(err)));
    if (lines.size() > k_stderr_lines) lines.erase(lines.begin(), lines.end() - k_stderr_lines);
    if (lines.empty()) return {};
    return ": " + elide_middle(join(lines, "\n"), k_stderr_bytes);
}

class CommandProvider : public Provider {
  public:
    Result<void> configure(Llm& llm, const std::string& argument) const override {
        if (argument.empty()) return {};
        TRY_ASSIGN(llm.command, split_command_line(argument));
        anchor_program(llm.command, {});
        return {};
    }

    Result<void> check(const Llm& llm) const override {
        if (!llm.command.empty() && !llm.command[0].empty()) return {};
        return Error{ErrorKind::config,
                     fmt::format("LLM '{}' has no program: say command:PROGRAM ARGS, or set "
                                 "command = [\"PROGRAM\", \"ARGS\"] in its [llms] table",
                                 llm.name)};
    }

    Result<LlmOutcome> complete(const Llm& llm, const LlmRequest& request, const LlmCall& call) override {
        const Environment users = inherit_environment({"*"});
        ProcessSpec spec;
        spec.argv = llm.command;
        spec.environment = call_environment(users, request, call);
        spec.input = request.system.empty() ? request.prompt : request.system + "\n\n" + request.prompt;
        spec.timeout = std::chrono::seconds(llm.timeout_s);
        spec.output_limit = k_answer_limit;
        Result<ProcessOutcome> ended = run_process(spec);
        if (!ended.ok()) {
            if (ended.error().kind == ErrorKind::cancelled) return ended.error();
            return ended.error().within(fmt::format("LLM '{}'", llm.name));
        }
        return judge(llm, request, *ended, redact(last_words(ended->err), users, llm.key_variable));
    }

  private:
    static LlmOutcome judge(const Llm& llm, const LlmRequest& request, const ProcessOutcome& ended,
                            const std::string& words) {
        const std::string& program = llm.command[0];
        if (ended.timed_out)
            return LlmFailure{"network", fmt::format("{} gave no answer within {} s (timeout_s){}", program,
                                                     llm.timeout_s, words)};
        if (ended.status.signal == 0 && ended.status.code == k_exit_not_yet)
            return LlmPending{
                fmt::format("{} has no answer yet (exit status {}){}", program, k_exit_not_yet, words)};
        if (!ended.status.success())
            return LlmFailure{"network",
                              fmt::format("{} failed with {}{}", program, ended.status.describe(), words)};
        LlmOutcome outcome =
            plain_answer(llm, request, ended.out,
                         fmt::format("{} succeeded but wrote nothing to standard output{}", program, words));
        if (auto* answer = std::get_if<LlmAnswer>(&outcome))
            answer->truncated = ended.out.size() >= k_answer_limit;
        return outcome;
    }
};

}  // namespace

std::unique_ptr<Provider> make_command_provider() {
    return std::make_unique<CommandProvider>();
}

}  // namespace kforge
