// What an API means by an error: whether to ask again, what to drop, whom to tell. Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kforge/llm/dialect.hpp"

namespace kforge {

// {"error": {...}}, alone, in an array of one, or with "type": "error" beside it. Nothing for anything else.
std::optional<ApiError> read_api_error(const nlohmann::json& body);

enum class Trouble {
    busy,         // too many requests, overloaded: wait, then ask again
    transient,    // may work the next time
    bad_key,      // missing, wrong or not allowed
    quota_spent,  // nobody pays any more
    parameter,    // one of ours that it does not take: ask again without it
    unknown_llm,  // no such id, or no such address
    rejected,     // the request as such
};

// `status` is 0 for an error inside a stream. `should_retry` is the header x-should-retry.
Trouble trouble_of(int status, const ApiError& error, const std::string& should_retry);

// The parameter of `sent` that the error complains of, if any.
std::optional<std::string> named_parameter(const ApiError& error, const std::vector<Dialect::Optional>& sent);

}  // namespace kforge
