#include "kforge/store/journal.hpp"

#include <fmt/format.h>

#include "store_support.hpp"

namespace kforge {
namespace {

constexpr const char* k_first =
    R"({"seq":1,"time":"2026-11-15T04:00:00.000Z","event":"run_started","format":"kforge-run","version":1})"
    "\n";

std::string line(int sequence) {
    return fmt::format(R"({{"seq":{},"time":"2026-11-15T04:00:01.000Z","event":"step","iteration":1}})"
                       "\n",
                       sequence);
}

class JournalTest : public StoreTest {
  protected:
    // Opens a run with this journal and expects it to be refused at this line.
    void expect_refused(const std::string& text, int number, const std::string& part) const {
        set_journal(text);
        for (const Error& error : {open_error(), RunDirectory::read_journal(path()).error()}) {
            EXPECT_EQ(error.kind, ErrorKind::config);
            expect_contains(error.message, fmt::format("journal.jsonl:{}:", number));
            expect_contains(error.message, part);
        }
        EXPECT_EQ(journal_text(), text);  // nothing is repaired by guessing
    }
};

TEST_F(JournalTest, ATornLastLineOfAnyLengthIsCutOff) {
    {
        const auto run = create();
        ASSERT_TRUE(run->append("llm_answered", 1, {{"text", "h\xC3\xA9llo \"w\\\n"}}).ok());
        ASSERT_TRUE(run->append("llm_answered", 2, {{"tokens", 1234567}, {"deep", {{"a", {1, 2}}}}}).ok());
    }
    const std::string text = journal_text();
    const size_t last = text.rfind('\n', text.size() - 2) + 1;
    for (size_t length = last; length <= text.size(); ++length) {
        set_journal(text.substr(0, length));
        const size_t expected = length == text.size() ? 3 : 2;
        const auto read = RunDirectory::read_journal(path());
        ASSERT_TRUE(read.ok()) << length << ": " << read.error().message;
        EXPECT_EQ(read->size(), expected) << length;
        EXPECT_EQ(journal_text().size(), length);  // readers change nothing
        const auto run = open();
        EXPECT_EQ(run->events().size(), expected) << length;
        ASSERT_TRUE(run->append("next", 1).ok());
        EXPECT_EQ(RunDirectory::read_journal(path())->back().sequence, static_cast<long>(expected) + 1)
            << length;
    }
}

TEST_F(JournalTest, ALastLineThatIsNotJsonIsCutOff) {
    for (const std::string& torn : {std::string("garbage\n"), std::string("\n"), std::string(100, '\0'),
                                    std::string("{\"seq\":3,\"ti\0\0\0\n", 16)}) {
        set_journal(k_first + line(2) + torn);
        EXPECT_EQ(open()->events().size(), 2u);
        EXPECT_EQ(journal_text(), k_first + line(2));
    }
}

TEST_F(JournalTest, DamageElsewhereIsRefusedWithItsLine) {
    expect_refused(k_first + line(2) + "garbage\n" + line(4), 3, "not JSON");
    expect_refused(k_first + line(2) + line(4), 3, "event 4 stands where event 3 belongs");
    expect_refused(k_first + line(2) + line(2), 3, "event 2 stands where event 3 belongs");
    expect_refused(k_first + std::string("[1,2]\n") + line(3), 2, "not an event");
    expect_refused(k_first + std::string("{\"seq\":2,\"time\":\"t\"}\n"), 2, "not an event");
    expect_refused(k_first + std::string("{\"seq\":2,\"time\":\"t\",\"event\":\"e\",\"iteration\":\"x\"}\n"),
                   2, "restore the file");
}

TEST_F(JournalTest, AForeignFirstLineIsRefused) {
    expect_refused(line(1), 1, "not the journal of a KForge run");
    expect_refused("hello\n", 1, "not the journal of a KForge run");
    expect_refused("[]\n", 1, "not the journal of a KForge run");
    expect_refused(line(2) + line(3), 1, "not the journal of a KForge run");
    expect_refused(R"({"seq":1,"time":"t","event":"run_started","format":"other","version":1})"
                   "\n",
                   1, "not the journal of a KForge run");
}

TEST_F(JournalTest, ANewerFormatAsksForANewerKForge) {
    expect_refused(R"({"seq":1,"time":"t","event":"run_started","format":"kforge-run","version":2})"
                   "\n" +
                       line(2),
                   1, "update KForge");
}

TEST_F(JournalTest, AFolderThatIsNoRunIsDescribed) {
    expect_contains(open_error().message, "there is no such folder");
    fs::create_directories(path());
    expect_contains(open_error().message, "it has no journal.jsonl");
    EXPECT_EQ(open_error().kind, ErrorKind::config);
    EXPECT_TRUE(fs::is_empty(path()));  // asking left nothing behind
}

TEST_F(JournalTest, ARunCutOffDuringItsCreationIsDescribed) {
    ASSERT_TRUE(write_file_durable(path() / "run.toml", "").ok());
    expect_contains(open_error().message, "cut off while it was being created");
    for (const size_t length : {size_t{0}, size_t{1}, std::string(k_first).size() - 1}) {
        set_journal(std::string(k_first).substr(0, length));
        expect_contains(open_error().message, "Delete it and start the run again");
        EXPECT_FALSE(RunDirectory::read_journal(path()).ok());
    }
}

}  // namespace
}  // namespace kforge
