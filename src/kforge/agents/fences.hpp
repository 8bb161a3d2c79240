// Fenced blocks in an LLM's answer, found the way LLMs write them rather than the way Markdown is defined.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kforge {

struct FencedBlock {
    std::string language;  // first word of the info string, in lower case
    std::string text;
    size_t first_line = 0;  // of the opening fence, from 0
    size_t last_line = 0;   // of the closing fence, or the last line of the text
    bool closed = false;
    bool at_end = false;  // the text runs to the end of the answer
};

// Without byte order mark, carriage returns, control characters and reasoning in <think> tags.
std::string clean_answer(std::string_view answer);

// Fences of three or more backticks or tildes, indented or not. A fence inside a Python triple-quoted string
// is text; an opening fence with an info string inside an open block ends that block unclosed.
std::vector<FencedBlock> find_fenced_blocks(const std::vector<std::string>& lines);

// Follows Python's string literals line by line.
class PythonStrings {
  public:
    void feed(std::string_view line);
    bool inside() const { return m_quote != 0; }  // of a triple-quoted string

  private:
    char m_quote = 0;
};

}  // namespace kforge
