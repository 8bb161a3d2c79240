// What a pattern gets to see of a candidate: its text without comments, without strings or as it is, each
// byte with the line it came from. Reads Python (and C-like kernel source inside Python strings) well enough
// to tell code, comments and literals apart; never fails, whatever the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kforge {

struct SourceView {
    std::string text;
    std::vector<int> lines;  // for each byte of `text` the line of the candidate, from 1

    void add(char byte, int line);
    void add(std::string_view bytes, int line);
    void add(const SourceView& other);
};

struct CandidateViews {
    // A Python statement is one line here, however many it was written on.
    SourceView code;    // Python and the contents of string literals, without comments and docstrings
    SourceView python;  // Python alone: each literal is "", but Python source inside a literal counts
    SourceView
        kernels;  // C-like source inside literals, without its comments and the text of its own strings
    SourceView anywhere;  // everything, with line ends made uniform
};

CandidateViews view_candidate(std::string_view candidate);

// What is left of a candidate without comments, docstrings, blank lines and the space at the end of lines.
// Candidates with the same essence do the same.
std::string essence_of(std::string_view candidate);

// C-like source with continued lines joined and each comment replaced by a space.
SourceView without_c_comments(const SourceView& source);

// The same without the text of its strings: what they say is no code. Raw ones are source of its own.
SourceView without_c_comments_and_strings(const SourceView& source);

}  // namespace kforge
