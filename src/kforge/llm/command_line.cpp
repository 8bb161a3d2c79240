#include "kforge/llm/command_line.hpp"

#include <fmt/format.h>

namespace kforge {

Result<std::vector<std::string>> split_command_line(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;  // tells '' (an empty word) from no word
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (quote == 0 && blank) {
            if (in_word) words.push_back(std::exchange(word, {}));
            in_word = false;
            continue;
        }
        in_word = true;
        if (c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == '\\' && quote != '\'') {
            if (i + 1 == text.size())
                return Error{ErrorKind::usage, fmt::format("command line ends in a backslash: {}", text)};
            const char next = text[i + 1];
            if (quote == 0 || next == '"' || next == '\\') ++i;
            word += text[i];
        } else {
            word += c;
        }
    }
    if (quote != 0)
        return Error{ErrorKind::usage, fmt::format("command line has an open {} quote: {}", quote, text)};
    if (in_word) words.push_back(word);
    return words;
}

fs::path anchored(const fs::path& path, const fs::path& folder) {
    std::error_code no_working_directory;
    const fs::path whole = fs::absolute(folder / path, no_working_directory);
    return (no_working_directory ? folder / path : whole).lexically_normal();
}

void anchor_program(std::vector<std::string>& argv, const fs::path& folder) {
    if (!argv.empty() && argv[0].find('/') != std::string::npos) argv[0] = anchored(argv[0], folder).string();
}

}  // namespace kforge
