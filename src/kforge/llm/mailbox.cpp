// Provider mailbox: NNN.prompt.md (and NNN.image-1.png, ...) out, NNN.answer.md in, in one folder. Numbers
// follow from agent and iteration alone, so a resumed run, moved or not, finds its letters again.
#include <fmt/format.h>

#include "kforge/llm/answer.hpp"
#include "kforge/llm/command_line.hpp"
#include "kforge/llm/provider.hpp"

namespace kforge {
namespace {

// Generation of iteration i is letter 2i-1, analysis 2i.
Result<std::string> letter_number(const LlmRequest& request) {
    const bool analysis = request.agent == "analysis";
    if (request.iteration < 1 || !(analysis || request.agent == "generation"))
        return Error{ErrorKind::internal,
                     fmt::format("the mailbox has no number for agent '{}', iteration {}", request.agent,
                                 request.iteration)};
    return fmt::format("{:03}", 2 * request.iteration - (analysis ? 0 : 1));
}

std::string image_name(const std::string& number, size_t index) {
    return fmt::format("{}.image-{}.png", number, index + 1);
}

// Says nothing of where the folder lies: the text stays the same when the run moves.
std::string letter(const std::string& number, const LlmRequest& request) {
    std::string images;
    for (size_t i = 0; i < request.images.size(); ++i)
        images += (i == 0 ? " Images: " : ", ") + image_name(number, i);
    if (!images.empty()) images += ".";
    const std::string header = fmt::format(
        "<!-- kforge: {} agent, iteration {}. Write the answer to {}.answer.md in this folder, then run: "
        "kforge "
        "resume.{} -->\n\n",
        request.agent, request.iteration, number, images);
    return header + (request.system.empty() ? "" : request.system + "\n\n") + request.prompt;
}

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

class MailboxProvider : public Provider {
  public:
    Result<void> configure(Llm& llm, const std::string& argument) const override {
        llm.sees_images = true;
        llm.usd_per_million_input = llm.usd_per_million_output = 0;  // whoever answers sends no bill here
        if (!argument.empty()) llm.directory = anchored(argument, {});
        return {};
    }

    Result<void> check(const Llm&) const override { return {}; }

    Result<LlmOutcome> complete(const Llm& llm, const LlmRequest& request, const LlmCall& call) override {
        const bool own_folder = llm.directory.empty();
        if (own_folder && call.run_directory.empty())
            return Error{ErrorKind::usage, "outside of a run the mailbox needs a folder: say mailbox:DIR"};
        const fs::path folder = own_folder ? call.run_directory / "mailbox" : llm.directory;
        TRY_ASSIGN(const std::string number, letter_number(request));
        const fs::path answer_path = folder / (number + ".answer.md");

        std::string bytes;
        if (is_there(answer_path)) {
            TRY_ASSIGN(bytes, read_file(answer_path));
        }
        // A blank file is no answer yet: someone made it and has still to fill it.
        LlmOutcome outcome = plain_answer(llm, request, bytes, "");
        const bool answered = std::holds_alternative<LlmAnswer>(outcome);
        TRY(post(folder, number, request, own_folder, answered));
        if (answered) return outcome;
        return LlmOutcome(LlmPending{fmt::format("read {} and write the answer to {} beside it",
                                                 (folder / (number + ".prompt.md")).string(),
                                                 answer_path.filename().string())});
    }

  private:
    static Result<void> post(const fs::path& folder, const std::string& number, const LlmRequest& request,
                             bool own_folder, bool answered) {
        const fs::path path = folder / (number + ".prompt.md");
        const std::string text = letter(number, request);
        if (is_there(path)) {
            TRY_ASSIGN(const std::string there, read_file(path));
            if (there == text) return {};
            // A folder outside of the run may hold another run's letters: its answers are not for this
            // prompt.
            if (!own_folder)
                return Error{
                    ErrorKind::config,
                    fmt::format("{} holds a different prompt, of another run or an earlier state of this "
                                "one: name an empty mailbox folder, or remove the files {}.*",
                                path.string(), number)};
            if (answered) return {};  // what was answered stays on record as it was asked
        }
        // The prompt comes last: whoever waits for it finds its images there.
        for (size_t i = 0; i < request.images.size(); ++i) {
            TRY_ASSIGN(const std::string image, read_file(request.images[i]));
            TRY(write_file_durable(folder / image_name(number, i), image));
        }
        return write_file_durable(path, text);
    }
};

}  // namespace

std::unique_ptr<Provider> make_mailbox_provider() {
    return std::make_unique<MailboxProvider>();
}

}  // namespace kforge
