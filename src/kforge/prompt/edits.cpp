#include "kforge/prompt/edits.hpp"

#include <fmt/format.h>

#include "kforge/util/fs.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

Result<Selected> parse_edit(const std::string& option) {
    TRY_ASSIGN(Selected edit, parse_selected(option));
    if (edit.value.starts_with('@')) {
        const std::string name = edit.value.substr(1);
        Result<std::string> text = read_file(name);
        if (!text.ok())
            return Error{
                ErrorKind::usage,
                fmt::format("prompt edit '{}': {} (a text is given as it is, a file as @FILE[@iterations])",
                            option, text.error().message)};
        edit.value = std::move(*text);
    }
    if (trim(edit.value).empty())
        return Error{ErrorKind::usage, fmt::format("prompt edit '{}' has no text", option)};
    return edit;
}

Result<std::vector<Selected>> parse_edits(const std::vector<std::string>& options) {
    std::vector<Selected> edits;
    for (const std::string& option : options) {
        TRY_ASSIGN(Selected edit, parse_edit(option));
        edits.push_back(std::move(edit));
    }
    return edits;
}

}  // namespace

Result<PromptEdits> PromptEdits::parse(const std::vector<std::string>& appends,
                                       const std::vector<std::string>& overrides) {
    PromptEdits edits;
    TRY_ASSIGN(edits.m_appends, parse_edits(appends));
    TRY_ASSIGN(edits.m_overrides, parse_edits(overrides));
    return edits;
}

std::optional<std::string> PromptEdits::override_for(int iteration) const {
    std::optional<std::string> text;
    for (const Selected& edit : m_overrides)
        if (edit.iterations.contains(iteration)) text = edit.value;
    return text;
}

std::vector<std::string> PromptEdits::appends_for(int iteration) const {
    std::vector<std::string> texts;
    for (const Selected& edit : m_appends)
        if (edit.iterations.contains(iteration)) texts.push_back(edit.value);
    return texts;
}

Result<std::vector<std::string>> inline_edit_files(const std::vector<std::string>& options) {
    std::vector<std::string> frozen;
    for (const std::string& option : options) {
        TRY_ASSIGN(const Selected edit, parse_edit(option));
        // A text that begins with '@' would be read as the name of a file, and one that ends in "@3" as
        // meant for iteration 3: a leading line end and an explicit set keep both literal.
        const std::string& iterations = edit.iterations.text();
        frozen.push_back(fmt::format("{}{}@{}", edit.value.starts_with('@') ? "\n" : "", edit.value,
                                     iterations.empty() ? "1-" : iterations));
    }
    return frozen;
}

}  // namespace kforge
