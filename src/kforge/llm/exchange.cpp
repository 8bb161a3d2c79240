#include "kforge/llm/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/llm/api_error.hpp"
#include "kforge/llm/json_reading.hpp"
#include "kforge/net/sse.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_error_body_limit = 1 << 20;
constexpr std::string_view k_done = "[DONE]";

// Reads the body of a 200: a stream of events or one JSON text, told apart by its first character, because
// servers and proxies are careless with content types.
class AnswerReader {
  public:
    AnswerReader(const Dialect& dialect, Exchange& exchange) : m_dialect(dialect), m_exchange(exchange) {}

    bool feed(std::string_view bytes) {
        if (m_form == Form::unknown) {
            m_start += bytes;
            const size_t first = m_start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
            if (first == std::string::npos) return true;
            const char c = m_start[first];
            m_form = c == '{' || c == '['                                     ? Form::whole
                     : std::string_view("deir:").find(c) != std::string::npos ? Form::stream
                                                                              : Form::foreign;
            const std::string start = std::move(m_start);
            m_start = start.substr(first, 200);
            return take(start);
        }
        return take(bytes);
    }

    void finish() {
        if (m_form == Form::stream && m_exchange.http.end == HttpEnd::complete)
            m_parser.finish([this](const SseEvent& event) { take_event(event); });
        if (m_form == Form::whole && m_exchange.http.end == HttpEnd::complete) take_whole();
        if (m_form == Form::foreign ||
            (m_form == Form::stream && m_events == 0 && m_comments_only == false)) {
            m_exchange.foreign = true;
            m_exchange.malformed = fmt::format("it begins: {}", elide_middle(sanitize(m_start), 120));
        }
    }

  private:
    enum class Form { unknown, stream, whole, foreign };

    bool take(std::string_view bytes) {
        if (m_form == Form::foreign) return false;
        if (m_form == Form::whole) {
            m_whole += bytes;
            return true;
        }
        m_comments_only = m_comments_only || m_start.starts_with(':');
        m_parser.feed(bytes, [this](const SseEvent& event) { take_event(event); });
        return m_exchange.malformed.empty();
    }

    void take_event(const SseEvent& event) {
        ++m_events;
        if (!m_exchange.malformed.empty()) return;
        // A proxy that resends an event gives it the same id.
        if (!event.id.empty() && event.id == m_last_id) return;
        if (!event.id.empty()) m_last_id = event.id;
        const std::string_view data = trim(event.data);
        if (data.empty()) return;
        if (data == k_done) {
            // Some servers end without a reason.
            if (m_exchange.reply.stop == StopKind::none && !m_exchange.reply.text.empty())
                m_exchange.reply.stop = StopKind::finished;
            return;
        }
        const nlohmann::json json = parse_json(data);
        if (json.is_discarded()) {
            m_exchange.malformed = fmt::format("an event is no JSON: {}", elide_middle(sanitize(data), 120));
            return;
        }
        if (auto error = read_api_error(json); error && !json_at(json, {"error"}).is_null())
            m_exchange.error = std::move(error);
        else
            m_dialect.read_event(event.name, json, m_exchange.reply);
        if (m_exchange.reply.error) m_exchange.error = m_exchange.reply.error;
    }

    void take_whole() {
        const nlohmann::json json = parse_json(m_whole);
        if (json.is_discarded()) {
            m_exchange.malformed =
                fmt::format("it is no JSON: {}", elide_middle(sanitize(m_whole.substr(0, 400)), 120));
            return;
        }
        // An answer may have a field "error" that is null.
        if (auto error = read_api_error(json); error && !json_at(json, {"error"}).is_null())
            m_exchange.error = std::move(error);
        else
            m_dialect.read_whole(json.is_array() && json.size() == 1 ? json[0] : json, m_exchange.reply);
        if (m_exchange.reply.error) m_exchange.error = m_exchange.reply.error;
    }

    const Dialect& m_dialect;
    Exchange& m_exchange;
    Form m_form = Form::unknown;
    std::string m_start;
    std::string m_whole;
    std::string m_last_id;
    SseParser m_parser;
    size_t m_events = 0;
    bool m_comments_only = false;
};

}  // namespace

HttpRequest http_request(const Dialect& dialect, const Llm& llm, const Key& key, const std::string& path,
                         Clock::time_point deadline) {
    HttpRequest request;
    request.url = endpoint(dialect, llm, path);
    request.headers = dialect.headers();
    request.headers.push_back("content-type: application/json");
    const bool own_place = std::any_of(llm.headers.begin(), llm.headers.end(), [](const std::string& header) {
        return header.find("{key}") != std::string::npos;
    });
    if (!key.empty() && !own_place) request.headers.push_back(key.put_into(dialect.key_header()));
    for (const std::string& header : llm.headers) request.headers.push_back(key.put_into(header));
    request.ca_file = llm.ca_file;
    request.socket = llm.socket;
    request.allow_plain_http = llm.allow_plain_http;
    request.deadline = deadline;
    return request;
}

Result<Exchange> exchange(const Dialect& dialect, const HttpRequest& request,
                          std::function<void(std::string_view)> on_text,
                          const std::function<void(const HttpResponse&)>& on_headers) {
    Exchange result;
    result.reply.on_text = std::move(on_text);
    AnswerReader reader(dialect, result);
    std::string refused;  // the body of what is no 200
    Result<HttpResponse> response =
        send_http(request, [&](const HttpResponse& so_far, std::string_view bytes) {
            if (result.body_bytes == 0 && on_headers) on_headers(so_far);
            result.body_bytes += bytes.size();
            if (so_far.status >= 200 && so_far.status < 300) return reader.feed(bytes);
            refused += bytes;
            return refused.size() < k_error_body_limit;
        });
    if (!response.ok()) return response.error();
    result.http = std::move(*response);
    if (result.http.status >= 200 && result.http.status < 300) {
        reader.finish();
    } else if (result.http.status != 0) {
        const nlohmann::json json = parse_json(refused);
        result.error = json.is_discarded() ? std::nullopt : read_api_error(json);
        if (!result.error) {
            result.error.emplace();
            result.error->message = elide_middle(trim(sanitize(refused.substr(0, 4000))), 300);
        }
    }
    result.reply.on_text = nullptr;
    const std::string id = result.http.header(dialect.request_id_header());
    if (!id.empty()) result.reply.request_id = id;
    return result;
}

}  // namespace kforge
