// The Provider of every HTTP API: entries and addresses. What is special about one API is in its Dialect.
#include <fmt/format.h>

#include <algorithm>

#include "kforge/llm/batch_desk.hpp"
#include "kforge/llm/batch_dialect.hpp"
#include "kforge/llm/dialect.hpp"
#include "kforge/llm/http_call.hpp"
#include "kforge/net/url.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr std::string_view k_secret_headers[] = {"authorization",  "x-api-key",           "api-key",
                                                 "x-goog-api-key", "proxy-authorization", "cookie"};

// "/v1", "/v1beta2": the version as the last part of a path.
bool ends_in_version(std::string_view path) {
    const size_t slash = path.rfind('/');
    const std::string_view last = slash == std::string_view::npos ? path : path.substr(slash + 1);
    return last.size() > 1 && last[0] == 'v' && last[1] >= '0' && last[1] <= '9';
}

// ID, ID@URL, URL, ID@unix:PATH.
void read_http_argument(const std::string& argument, Llm& llm) {
    size_t at = std::string::npos;
    for (const std::string_view scheme : {"@http://", "@https://", "@unix:"})
        if (const size_t found = argument.rfind(scheme); found != std::string::npos) at = found;
    std::string address = at == std::string::npos ? "" : argument.substr(at + 1);
    std::string id = argument.substr(0, at);
    if (at == std::string::npos &&
        (id.starts_with("http://") || id.starts_with("https://") || id.starts_with("unix:")))
        std::swap(id, address);
    if (address.starts_with("unix:")) {
        llm.socket = address.substr(5);
        address = "http://localhost";
    }
    if (!address.empty()) llm.base_url = address;
    llm.id = id;
}

std::string lower_name(const std::string& header) {
    std::string name(trim(header.substr(0, header.find(':'))));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

Result<void> check_headers(const Llm& llm) {
    for (const std::string& header : llm.headers) {
        if (header.find(':') == std::string::npos || header.find_first_of("\r\n") != std::string::npos)
            return Error{ErrorKind::config,
                         fmt::format("LLM '{}': headers hold lines of the form \"Name: value\"", llm.name)};
        const bool secret = std::find(std::begin(k_secret_headers), std::end(k_secret_headers),
                                      lower_name(header)) != std::end(k_secret_headers);
        if (secret && header.find("{key}") == std::string::npos)
            return Error{
                ErrorKind::config,
                fmt::format("LLM '{}': the header {} holds a key, and runs keep their configuration: write "
                            "\"{}: {{key}}\" and name the key's variable with key_variable",
                            llm.name, lower_name(header), lower_name(header))};
    }
    return {};
}

class HttpProvider : public Provider {
  public:
    explicit HttpProvider(std::unique_ptr<const Dialect> dialect)
        : m_dialect(std::move(dialect)),
          m_batches(m_dialect->batch_dialect() == nullptr ? nullptr
                                                          : make_http_batches(*m_dialect, m_refused)) {}

    Result<void> configure(Llm& llm, const std::string& argument) const override {
        llm.base_url = m_dialect->own_url();
        if (!argument.empty()) read_http_argument(argument, llm);
        return {};
    }

    // The customary variable holds a key for the API's own server: it is sent nowhere else.
    void settle(Llm& llm) const override {
        if (llm.key_variable.empty() && llm.key_command.empty() && is_own_server(llm))
            llm.key_variable = m_dialect->own_variable();
    }

    Result<void> check(const Llm& llm) const override {
        const Result<Url> url = parse_url(llm.base_url);
        if (!url.ok()) return url.error().within(fmt::format("LLM '{}'", llm.name));
        if (llm.id.empty() && is_own_server(llm))
            return Error{
                ErrorKind::config,
                fmt::format("LLM '{}' has no id: say PROVIDER:ID or PROVIDER:ID@URL, or set id in its [llms] "
                            "table",
                            llm.name)};
        if (llm.batch && !m_batches)
            return Error{ErrorKind::config, fmt::format("LLM '{}': this API has no batches", llm.name)};
        TRY(check_headers(llm));
        return m_dialect->check(llm);
    }

    Result<LlmOutcome> complete(const Llm& llm, const LlmRequest& request, const LlmCall& call) override {
        if (llm.batch && m_batches && !call.run_directory.empty()) {
            TRY_ASSIGN(std::optional<BatchOutcome> outcome, m_desk.ask(*m_batches, llm, request, call));
            if (outcome && outcome->may_continue)
                return continue_http_llm(*m_dialect, llm, request, call, m_refused,
                                         std::get<LlmAnswer>(std::move(outcome->outcome)));
            if (outcome) return std::move(outcome->outcome);
        }
        return call_http_llm(*m_dialect, llm, request, call, m_refused);
    }

    LlmBatches* batches() override { return m_batches.get(); }

  private:
    bool is_own_server(const Llm& llm) const {
        const Result<Url> url = parse_url(llm.base_url);
        const Result<Url> own = parse_url(m_dialect->own_url());
        return llm.socket.empty() && url.ok() && own.ok() && url->host == own->host &&
               url->scheme == own->scheme;
    }

    std::unique_ptr<const Dialect> m_dialect;
    RefusedParameters m_refused;
    std::unique_ptr<LlmBatches> m_batches;
    BatchDesk m_desk;
};

}  // namespace

std::unique_ptr<Provider> make_http_provider(std::unique_ptr<const Dialect> dialect) {
    return std::make_unique<HttpProvider>(std::move(dialect));
}

std::string endpoint(const Dialect& dialect, const Llm& llm, const std::string& path) {
    std::string address = llm.base_url;
    while (address.ends_with('/')) address.pop_back();
    const Result<Url> url = parse_url(address);
    const bool has_version =
        url.ok() && (ends_in_version(url->path) || (!dialect.version_follows_path() && !url->path.empty()));
    return address + (has_version ? "" : dialect.version_path()) + path;
}

size_t stable_length(const LlmRequest& request) {
    size_t length = std::min(request.stable_bytes, request.prompt.size());
    while (length > 0 && length < request.prompt.size() &&
           (static_cast<unsigned char>(request.prompt[length]) & 0xC0) == 0x80)
        --length;
    return length;
}

std::string cache_key(const LlmRequest& request) {
    // FNV-1a: the same text has the same name in every process and on every machine.
    uint64_t hash = 0xcbf29ce484222325U;
    for (const std::string_view text : {std::string_view(request.system),
                                        std::string_view(request.prompt).substr(0, stable_length(request))})
        for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return fmt::format("kforge-{:016x}", hash);
}

}  // namespace kforge
