#include "kforge/net/url.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace kforge {
namespace {

using CurlUrl = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

std::string url_part(CURLU* url, CURLUPart part) {
    char* text = nullptr;
    if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return {};
    const std::string value = text;
    curl_free(text);
    return value;
}

}  // namespace

Result<Url> parse_url(const std::string& text) {
    const CurlUrl url(curl_url(), curl_url_cleanup);
    // What is wrong may be a key in the wrong place: the text itself is not repeated.
    if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
        return Error{ErrorKind::config, "base_url is no address: it looks like https://HOST/PATH"};
    Url parts{url_part(url.get(), CURLUPART_SCHEME), url_part(url.get(), CURLUPART_HOST),
              url_part(url.get(), CURLUPART_PATH)};
    if (parts.scheme != "http" && parts.scheme != "https")
        return Error{
            ErrorKind::config,
            fmt::format("base_url begins with {}://: only https:// and http:// are spoken", parts.scheme)};
    if (!url_part(url.get(), CURLUPART_USER).empty() || !url_part(url.get(), CURLUPART_PASSWORD).empty())
        return Error{ErrorKind::config,
                     "base_url holds a user or password: name the key's variable with key_variable instead"};
    if (!url_part(url.get(), CURLUPART_QUERY).empty() || !url_part(url.get(), CURLUPART_FRAGMENT).empty())
        return Error{ErrorKind::config, "base_url ends with the path: no '?' and no '#'"};
    std::transform(parts.host.begin(), parts.host.end(), parts.host.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (parts.host.size() > 2 && parts.host.front() == '[')
        parts.host = parts.host.substr(1, parts.host.size() - 2);
    while (parts.path.ends_with('/')) parts.path.pop_back();
    return parts;
}

bool is_loopback(std::string_view host) {
    if (host == "localhost" || host.ends_with(".localhost") || host == "::1" || host == "0.0.0.0")
        return true;
    // Numbers only: "127.evil.example" is a name.
    return host.starts_with("127.") &&
           std::all_of(host.begin(), host.end(), [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

}  // namespace kforge
