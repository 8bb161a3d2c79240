// The parts of an http or https address that decide whether a key may travel there. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "kforge/util/result.hpp"

namespace kforge {

struct Url {
    std::string scheme;  // "http" or "https"
    std::string host;    // lower case, without brackets
    std::string path;    // "" or "/..." without a slash at the end
};

// A config error for what is no http(s) address, and for one with a user, password, query or fragment in it.
Result<Url> parse_url(const std::string& text);

bool is_loopback(std::string_view host);

}  // namespace kforge
