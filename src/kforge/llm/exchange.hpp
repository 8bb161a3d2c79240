// One request to an API and what came back, read by its dialect as it arrives. Judges nothing, repeats
// nothing.
#pragma once

#include "kforge/llm/dialect.hpp"
#include "kforge/llm/keys.hpp"
#include "kforge/net/http.hpp"

namespace kforge {

struct Exchange {
    HttpResponse http;
    Reply reply;
    std::optional<ApiError> error;  // with an HTTP status, or inside a 200
    std::string malformed;          // what was no answer of this API, in words
    bool foreign = false;           // it was not even a stream or JSON: a web page, a proxy's login
    size_t body_bytes = 0;
};

// What all requests to this API share: address, headers with the key, limits.
HttpRequest http_request(const Dialect& dialect, const Llm& llm, const Key& key, const std::string& path,
                         Clock::time_point deadline);

// `on_headers` is told of the response as soon as its body begins, which may be minutes before it ends.
Result<Exchange> exchange(const Dialect& dialect, const HttpRequest& request,
                          std::function<void(std::string_view)> on_text,
                          const std::function<void(const HttpResponse&)>& on_headers = {});

}  // namespace kforge
