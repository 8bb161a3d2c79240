// Python tracebacks found in text: what evidence.hpp is made from.
#pragma once

#include <string>
#include <vector>

namespace kforge {

struct Frame {
    std::string file;
    int line = 0;
    std::string function;           // empty for a SyntaxError
    std::vector<std::string> code;  // the line and its marks, as printed
    bool in_library = false;        // of Python, an installed package or KForge itself
};

struct PythonException {
    std::string link;  // "During handling of the above exception, ..."; empty for the first of a chain
    std::vector<Frame> frames;         // the most recent call last
    std::vector<std::string> message;  // "ValueError: ...", without C++ stack dumps
};

// In the order of the text. Tracebacks of Python, with or without their first line, and the first stack of a
// dump of faulthandler.
std::vector<PythonException> find_exceptions(const std::vector<std::string>& lines);

}  // namespace kforge
