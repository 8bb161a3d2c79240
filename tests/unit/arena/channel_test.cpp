#include "kforge/arena/channel.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstring>
#include <thread>

#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

using nlohmann::json;

std::string frame(const std::string& text) {
    const uint32_t length = static_cast<uint32_t>(text.size());
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

int open_descriptors() {
    int count = 0;
    for (int fd = 0; fd < 1024; ++fd) count += ::fcntl(fd, F_GETFD) != -1;
    return count;
}

Fd memory_file(const std::string& content) {
    Fd fd(::memfd_create("test", MFD_CLOEXEC));
    EXPECT_EQ(::write(fd.get(), content.data(), content.size()), static_cast<ssize_t>(content.size()));
    return fd;
}

std::string content_of(int fd) {
    std::array<char, 64> buffer{};
    const ssize_t n = ::pread(fd, buffer.data(), buffer.size(), 0);
    return n < 0 ? "unreadable" : std::string(buffer.data(), static_cast<size_t>(n));
}

class ChannelTest : public ::testing::Test {
  protected:
    ChannelTest() {
        auto ends = Channel::create();
        EXPECT_TRUE(ends.ok());
        ours = std::move(ends->first);
        theirs = std::move(ends->second);
        interrupt_fd();  // opens a pipe at the first question: not while descriptors are counted
    }
    ~ChannelTest() override { set_interrupted_for_test(false); }

    // What a peer writes that does not keep to the protocol.
    void write_raw(const std::string& bytes, const std::vector<int>& fds = {}) const {
        iovec part{const_cast<char*>(bytes.data()), bytes.size()};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        alignas(cmsghdr) std::array<char, CMSG_SPACE(250 * sizeof(int))> control{};
        if (!fds.empty()) {
            header.msg_control = control.data();
            header.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
            cmsghdr* item = CMSG_FIRSTHDR(&header);
            item->cmsg_level = SOL_SOCKET;
            item->cmsg_type = SCM_RIGHTS;
            item->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
            std::memcpy(CMSG_DATA(item), fds.data(), fds.size() * sizeof(int));
        }
        ASSERT_EQ(::sendmsg(theirs.get(), &header, MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    }

    ErrorKind receive_error(double limit_s = 5) {
        const Result<Message> message = ours.receive(deadline_in(limit_s));
        EXPECT_FALSE(message.ok());
        return message.ok() ? ErrorKind::internal : message.error().kind;
    }

    Channel ours;
    Fd theirs;
};

TEST_F(ChannelTest, WhatIsSentArrives) {
    Channel other(std::move(theirs));
    const json body = {
        {"op", "load"}, {"text", "a\nb \xE2\x82\xAC"}, {"numbers", {1, 2.5, -3}}, {"null", nullptr}};
    ASSERT_TRUE(ours.send(body, {}, deadline_in(5)).ok());
    const Result<Message> message = other.receive(deadline_in(5));
    ASSERT_TRUE(message.ok()) << message.error().message;
    EXPECT_EQ(message->body, body);
    EXPECT_TRUE(message->fds.empty());
}

TEST_F(ChannelTest, BrokenTextIsMendedNotThrown) {
    Channel other(std::move(theirs));
    ASSERT_TRUE(ours.send({{"text", "\xFF\xFE"}}, {}, deadline_in(5)).ok());
    EXPECT_TRUE(other.receive(deadline_in(5)).ok());
}

TEST_F(ChannelTest, MessagesKeepTheirBordersHoweverTheyAreCut) {
    const std::string two = frame(R"({"n":1})") + frame(R"({"n":2})");
    std::thread peer([&] {
        for (const char byte : two) write_raw(std::string(1, byte));
    });
    EXPECT_EQ(ours.receive(deadline_in(5))->body, json({{"n", 1}}));
    EXPECT_EQ(ours.receive(deadline_in(5))->body, json({{"n", 2}}));
    peer.join();
}

TEST_F(ChannelTest, AMegabyteGoesThroughInBothDirections) {
    const std::string big(1 << 20, 'x');
    Channel other(std::move(theirs));
    std::thread peer([&] {
        Result<Message> message = other.receive(deadline_in(10));
        ASSERT_TRUE(message.ok());
        ASSERT_TRUE(other.send(message->body, {}, deadline_in(10)).ok());
    });
    ASSERT_TRUE(ours.send({{"text", big}}, {}, deadline_in(10)).ok());
    const Result<Message> echo = ours.receive(deadline_in(10));
    peer.join();
    ASSERT_TRUE(echo.ok());
    EXPECT_EQ(echo->body["text"], big);
}

TEST_F(ChannelTest, DescriptorsRideAlongInOrder) {
    Channel other(std::move(theirs));
    const Fd one = memory_file("one"), two = memory_file("two");
    ASSERT_TRUE(ours.send({{"op", "attach"}}, {one.get(), two.get()}, deadline_in(5)).ok());
    const Result<Message> message = other.receive(deadline_in(5));
    ASSERT_TRUE(message.ok());
    ASSERT_EQ(message->fds.size(), 2u);
    EXPECT_EQ(content_of(message->fds[0].get()), "one");
    EXPECT_EQ(content_of(message->fds[1].get()), "two");
    for (const Fd& fd : message->fds) EXPECT_NE(::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(ChannelTest, APeerCannotFillOurDescriptorTable) {
    const Fd file = memory_file("x");
    const std::string text = frame(R"({"ok":true})");
    const int before = open_descriptors();
    for (const char byte : text) write_raw(std::string(1, byte), std::vector<int>(8, file.get()));
    const Result<Message> message = ours.receive(deadline_in(5));
    ASSERT_TRUE(message.ok());
    EXPECT_LE(message->fds.size(), 8u);
    EXPECT_LE(open_descriptors(), before + 8);
}

TEST_F(ChannelTest, NoDescriptorIsLeftWhenAMessageIsDropped) {
    const Fd file = memory_file("x");
    const int before = open_descriptors();
    write_raw(frame("no JSON"), std::vector<int>(200, file.get()));  // more than anybody has room for
    EXPECT_EQ(receive_error(), ErrorKind::protocol);
    write_raw(frame("{}").substr(0, 5), {file.get()});
    EXPECT_EQ(receive_error(0.05), ErrorKind::timeout);
    EXPECT_EQ(open_descriptors(), before);
}

TEST_F(ChannelTest, WhatIsNoJsonObjectIsAProtocolError) {
    for (const char* text :
         {"", "nonsense", "[1]", "3", "\"text\"", "null", "{\"a\":", "{\"a\":\"\xFF\"}", "{} {}"}) {
        write_raw(frame(text));
        EXPECT_EQ(receive_error(), ErrorKind::protocol) << text;
    }
}

TEST_F(ChannelTest, DeepNestingDoesNotOverflowOurStack) {
    const std::string deep =
        frame(R"({"ok":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}");
    std::thread peer([&] {
        for (size_t sent = 0; sent < deep.size(); sent += 65536) write_raw(deep.substr(sent, 65536));
    });
    Result<Message> message = ours.receive(deadline_in(10));
    ASSERT_TRUE(message.ok());
    const json body = std::move(message->body);
    EXPECT_TRUE(body["ok"].is_array());
    EXPECT_THROW((void)body.value("ok", ""), json::exception);
    peer.join();
}

TEST_F(ChannelTest, ALengthBeyondReasonIsRefusedBeforeItIsAllocated) {
    write_raw(std::string("\xFF\xFF\xFF\xFF", 4));
    const Result<Message> message = ours.receive(deadline_in(5));
    ASSERT_FALSE(message.ok());
    EXPECT_EQ(message.error().kind, ErrorKind::protocol);
    EXPECT_NE(message.error().message.find("4294967295"), std::string::npos);
}

TEST_F(ChannelTest, AClosedPeerIsGone) {
    theirs.reset();
    EXPECT_EQ(receive_error(), ErrorKind::process);
    const Result<void> sent = ours.send({{"op", "go"}}, {}, deadline_in(5));
    ASSERT_FALSE(sent.ok());
    EXPECT_EQ(sent.error().kind, ErrorKind::process);
}

TEST_F(ChannelTest, APeerThatClosesInTheMiddleIsGone) {
    write_raw(frame(R"({"ok":true})").substr(0, 9));
    theirs.reset();
    EXPECT_EQ(receive_error(), ErrorKind::process);
}

TEST_F(ChannelTest, SilenceEndsAtTheDeadline) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(receive_error(0.05), ErrorKind::timeout);
    write_raw(frame(R"({"ok":true})").substr(0, 6));  // half a message is silence, too
    EXPECT_EQ(receive_error(0.05), ErrorKind::timeout);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
    EXPECT_EQ(receive_error(0), ErrorKind::timeout);
    EXPECT_EQ(receive_error(-1), ErrorKind::timeout);
}

TEST_F(ChannelTest, APeerThatDoesNotReadCannotHoldUsUp) {
    const Result<void> sent = ours.send({{"text", std::string(8 << 20, 'x')}}, {}, deadline_in(0.1));
    ASSERT_FALSE(sent.ok());
    EXPECT_EQ(sent.error().kind, ErrorKind::timeout);
}

TEST_F(ChannelTest, AnInterruptEndsEveryWait) {
    std::thread user([] { set_interrupted_for_test(true); });
    EXPECT_EQ(receive_error(60), ErrorKind::cancelled);
    user.join();
    const Result<void> sent = ours.send({{"op", "go"}}, {}, deadline_in(60));
    ASSERT_FALSE(sent.ok());
    EXPECT_EQ(sent.error().kind, ErrorKind::cancelled);
}

struct Printer {
    Printer() {
        Result<std::pair<LogTail, Fd>> made = LogTail::create();
        EXPECT_TRUE(made.ok());
        log = std::move(made->first);
        write_end = std::move(made->second);
    }
    void print(const std::string& text) const {
        ASSERT_EQ(::write(write_end.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    LogTail log;
    Fd write_end;
};

TEST(LogTail, KeepsWhatWasPrinted) {
    Printer printer;
    EXPECT_TRUE(printer.log.drain());
    EXPECT_EQ(printer.log.text(), "");
    printer.print("one\n");
    printer.print("two \x1B[31mred\x1B[0m \xFF\n");
    EXPECT_TRUE(printer.log.drain());
    EXPECT_EQ(printer.log.text(), "one\ntwo red \xEF\xBF\xBD\n");
    printer.write_end.reset();
    EXPECT_FALSE(printer.log.drain());
    EXPECT_FALSE(printer.log.drain());
    EXPECT_EQ(printer.log.fd(), -1);
    EXPECT_NE(printer.log.text(), "");
}

TEST(LogTail, OfMegabytesTheBeginningAndTheEndAreKept) {
    Printer printer;
    std::thread process([&] {
        printer.print("the beginning\n");
        const std::string line(8191, '.');
        for (int i = 0; i < 1000; ++i) printer.print(line + "\n");
        printer.print("the end\n");
        printer.write_end.reset();
    });
    while (printer.log.drain()) {
    }
    process.join();
    const std::string text = printer.log.text();
    EXPECT_LT(text.size(), 200'000u);
    EXPECT_TRUE(text.starts_with("the beginning\n"));
    EXPECT_TRUE(text.ends_with("the end\n"));
    EXPECT_NE(text.find("bytes left out"), std::string::npos);
}

TEST(LogTail, IsDrainedWhileAnAnswerIsAwaited) {
    auto ends = Channel::create();
    ASSERT_TRUE(ends.ok());
    Channel other(std::move(ends->second));
    Printer printer;
    std::thread process([&] {
        for (int i = 0; i < 64; ++i) printer.print(std::string(65536, 'x'));  // far more than a pipe holds
        ASSERT_TRUE(other.send({{"ok", true}}, {}, deadline_in(10)).ok());
    });
    EXPECT_TRUE(ends->first.receive(deadline_in(10), &printer.log).ok());
    process.join();
    EXPECT_NE(printer.log.text(), "");
}

TEST(LogTail, WhoPrintsWithoutEndCannotStopTheClock) {
    auto ends = Channel::create();
    ASSERT_TRUE(ends.ok());
    Printer printer;
    const pid_t pid = ::fork();
    if (pid == 0) {
        const std::string noise(65536, 'x');
        while (::write(printer.write_end.get(), noise.data(), noise.size()) > 0) {
        }
        ::_exit(0);
    }
    const auto start = std::chrono::steady_clock::now();
    const Result<Message> message = ends->first.receive(deadline_in(0.3), &printer.log);
    ASSERT_FALSE(message.ok());
    EXPECT_EQ(message.error().kind, ErrorKind::timeout);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    EXPECT_LT(printer.log.text().size(), 200'000u);
}

}  // namespace
}  // namespace kforge
