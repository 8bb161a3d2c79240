// One HTTP request and its response, over libcurl: streamed, with deadlines, ended at once by an interrupt.
// TLS is always verified, redirects are never followed, plain http goes to this machine only unless allowed.
// Knows nothing of JSON, LLMs or keys: headers are sent and never printed. Thread-safe; connections are kept.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

using Clock = std::chrono::steady_clock;

struct HttpRequest {
    std::string method = "POST";
    std::string url;
    std::vector<std::string> headers;  // "Name: value"
    std::string body;
    fs::path ca_file;  // empty: see certificates.hpp
    fs::path socket;   // a unix socket to connect to instead of the host
    bool allow_plain_http = false;
    Clock::time_point deadline;  // of the whole exchange
    std::chrono::milliseconds connect_timeout{20'000};
    std::chrono::milliseconds first_byte_timeout{
        600'000};                                     // from the connection to the response's first byte
    std::chrono::milliseconds idle_timeout{300'000};  // between two pieces of the response
    size_t response_limit = 64 << 20;                 // bytes of the body, unpacked
};

enum class HttpEnd {
    complete,
    unreachable,  // no connection: nothing was sent
    cut,          // the connection broke, or what came is no HTTP
    timed_out,
    too_large,
    stopped,  // the sink had enough
};

struct HttpResponse {
    HttpEnd end = HttpEnd::complete;
    std::string problem;                         // in words, unless complete
    int status = 0;                              // 0: no response came
    std::map<std::string, std::string> headers;  // names in lower case
    std::string body;                            // when there was no sink

    std::string header(const std::string& lower_case_name) const;
};

// Takes pieces of the body as they arrive, unpacked; status and headers are there. False: enough.
using BodySink = std::function<bool(const HttpResponse& so_far, std::string_view bytes)>;

// An Error is what no second try can change: a bad address (config), certificates (environment), an
// interrupt.
Result<HttpResponse> send_http(const HttpRequest& request, const BodySink& sink = {});

// What requests are made with, and its version; an environment error when it is not installed.
Result<std::string> http_library();

}  // namespace kforge
