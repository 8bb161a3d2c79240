// SseParser: a stream of server-sent events, taken apart as its bytes arrive, wherever they are cut. Follows
// https://html.spec.whatwg.org/multipage/server-sent-events.html; knows nothing of what is in an event.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kforge {

struct SseEvent {
    std::string_view name;  // "message" when the stream gives none
    std::string_view data;  // several data lines are joined by '\n'
    std::string_view id;    // of this event only; "" when it gives none
};

class SseParser {
  public:
    using Sink = std::function<void(const SseEvent&)>;
    // The views of an event are valid during the call of `sink`.
    void feed(std::string_view bytes, const Sink& sink);
    // The stream has ended in order: an event that lacks only its blank line is taken, as servers forget it.
    void finish(const Sink& sink);

  private:
    void take_line(std::string_view line, const Sink& sink);
    void dispatch(const Sink& sink);

    std::string m_partial;  // a line that is not complete yet
    std::string m_name;
    std::string m_data;
    std::string m_id;
    bool m_has_data = false;
    bool m_first_line = true;
    bool m_after_cr = false;  // the last byte was '\r': a '\n' that follows belongs to it
};

}  // namespace kforge
