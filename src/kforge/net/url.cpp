#include "kforge/net/url.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kforge {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower_text(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lower);
    return result;
}

bool made_of(std::string_view text, bool (*allowed)(char)) {
    return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Names and numbers that every reader of addresses takes for the same host.
bool is_host(std::string_view host) {
    return made_of(host, [](char c) {
        return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '.' || c == '-' || c == '_';
    });
}

bool is_address_in_brackets(std::string_view text) {
    return text.size() > 2 && text.front() == '[' && text.back() == ']' &&
           made_of(text.substr(1, text.size() - 2), [](char c) {
               return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f') || c == ':' || c == '.';
           });
}

bool is_port(std::string_view port) {
    return port.size() <= 5 && made_of(port, is_digit) && std::stoi(std::string(port)) <= 65535;
}

bool is_path(std::string_view path) {
    return std::all_of(path.begin(), path.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte > ' ' && byte != 0x7F && c != '\\';
    });
}

Error config_error(std::string message) {
    return {ErrorKind::config, std::move(message)};
}

}  // namespace

// Stricter than libcurl's own parser: what this one takes, both read alike, so that the host which is judged
// here is the host that is asked there. What is wrong may be a key in the wrong place: it is not repeated.
Result<Url> parse_url(const std::string& text) {
    const std::string not_one = "base_url is no address: it looks like https://HOST/PATH";
    const size_t colon = text.find("://");
    if (colon == std::string::npos) return config_error(not_one);
    Url parts;
    parts.scheme = lower_text(std::string_view(text).substr(0, colon));
    if (!made_of(parts.scheme, [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '+'; }))
        return config_error(not_one);
    if (parts.scheme != "http" && parts.scheme != "https")
        return config_error(
            fmt::format("base_url begins with {}://: only https:// and http:// are spoken", parts.scheme));
    const std::string_view rest = std::string_view(text).substr(colon + 3);
    if (rest.find_first_of("?#") != std::string_view::npos)
        return config_error("base_url ends with the path: no '?' and no '#'");
    const size_t slash = std::min(rest.find('/'), rest.size());
    std::string_view place = rest.substr(0, slash);
    if (place.find('@') != std::string_view::npos)
        return config_error(
            "base_url holds a user or password: name the key's variable with key_variable instead");
    const size_t port = place.find(':', place.starts_with('[') ? std::min(place.find(']'), place.size()) : 0);
    if (port != std::string_view::npos) {
        if (!is_port(place.substr(port + 1))) return config_error(not_one);
        place = place.substr(0, port);
    }
    if (is_address_in_brackets(place))
        parts.host = lower_text(place.substr(1, place.size() - 2));
    else if (is_host(place))
        parts.host = lower_text(place);
    else
        return config_error(not_one);
    parts.path = rest.substr(slash);
    if (!is_path(parts.path)) return config_error(not_one);
    while (parts.path.ends_with('/')) parts.path.pop_back();
    return parts;
}

bool is_loopback(std::string_view host) {
    if (host == "localhost" || host.ends_with(".localhost") || host == "::1" || host == "0.0.0.0")
        return true;
    // Numbers only: "127.evil.example" is a name.
    return host.starts_with("127.") &&
           std::all_of(host.begin(), host.end(), [](char c) { return c == '.' || is_digit(c); });
}

}  // namespace kforge
