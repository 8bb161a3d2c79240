#include "kforge/net/http.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "kforge/net/certificates.hpp"
#include "kforge/net/curl_pool.hpp"
#include "kforge/net/url.hpp"
#include "kforge/util/interrupt.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr std::chrono::milliseconds k_longest_poll{1000};

// What the callbacks of one transfer share.
struct Transfer {
    const HttpRequest& request;
    const BodySink& sink;
    HttpResponse response;
    size_t received = 0;
    bool connected = false;
    Clock::time_point last_sign;  // of life: connected, or bytes came
    HttpEnd ended_by_us = HttpEnd::complete;
};

size_t on_header_line(char* data, size_t size, size_t count, void* user) {
    Transfer& transfer = *static_cast<Transfer*>(user);
    transfer.last_sign = Clock::now();
    const std::string_view line = trim(std::string_view(data, size * count));
    if (line.starts_with("HTTP/")) {
        // An interim response (100, 103) comes before the real one.
        transfer.response.headers.clear();
        const size_t space = line.find(' ');
        transfer.response.status =
            space == std::string_view::npos ? 0 : std::atoi(std::string(line.substr(space + 1)).c_str());
        return size * count;
    }
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) return size * count;
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    transfer.response.headers[name] = std::string(trim(line.substr(colon + 1)));
    return size * count;
}

size_t on_body_bytes(char* data, size_t size, size_t count, void* user) {
    Transfer& transfer = *static_cast<Transfer*>(user);
    const std::string_view bytes(data, size * count);
    transfer.last_sign = Clock::now();
    transfer.received += bytes.size();
    if (transfer.received > transfer.request.response_limit) {
        transfer.ended_by_us = HttpEnd::too_large;
        return 0;
    }
    if (!transfer.sink) {
        transfer.response.body += bytes;
    } else if (!transfer.sink(transfer.response, bytes)) {
        transfer.ended_by_us = HttpEnd::stopped;
        return 0;
    }
    return bytes.size();
}

// Children started meanwhile must not hold the connection.
int on_socket(void*, curl_socket_t socket, curlsocktype) {
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    return CURL_SOCKOPT_OK;
}

Result<void> check_address(const HttpRequest& request, const Url& url) {
    if (url.scheme == "https" || !request.socket.empty() || is_loopback(url.host) || request.allow_plain_http)
        return {};
    return Error{ErrorKind::config,
                 fmt::format("{} is not this machine and http:// would show it key and prompts in the clear: "
                             "use https://, or set allow_plain_http = true in the LLM's table",
                             url.host)};
}

using HeaderList = std::unique_ptr<curl_slist, decltype(CurlLibrary::slist_free_all)>;

HeaderList header_list(const CurlLibrary& curl, const std::vector<std::string>& headers) {
    curl_slist* list = nullptr;
    for (const std::string& header : headers) list = curl.slist_append(list, header.c_str());
    // Without this a large body waits for the server's leave, which many servers never give.
    list = curl.slist_append(list, "Expect:");
    return {list, curl.slist_free_all};
}

Result<void> set_options(const CurlLease& lease, const HttpRequest& request, Transfer& transfer,
                         curl_slist* headers, char* problem) {
    TRY_ASSIGN(const Url url, parse_url(request.url.substr(0, request.url.find('?'))));
    TRY(check_address(request, url));
    const auto set = [&](CURLoption option, auto value) {
        lease.curl().easy_setopt(lease.easy(), option, value);
    };
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_ERRORBUFFER, problem);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_USERAGENT, "kforge");
    set(CURLOPT_ACCEPT_ENCODING, "gzip");
    set(CURLOPT_HTTPHEADER, headers);
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set(CURLOPT_BUFFERSIZE, 128L << 10);
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_timeout.count()));
    set(CURLOPT_SOCKOPTFUNCTION, on_socket);
    set(CURLOPT_HEADERFUNCTION, on_header_line);
    set(CURLOPT_HEADERDATA, &transfer);
    set(CURLOPT_WRITEFUNCTION, on_body_bytes);
    set(CURLOPT_WRITEDATA, &transfer);
    if (request.method == "GET") {
        set(CURLOPT_HTTPGET, 1L);
    } else {
        set(CURLOPT_POST, 1L);
        set(CURLOPT_POSTFIELDS, request.body.data());
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
    if (!request.socket.empty()) set(CURLOPT_UNIX_SOCKET_PATH, request.socket.c_str());
    // Other hosts are reached as the usual variables say (https_proxy, no_proxy, ...): libcurl reads them. A
    // proxy for this machine's own server would get the key in the clear.
    if (!request.socket.empty() || is_loopback(url.host)) set(CURLOPT_PROXY, "");
    if (url.scheme == "https") {
        TRY_ASSIGN(const fs::path certificates, trusted_certificates(request.ca_file));
        set(CURLOPT_CAINFO, certificates.c_str());
        set(CURLOPT_SSL_VERIFYPEER, 1L);
        set(CURLOPT_SSL_VERIFYHOST, 2L);
    }
    return {};
}

// The next moment at which the transfer is given up, and why.
std::pair<Clock::time_point, const char*> next_limit(const Transfer& transfer) {
    const HttpRequest& request = transfer.request;
    if (!transfer.connected) return {request.deadline, "no connection before the deadline"};
    const bool answering = transfer.response.status != 0;
    const auto quiet = transfer.last_sign + (answering ? request.idle_timeout : request.first_byte_timeout);
    if (quiet < request.deadline)
        return {quiet, answering ? "the server fell silent" : "the server did not begin to answer"};
    return {request.deadline, "the answer was not complete before the deadline"};
}

// Drives the transfer to its end. Nothing when a limit was reached; then `problem` says which.
Result<std::optional<CURLcode>> drive(const CurlLease& lease, Transfer& transfer) {
    const CurlLibrary& curl = lease.curl();
    for (;;) {
        int running = 0;
        if (curl.multi_perform(lease.multi(), &running) != CURLM_OK)
            return Error{ErrorKind::internal, "libcurl refused to go on"};
        int left = 0;
        while (const CURLMsg* message = curl.multi_info_read(lease.multi(), &left))
            if (message->msg == CURLMSG_DONE) return std::optional<CURLcode>(message->data.result);
        if (interrupted()) return interrupted_error();
        if (!transfer.connected) {
            curl_off_t size = 0;
            curl.easy_getinfo(lease.easy(), CURLINFO_PRETRANSFER_TIME_T, &size);
            transfer.connected = size > 0;
            transfer.last_sign = Clock::now();
        }
        const auto [limit, why] = next_limit(transfer);
        const auto left_ms = std::chrono::ceil<std::chrono::milliseconds>(limit - Clock::now());
        if (left_ms.count() <= 0) {
            transfer.response.problem = why;
            return std::optional<CURLcode>();
        }
        curl_waitfd interrupt{interrupt_fd(), CURL_WAIT_POLLIN, 0};
        curl.multi_poll(lease.multi(), &interrupt, 1,
                        static_cast<int>(std::min(left_ms, k_longest_poll).count()), nullptr);
    }
}

HttpEnd end_for(CURLcode code, const Transfer& transfer) {
    switch (code) {
        case CURLE_OK:
            return HttpEnd::complete;
        case CURLE_WRITE_ERROR:
            return transfer.ended_by_us == HttpEnd::complete ? HttpEnd::cut : transfer.ended_by_us;
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_RESOLVE_PROXY:
        case CURLE_COULDNT_CONNECT:
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_PROXY:
            return HttpEnd::unreachable;
        case CURLE_OPERATION_TIMEDOUT:
            return transfer.connected ? HttpEnd::timed_out : HttpEnd::unreachable;
        default:
            return HttpEnd::cut;
    }
}

bool is_about_certificates(CURLcode code) {
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
           code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_ISSUER_ERROR;
}

}  // namespace

std::string HttpResponse::header(const std::string& lower_case_name) const {
    const auto found = headers.find(lower_case_name);
    return found == headers.end() ? "" : found->second;
}

Result<std::string> http_library() {
    TRY_ASSIGN(const CurlLibrary* const curl, curl_library());
    const curl_version_info_data* version = curl->version_info(CURLVERSION_NOW);
    return fmt::format("libcurl {}, {}", version->version,
                       version->ssl_version != nullptr ? version->ssl_version : "no TLS");
}

Result<HttpResponse> send_http(const HttpRequest& request, const BodySink& sink) {
    if (interrupted()) return interrupted_error();
    TRY_ASSIGN(const CurlLease lease, CurlLease::take());
    char problem[CURL_ERROR_SIZE] = "";
    Transfer transfer{request, sink, {}, 0, false, Clock::now(), HttpEnd::complete};
    const HeaderList headers = header_list(lease.curl(), request.headers);
    TRY(set_options(lease, request, transfer, headers.get(), problem));
    if (lease.curl().multi_add_handle(lease.multi(), lease.easy()) != CURLM_OK)
        return Error{ErrorKind::internal, "libcurl refused the request"};
    const Result<std::optional<CURLcode>> code = drive(lease, transfer);
    lease.curl().multi_remove_handle(lease.multi(), lease.easy());
    if (!code.ok()) return code.error();
    if (!*code) {
        transfer.response.end = transfer.connected ? HttpEnd::timed_out : HttpEnd::unreachable;
        return std::move(transfer.response);
    }
    const std::string words = problem[0] != '\0' ? problem : lease.curl().easy_strerror(**code);
    if (is_about_certificates(**code))
        return Error{
            ErrorKind::environment,
            fmt::format("the server's certificate is not trusted ({}): name a file with the right ones "
                        "by ca_file or KFORGE_CA_BUNDLE",
                        words)};
    transfer.response.end = end_for(**code, transfer);
    if (transfer.response.end != HttpEnd::complete)
        transfer.response.problem =
            transfer.response.end == HttpEnd::too_large
                ? fmt::format("the answer is larger than {} MB", request.response_limit >> 20)
                : sanitize(words);
    return std::move(transfer.response);
}

}  // namespace kforge
