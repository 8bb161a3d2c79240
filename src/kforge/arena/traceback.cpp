#include "kforge/arena/traceback.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

const RE2 k_header(R"(^\s*Traceback \(most recent call last\):$)");
const RE2 k_frame(R"re(^ *File "([^"]+)", line (\d+)(?:,? in (.+))?$)re");
const RE2 k_link(
    R"(^(?:The above exception was the direct cause of|During handling of the above exception).*)");
const RE2 k_exception(R"(^[A-Za-z_][\w.]*(?:: .*|:)?$)");
const RE2 k_fatal(R"(^Fatal Python error: .*)");
const RE2 k_dump_thread(R"(^(?:Current thread|Thread) 0x.*\(most recent call first\):$)");
const RE2 k_library(
    R"((?:/site-packages/|/dist-packages/|/lib/python3|/kforge_arena/|^<frozen |^<string>$|^<__array_function__))");
const RE2 k_cpp_dump(R"(^(?:frame #\d+: .*|#\d+ .*|Exception raised from .*|C\+\+ CapturedTraceback:.*)$)");

// Walks the lines once; each state is a function that consumes what belongs to it.
class Reader {
  public:
    explicit Reader(const std::vector<std::string>& lines) : m_lines(lines) {}

    std::vector<PythonException> read() {
        std::string link;
        while (m_at < m_lines.size()) {
            const std::string& line = m_lines[m_at];
            if (RE2::FullMatch(line, k_fatal)) {
                read_dump();
            } else if (RE2::FullMatch(line, k_link)) {
                link = line;
                ++m_at;
            } else if (RE2::FullMatch(line, k_frame)) {
                read_exception(std::exchange(link, {}));
            } else {
                ++m_at;
            }
        }
        return std::move(m_found);
    }

  private:
    Frame read_frame() {
        Frame frame;
        RE2::FullMatch(m_lines[m_at++], k_frame, &frame.file, &frame.line, &frame.function);
        frame.in_library = RE2::PartialMatch(frame.file, k_library);
        // The source line and its marks are indented further than the frame.
        while (m_at < m_lines.size() && m_lines[m_at].starts_with("    ") &&
               !RE2::FullMatch(m_lines[m_at], k_frame))
            frame.code.push_back(m_lines[m_at++]);
        return frame;
    }

    bool starts_another(const std::string& line) const {
        return RE2::FullMatch(line, k_link) || RE2::FullMatch(line, k_header);
    }

    void read_exception(std::string link) {
        PythonException exception;
        exception.link = std::move(link);
        while (m_at < m_lines.size() && !RE2::FullMatch(m_lines[m_at], k_exception) &&
               !starts_another(m_lines[m_at])) {
            if (RE2::FullMatch(m_lines[m_at], k_frame))
                exception.frames.push_back(read_frame());
            else
                ++m_at;  // "[Previous line repeated 992 more times]"
        }
        while (m_at < m_lines.size() && !starts_another(m_lines[m_at]) &&
               !RE2::FullMatch(m_lines[m_at], k_frame)) {
            if (!RE2::FullMatch(m_lines[m_at], k_cpp_dump)) exception.message.push_back(m_lines[m_at]);
            ++m_at;
        }
        while (!exception.message.empty() && trim(exception.message.back()).empty())
            exception.message.pop_back();
        m_found.push_back(std::move(exception));
    }

    void read_dump() {
        PythonException exception;
        exception.message.push_back(m_lines[m_at++]);
        while (m_at < m_lines.size() && !RE2::FullMatch(m_lines[m_at], k_dump_thread)) ++m_at;
        if (m_at < m_lines.size()) ++m_at;
        while (m_at < m_lines.size() && RE2::FullMatch(m_lines[m_at], k_frame))
            exception.frames.push_back(read_frame());
        std::reverse(exception.frames.begin(), exception.frames.end());
        m_found.push_back(std::move(exception));
        m_at = m_lines.size();  // other threads and lists of modules follow
    }

    const std::vector<std::string>& m_lines;
    size_t m_at = 0;
    std::vector<PythonException> m_found;
};

}  // namespace

std::vector<PythonException> find_exceptions(const std::vector<std::string>& lines) {
    return Reader(lines).read();
}

}  // namespace kforge
