// Result<T>: a value or an Error, for everything that can go wrong and that a caller can act on.
// Callers branch on Error::kind, never on the text. The two exceptions of the program are in errors.hpp.
#pragma once

#include <cassert>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace kforge {

enum class ErrorKind {
    usage,        // the user asked for something that makes no sense
    config,       // a configuration or problem file is wrong
    environment,  // something is missing on this machine: Python, torch, a compiler, a device, a key
    io,           // the file system said no
    parse,        // bytes that should have a form do not have it
    process,      // a child process could not be started or died
    protocol,     // a child process broke the message protocol
    timeout,
    cancelled,  // the user interrupted
    internal,   // a bug of ours
};

struct Error {
    ErrorKind kind;
    std::string message;

    // "what happened: why", for adding context on the way up.
    Error within(std::string_view context) const {
        return Error{kind, std::string(context) + ": " + message};
    }
};

template <typename T>
class [[nodiscard]] Result {
  public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & { return std::get<0>(m_state); }
    const T& value() const& { return std::get<0>(m_state); }
    T&& value() && { return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    T value_or(T other) const { return ok() ? value() : std::move(other); }

    const Error& error() const { return std::get<1>(m_state); }

  private:
    std::variant<T, Error> m_state;
};

struct Unit {};

template <>
class [[nodiscard]] Result<void> : public Result<Unit> {
  public:
    Result() : Result<Unit>(Unit{}) {}
    Result(Error error) : Result<Unit>(std::move(error)) {}
};

#define KFORGE_JOIN2(a, b) a##b
#define KFORGE_JOIN(a, b) KFORGE_JOIN2(a, b)

// TRY(expr): returns the error of expr, if any, from the enclosing function.
#define TRY(expr)                                                      \
    do {                                                               \
        if (auto kf_try = (expr); !kf_try.ok()) return kf_try.error(); \
    } while (false)

// TRY_ASSIGN(auto x, expr): binds the value of expr or returns its error.
#define TRY_ASSIGN(lhs, expr) KFORGE_TRY_ASSIGN(KFORGE_JOIN(kf_result_, __LINE__), lhs, expr)
#define KFORGE_TRY_ASSIGN(tmp, lhs, expr) \
    auto tmp = (expr);                    \
    if (!tmp.ok()) return tmp.error();    \
    lhs = std::move(tmp).value()

}  // namespace kforge
