#include "kforge/net/sse.hpp"

#include <cstring>

namespace kforge {
namespace {

constexpr std::string_view k_sse_mark = "\xEF\xBB\xBF";

size_t find_from(std::string_view text, char wanted, size_t from) {
    const void* found =
        from < text.size() ? std::memchr(text.data() + from, wanted, text.size() - from) : nullptr;
    return found == nullptr ? std::string_view::npos
                            : static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace

void SseParser::feed(std::string_view bytes, const Sink& sink) {
    size_t at = 0;
    // Each kind of line end is looked for once per stretch without it, so that the work stays linear.
    size_t lf = find_from(bytes, '\n', 0);
    size_t cr = find_from(bytes, '\r', 0);
    while (at < bytes.size()) {
        if (m_after_cr) {
            m_after_cr = false;
            if (bytes[at] == '\n') {
                ++at;
                continue;
            }
        }
        if (lf != std::string_view::npos && lf < at) lf = find_from(bytes, '\n', at);
        if (cr != std::string_view::npos && cr < at) cr = find_from(bytes, '\r', at);
        const size_t end = lf < cr ? lf : cr;
        if (end == std::string_view::npos) {
            m_partial.append(bytes.substr(at));
            return;
        }
        m_after_cr = end == cr;
        const std::string_view line = bytes.substr(at, end - at);
        at = end + 1;
        if (m_partial.empty()) {
            take_line(line, sink);
        } else {
            m_partial.append(line);
            const std::string whole = std::move(m_partial);
            m_partial.clear();
            take_line(whole, sink);
        }
    }
}

void SseParser::finish(const Sink& sink) {
    if (!m_partial.empty()) {
        const std::string whole = std::move(m_partial);
        m_partial.clear();
        take_line(whole, sink);
    }
    dispatch(sink);
}

void SseParser::take_line(std::string_view line, const Sink& sink) {
    if (m_first_line) {
        m_first_line = false;
        if (line.starts_with(k_sse_mark)) line.remove_prefix(k_sse_mark.size());
    }
    if (line.empty()) {
        dispatch(sink);
        return;
    }
    const size_t colon = line.find(':');
    if (colon == 0) return;  // a comment
    const std::string_view field = line.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "data") {
        if (m_has_data) m_data += '\n';
        m_data += value;
        m_has_data = true;
    } else if (field == "event") {
        m_name = value;
    } else if (field == "id") {
        m_id = value;
    }
}

void SseParser::dispatch(const Sink& sink) {
    if (m_has_data) sink({m_name.empty() ? "message" : std::string_view(m_name), m_data, m_id});
    m_name.clear();
    m_data.clear();
    m_id.clear();
    m_has_data = false;
}

}  // namespace kforge
