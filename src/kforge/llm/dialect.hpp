// Dialect: what one kind of HTTP API calls things. It builds the JSON of a request and reads the answer into
// a Reply, piece by piece or whole; it never sees a connection, a retry or a key. A new API is one file with
// a Dialect and a row in provider.cpp. Stateless but for the Reply: thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kforge/llm/provider.hpp"

namespace kforge {

class BatchDialect;

// An error as the API tells it, in the body of a 4xx or 5xx or inside a stream.
struct ApiError {
    std::string type;
    std::string code;
    std::string parameter;  // the one it complains of, where the API says so
    std::string message;
    bool quota_spent = false;                              // asking again is of no use before someone pays
    std::optional<std::chrono::milliseconds> retry_after;  // where it stands in the body
};

enum class StopKind { none, finished, truncated, refused };

// What has come of an answer so far.
struct Reply {
    std::string text;
    std::string reasoning;
    std::string refusal;  // the LLM's own words for it
    std::string request_id;
    StopKind stop = StopKind::none;  // anything else: the text is whole, whatever happens to the connection
    std::string stop_word;           // the API's own
    bool context_full = false;       // truncated by the context: there is no room to go on
    Usage usage;
    bool usage_known = false;
    long last_sequence = -1;  // of numbered events
    std::optional<ApiError> error;
    std::function<void(std::string_view)> on_text;

    void add_text(std::string_view piece) {
        if (piece.empty()) return;
        text += piece;
        if (on_text) on_text(piece);
    }
};

// How the request is to be put this time.
struct Asking {
    bool stream = true;
    std::set<std::string> dropped;    // optional parameters the server has refused
    std::string partial;              // an answer that was cut off: to be continued
    std::vector<std::string> images;  // PNG, in base64
    bool has(const std::string& parameter) const { return !dropped.contains(parameter); }
};

inline constexpr std::string_view k_continue_words =
    "Your answer was cut off by the limit on its length. Continue exactly where it stopped, with the very "
    "next "
    "character: repeat nothing, add no remark, and open no new code block if one is open.";

class Dialect {
  public:
    virtual ~Dialect() = default;
    virtual std::string own_url() const = 0;       // where the API lives unless the entry says otherwise
    virtual std::string own_variable() const = 0;  // the key for it, by custom
    virtual std::string version_path()
        const = 0;  // "/v1": added to an address that does not end in a version
    virtual bool version_follows_path() const { return false; }  // else only to an address without a path
    virtual std::string key_header() const = 0;                  // with {key} in it
    virtual std::vector<std::string> headers() const { return {}; }
    // What an entry cannot ask of this API: a config error.
    virtual Result<void> check(const Llm&) const { return {}; }

    virtual std::string path(const Llm& llm, bool stream) const = 0;  // behind the version
    virtual nlohmann::json body(const Llm& llm, const LlmRequest& request, const Asking& asking) const = 0;
    // Parameters of `body` that a server may refuse and the request can do without, by the name in Asking.
    // `found_as` are the words by which an error message would name one.
    struct Optional {
        std::string parameter;
        std::vector<std::string> found_as;
    };
    virtual std::vector<Optional> optionals() const = 0;

    // One event of a stream, or a whole answer. Unknown ones are ignored.
    virtual void read_event(std::string_view name, const nlohmann::json& event, Reply& reply) const = 0;
    virtual void read_whole(const nlohmann::json& answer, Reply& reply) const = 0;
    virtual std::string request_id_header() const { return "x-request-id"; }

    // The API's way to take many requests at half the price, or nothing.
    virtual const BatchDialect* batch_dialect() const { return nullptr; }
};

std::unique_ptr<Provider> make_http_provider(std::unique_ptr<const Dialect> dialect);

// base_url, its version and `path`.
std::string endpoint(const Dialect& dialect, const Llm& llm, const std::string& path);

// Shared by dialects: the stable part of the prompt ends at a character, and a name for it.
size_t stable_length(const LlmRequest& request);
std::string cache_key(const LlmRequest& request);

}  // namespace kforge
