#include "kforge/net/sse.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kforge {
namespace {

struct Taken {
    std::string name, data, id;
    bool operator==(const Taken&) const = default;
};

std::vector<Taken> parse_in_pieces(std::string_view stream, size_t size, bool finish = false) {
    std::vector<Taken> events;
    const SseParser::Sink sink = [&](const SseEvent& event) {
        events.push_back({std::string(event.name), std::string(event.data), std::string(event.id)});
    };
    SseParser parser;
    for (size_t at = 0; at < stream.size(); at += size) parser.feed(stream.substr(at, size), sink);
    if (finish) parser.finish(sink);
    return events;
}

// Wherever the bytes are cut, the events are the same.
void expect_events(std::string_view stream, const std::vector<Taken>& expected) {
    for (size_t size = 1; size <= stream.size() + 1; ++size)
        EXPECT_EQ(parse_in_pieces(stream, size), expected) << "in pieces of " << size;
}

TEST(Sse, TakesEventsApartWhereverTheBytesAreCut) {
    expect_events("event: a\ndata: one\n\ndata: two\n\n", {{"a", "one", ""}, {"message", "two", ""}});
}

TEST(Sse, KnowsThreeKindsOfLineEnds) {
    const std::vector<Taken> expected = {{"a", "one", ""}, {"message", "two", ""}};
    expect_events("event: a\r\ndata: one\r\n\r\ndata: two\r\n\r\n", expected);
    expect_events("event: a\rdata: one\r\rdata: two\r\r", expected);
    expect_events("event: a\r\ndata: one\n\rdata: two\r\n\n", expected);
}

TEST(Sse, JoinsDataLinesAndTakesOneBlankAway) {
    expect_events("data: a\ndata:  b\ndata\ndata:c\n\n", {{"message", "a\n b\n\nc", ""}});
}

TEST(Sse, IgnoresCommentsUnknownFieldsAndEventsWithoutData) {
    expect_events(": hello\n\nevent: empty\n\nretry: 5\nfoo: bar\ndata: x\n:\n\n", {{"message", "x", ""}});
}

TEST(Sse, AnIdBelongsToItsEventOnly) {
    expect_events("id: 7\ndata: a\n\ndata: b\n\n", {{"message", "a", "7"}, {"message", "b", ""}});
}

TEST(Sse, SkipsAByteOrderMarkAtTheStartOnly) {
    expect_events(
        "\xEF\xBB\xBF"
        "data: a\n\n\xEF\xBB\xBF"
        "data: b\n\ndata: c\n\n",
        {{"message", "a", ""}, {"message", "c", ""}});
}

TEST(Sse, AnEventThatIsNotCompleteIsTakenOnlyAtAnOrderlyEnd) {
    EXPECT_TRUE(parse_in_pieces("data: a", 3).empty());
    EXPECT_TRUE(parse_in_pieces("data: a\n", 3).empty());
    const std::vector<Taken> expected = {{"message", "a", ""}};
    EXPECT_EQ(parse_in_pieces("data: a", 3, true), expected);
    EXPECT_EQ(parse_in_pieces("data: a\n", 3, true), expected);
    EXPECT_EQ(parse_in_pieces("data: a\n\n", 3, true), expected);
}

}  // namespace
}  // namespace kforge
