// The two exceptions of the program, both caught once in main.cpp, and the exit codes.
#pragma once

#include <stdexcept>
#include <string>

#include "kforge/util/result.hpp"

namespace kforge {

enum class ExitCode {
    ok = 0,            // a correct candidate, or the thing asked for, was found
    not_found = 1,     // it was not
    usage = 2,         // usage or configuration
    environment = 3,   // no torch, no device, no compiler, no disk
    internal = 4,      // a bug of ours
    suspended = 5,     // resume later
    interrupted = 130  // Ctrl-C; resumable
};

// Something the user can fix: bad configuration or environment.
class Fatal : public std::runtime_error {
  public:
    Fatal(ExitCode code, const std::string& message) : std::runtime_error(message), m_code(code) {}
    ExitCode code() const { return m_code; }

  private:
    ExitCode m_code;
};

// A broken invariant of ours.
class InternalError : public std::logic_error {
    using std::logic_error::logic_error;
};

ExitCode exit_code_for(ErrorKind kind);

// Bridges a Result into the exception world: for command code that can only give up.
[[noreturn]] void give_up(const Error& error);

template <typename T>
T require(Result<T> result) {
    if (!result.ok()) give_up(result.error());
    return std::move(result).value();
}
inline void require(Result<void> result) {
    if (!result.ok()) give_up(result.error());
}

}  // namespace kforge
