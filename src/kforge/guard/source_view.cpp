#include "kforge/guard/source_view.hpp"

#include "kforge/guard/python_scanner.hpp"
#include "kforge/util/text.hpp"

namespace kforge {

void SourceView::add(char byte, int line) {
    text += byte;
    lines.push_back(line);
}

void SourceView::add(std::string_view bytes, int line) {
    text += bytes;
    lines.insert(lines.end(), bytes.size(), line);
}

void SourceView::add(const SourceView& other) {
    text += other.text;
    lines.insert(lines.end(), other.lines.begin(), other.lines.end());
}

CandidateViews view_candidate(std::string_view candidate) {
    CandidateViews views;
    int line = 1;
    for (size_t i = 0; i < candidate.size(); ++i) {
        // Python ends a line at CR, LF and CR LF alike.
        if (candidate[i] == '\r') {
            if (i + 1 < candidate.size() && candidate[i + 1] == '\n') ++i;
            views.anywhere.add('\n', line++);
        } else {
            views.anywhere.add(candidate[i], line);
            if (candidate[i] == '\n') ++line;
        }
    }
    scan_python(views.anywhere, views);
    return views;
}

std::string essence_of(std::string_view candidate) {
    const CandidateViews views = view_candidate(candidate);
    std::string essence;
    // Both: in one of them the number 1 and the text "1" look alike, in the other any two texts.
    for (const SourceView* view : {&views.code, &views.python}) {
        for (const std::string& line : split_lines(view->text)) {
            const size_t end = line.find_last_not_of(" \t");
            if (end != std::string::npos) essence += line.substr(0, end + 1) + '\n';
        }
        essence += '\f';
    }
    return essence;
}

}  // namespace kforge
