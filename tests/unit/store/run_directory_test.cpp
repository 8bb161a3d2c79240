#include <sys/file.h>

#include <csignal>
#include <thread>

#include "../util/forked.hpp"
#include "kforge/util/errors.hpp"
#include "store_support.hpp"

namespace kforge {
namespace {

using nlohmann::json;

class RunDirectoryTest : public StoreTest {};

TEST_F(RunDirectoryTest, ANewRunHasItsFilesAndAFirstEvent) {
    const auto run = create();
    EXPECT_EQ(*run->read(0, "run.toml"), "seed = 1\n");
    EXPECT_EQ(*run->read(0, "problem.py"), "class Model: pass\n");
    ASSERT_EQ(run->events().size(), 1u);
    const Event first = run->events().front();
    EXPECT_EQ(first.sequence, 1);
    EXPECT_EQ(first.type, "run_started");
    EXPECT_EQ(first.fields, (json{{"format", "kforge-run"}, {"version", 1}, {"run", "run"}}));
}

TEST_F(RunDirectoryTest, AJournalLineReadsLikeTheDesign) {
    const auto run = create();
    ASSERT_TRUE(run->append("llm_answered", 3, {{"tokens", 12}, {"agent", "generation"}}).ok());
    const std::string text = journal_text();
    const std::string line = text.substr(text.find('\n') + 1);
    EXPECT_EQ(line.rfind("{\"seq\":2,\"time\":\"2", 0), 0u) << line;
    expect_contains(
        line, "Z\",\"event\":\"llm_answered\",\"iteration\":3,\"agent\":\"generation\",\"tokens\":12}\n");
    const std::string time = run->events()[1].time;
    ASSERT_EQ(time.size(), 24u) << time;  // 2026-11-15T04:00:00.123Z
    EXPECT_EQ(time[10], 'T');
    EXPECT_EQ(time[19], '.');
}

TEST_F(RunDirectoryTest, EventsComeBackInOrderAfterReopening) {
    std::vector<Event> before;
    {
        const auto run = create();
        for (int i = 1; i <= 5; ++i) ASSERT_TRUE(run->append("evaluated", i, {{"speedup", i * 0.5}}).ok());
        ASSERT_TRUE(run->append("evaluated", 2, {{"speedup", 9.0}}).ok());
        before = run->events();
    }
    const auto run = open();
    const auto after = run->events();
    ASSERT_EQ(after.size(), before.size());
    for (size_t i = 0; i < after.size(); ++i) {
        EXPECT_EQ(after[i].sequence, static_cast<long>(i) + 1);
        EXPECT_EQ(after[i].time, before[i].time);
        EXPECT_EQ(after[i].type, before[i].type);
        EXPECT_EQ(after[i].iteration, before[i].iteration);
        EXPECT_EQ(after[i].fields, before[i].fields);
    }
    EXPECT_EQ(run->find("evaluated", 2)->fields["speedup"], 9.0);  // the latest
    EXPECT_FALSE(run->find("evaluated", 6).has_value());
    EXPECT_FALSE(run->find("other", 2).has_value());
    EXPECT_EQ(RunDirectory::read_journal(path())->size(), 7u);
    ASSERT_TRUE(run->append("more", 0).ok());
    EXPECT_EQ(run->events().back().sequence, 8);
}

TEST_F(RunDirectoryTest, LiveEventsEqualThoseAReaderSees) {
    const auto run = create();
    // Broken text and numbers that JSON does not have must not lose the event.
    ASSERT_TRUE(run->append("odd", 1,
                            {{"text",
                              "a\xFF"
                              "b"},
                             {"number", std::nan("")},
                             {"lines", "x\ny"}})
                    .ok());
    const auto read = RunDirectory::read_journal(path());
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(run->events().back().fields, read->back().fields);
    EXPECT_EQ(read->back().fields["lines"], "x\ny");
}

TEST_F(RunDirectoryTest, FieldsMayNotTakeTheJournalsOwnKeys) {
    const auto run = create();
    for (const char* key : {"seq", "time", "event", "iteration"})
        EXPECT_THROW((void)run->append("evaluated", 1, {{key, 1}}), InternalError) << key;
    EXPECT_THROW((void)run->append("evaluated", 1, json::array()), InternalError);
    EXPECT_EQ(run->events().size(), 1u);
}

TEST_F(RunDirectoryTest, FilesOfAnIterationLieInItsFolder) {
    const auto run = create();
    ASSERT_TRUE(run->write(3, "candidate.py", "x = 1\n").ok());
    ASSERT_TRUE(run->write(123, "profile/table.txt", "table\n").ok());
    ASSERT_TRUE(run->write(0, "best/candidate.py", "best\n").ok());
    EXPECT_EQ(*read_file(path() / "iterations/03/candidate.py"), "x = 1\n");
    EXPECT_EQ(*read_file(path() / "iterations/123/profile/table.txt"), "table\n");
    EXPECT_EQ(*read_file(path() / "best/candidate.py"), "best\n");
    EXPECT_EQ(run->iteration_path(3), path() / "iterations/03");
    EXPECT_EQ(*run->read(123, "profile/table.txt"), "table\n");
    EXPECT_TRUE(run->has(3, "candidate.py"));
    EXPECT_FALSE(run->has(4, "candidate.py"));
    EXPECT_FALSE(run->has(123, "profile"));
    EXPECT_EQ(run->read(4, "candidate.py").error().kind, ErrorKind::io);
}

TEST_F(RunDirectoryTest, NamesOutsideTheRunAreRefused) {
    const auto run = create();
    for (const char* name : {"", "/etc/passwd", "../x", "a/../../x", "a/", ".", "./x"}) {
        EXPECT_EQ(run->write(1, name, "x").error().kind, ErrorKind::usage) << name;
        EXPECT_FALSE(run->read(1, name).ok()) << name;
        EXPECT_FALSE(run->has(1, name)) << name;
    }
    EXPECT_THROW((void)run->write(0, "journal.jsonl", "x"), InternalError);
    EXPECT_THROW((void)run->write(0, ".lock", "x"), InternalError);
    EXPECT_TRUE(run->has(0, "journal.jsonl"));
}

TEST_F(RunDirectoryTest, CreateRefusesAFolderThatHoldsSomething) {
    fs::create_directories(path());
    ASSERT_TRUE(write_file_durable(path() / "thesis.tex", "x").ok());
    auto refused = RunDirectory::create(path(), "", "");
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::usage);
    expect_contains(refused.error().message, "is not empty");
    EXPECT_FALSE(fs::exists(path() / ".lock"));  // nothing was touched
    refused = RunDirectory::create(path() / "thesis.tex", "", "");
    EXPECT_EQ(refused.error().kind, ErrorKind::usage);
    fs::remove(path() / "thesis.tex");
    EXPECT_TRUE(RunDirectory::create(path(), "", "").ok());  // an empty folder is fine
    refused = RunDirectory::create(path(), "", "");
    expect_contains(refused.error().message, "kforge resume " + path().string());
}

TEST_F(RunDirectoryTest, TheNameOfTheRunIsItsFolderHoweverItIsWritten) {
    const auto run = RunDirectory::create(path() / "deep" / ".." / "named" / "", "", "");
    ASSERT_TRUE(run.ok());
    EXPECT_EQ((*run)->path(), path() / "named");
    EXPECT_EQ((*run)->events().front().fields["run"], "named");
}

TEST_F(RunDirectoryTest, ASecondWriterIsToldWhoHoldsTheRun) {
    const auto run = create();
    const Error error = open_error();
    EXPECT_EQ(error.kind, ErrorKind::usage);
    expect_contains(error.message, "process " + std::to_string(::getpid()));
    EXPECT_TRUE(RunDirectory::read_journal(path()).ok());  // reading needs no lock
}

TEST_F(RunDirectoryTest, TheLockGoesWithTheWriter) {
    create().reset();
    const ForkedOutcome killed = in_forked_process([&]() -> std::string {
        const auto run = open();
        (void)run->append("working", 1);
        ::raise(SIGKILL);
        return "survived";
    });
    EXPECT_EQ(WTERMSIG(killed.status), SIGKILL);
    EXPECT_EQ(open()->events().back().type, "working");
}

TEST_F(RunDirectoryTest, ManyThreadsMayAppendAtOnce) {
    auto run = create();
    std::vector<std::thread> threads;
    std::atomic<int> failures{0};
    for (int t = 1; t <= 8; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 25; ++i)
                if (!run->append("sample", t, {{"i", i}, {"padding", std::string(500, 'x')}}).ok())
                    ++failures;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(failures, 0);
    run.reset();
    const auto events = open()->events();
    ASSERT_EQ(events.size(), 201u);
    std::vector<int> next(9);
    for (const Event& event : events)
        EXPECT_TRUE(event.iteration == 0 ||
                    event.fields["i"] == next[static_cast<size_t>(event.iteration)]++);
}

}  // namespace
}  // namespace kforge
