// Compiler and linker errors found in text: what evidence.hpp is made from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kforge {

struct Diagnostic {
    std::string place;  // "main.cpp:8:29", without folders; empty for a linker or ptxas
    std::string message;
    std::vector<std::string> quoted;  // source and caret lines as printed
    std::string source_line;          // the quoted line of the program itself
    std::string required_from;        // place that instantiated the template at fault
};

struct Diagnostics {
    std::vector<Diagnostic> errors;  // in order, each message once
    size_t repeats = 0;              // errors whose message had appeared before
};

Diagnostics find_diagnostics(const std::vector<std::string>& lines);

// A build tool says that it failed, whatever the compiler printed.
bool mentions_failed_build(const std::vector<std::string>& lines);

// Without command lines and progress of ninja.
std::vector<std::string> without_build_noise(const std::vector<std::string>& lines);

std::string file_name(std::string_view path);

}  // namespace kforge
