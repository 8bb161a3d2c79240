#include "llm_test.hpp"

namespace kforge {
namespace {

class LlmMailbox : public LlmTest {
  protected:
    Result<LlmOutcome> ask(const LlmRequest& request, const fs::path& directory = {}) {
        const Llm llm{.name = "mailbox", .provider = "mailbox", .directory = directory};
        return make_provider("mailbox").value()->complete(llm, request, {.run_directory = folder() / m_run});
    }
    std::string m_run = "run";
};

TEST_F(LlmMailbox, WithoutAnAnswerThePromptIsPostedAndTheCallIsPending) {
    const auto pending = expect<LlmPending>(ask(generation(1)));
    EXPECT_EQ(pending.message, "read " + (folder() / "run/mailbox/001.prompt.md").string() +
                                   " and write the answer to 001.answer.md beside it");
    const std::string letter = content(folder() / "run/mailbox/001.prompt.md");
    EXPECT_EQ(letter.rfind("<!-- kforge: generation agent, iteration 1.", 0), 0u) << letter;
    const std::string header = letter.substr(0, letter.find('\n'));
    EXPECT_NE(header.find("001.answer.md"), std::string::npos);
    EXPECT_TRUE(header.ends_with("-->"));
    EXPECT_TRUE(letter.ends_with("-->\n\nYou write kernels.\n\nWrite a kernel."));
}

TEST_F(LlmMailbox, TheAnswerIsReadAndCleaned) {
    write("run/mailbox/001.answer.md", "here\r\nit is \xFF\n");
    const auto answer = expect<LlmAnswer>(ask(generation(1)));
    EXPECT_EQ(answer.text, "here\nit is \xEF\xBF\xBD\n");
    EXPECT_TRUE(answer.usage.estimated);
    EXPECT_TRUE(fs::exists(folder() / "run/mailbox/001.prompt.md"));
}

TEST_F(LlmMailbox, NumbersFollowFromIterationAndAgent) {
    const std::pair<LlmRequest, const char*> cases[] = {{generation(1), "001"},  {analysis(1), "002"},
                                                        {generation(2), "003"},  {analysis(7), "014"},
                                                        {generation(50), "099"}, {generation(600), "1199"}};
    for (const auto& [request, number] : cases) {
        write(std::string("run/mailbox/") + number + ".answer.md", number);
        EXPECT_EQ(expect<LlmAnswer>(ask(request)).text, number);
    }
}

TEST_F(LlmMailbox, BlankAnswerFileIsNotYetAnAnswer) {
    for (const char* blank : {"", "\n", "\xEF\xBB\xBF\r\n"}) {
        write("run/mailbox/001.answer.md", blank);
        expect<LlmPending>(ask(generation(1)));
    }
}

TEST_F(LlmMailbox, AnUnchangedPromptIsNotWrittenAgain) {
    expect<LlmPending>(ask(generation(1)));
    const fs::path prompt = folder() / "run/mailbox/001.prompt.md";
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(24);
    fs::last_write_time(prompt, long_ago);
    expect<LlmPending>(ask(generation(1)));
    EXPECT_EQ(fs::last_write_time(prompt), long_ago);
}

TEST_F(LlmMailbox, AChangedPromptReplacesTheUnansweredOneOfTheRun) {
    expect<LlmPending>(ask(generation(1, "old")));
    expect<LlmPending>(ask(generation(1, "new")));
    EXPECT_TRUE(content(folder() / "run/mailbox/001.prompt.md").ends_with("new"));
}

TEST_F(LlmMailbox, AnAnsweredPromptOfTheRunStaysAsItWasAsked) {
    expect<LlmPending>(ask(generation(1, "old")));
    write("run/mailbox/001.answer.md", "answer");
    EXPECT_EQ(expect<LlmAnswer>(ask(generation(1, "new"))).text, "answer");
    EXPECT_TRUE(content(folder() / "run/mailbox/001.prompt.md").ends_with("old"));
}

TEST_F(LlmMailbox, ARunThatMovedFindsItsMailboxAgain) {
    expect<LlmPending>(ask(generation(1)));
    fs::rename(folder() / "run", folder() / "elsewhere");
    write("elsewhere/mailbox/001.answer.md", "answer");
    m_run = "elsewhere";
    EXPECT_EQ(expect<LlmAnswer>(ask(generation(1))).text, "answer");
    EXPECT_FALSE(fs::exists(folder() / "run"));
}

TEST_F(LlmMailbox, ANamedFolderTakesThePlaceOfTheRuns) {
    expect<LlmPending>(ask(generation(1), folder() / "box"));
    EXPECT_TRUE(fs::exists(folder() / "box/001.prompt.md"));
    EXPECT_FALSE(fs::exists(folder() / "run"));
    write("box/001.answer.md", "answer");
    EXPECT_EQ(expect<LlmAnswer>(ask(generation(1), folder() / "box")).text, "answer");
}

TEST_F(LlmMailbox, ANamedFolderWithAnotherRunsLettersIsRefused) {
    expect<LlmPending>(ask(generation(1, "of another run"), folder() / "box"));
    for (const char* answer : {"", "an answer for the other run"}) {
        write("box/001.answer.md", answer);
        const Error error = expect_error(ask(generation(1), folder() / "box"));
        EXPECT_EQ(error.kind, ErrorKind::config);
        EXPECT_NE(error.message.find("001.prompt.md"), std::string::npos);
        EXPECT_TRUE(content(folder() / "box/001.prompt.md").ends_with("of another run"));
    }
}

TEST_F(LlmMailbox, ImagesAreCopiedBesideThePromptAndNamedInIt) {
    LlmRequest request = analysis(1);
    request.images = {write("a.png", "\x89PNG-a"), write("b.png", "\x89PNG-b")};
    expect<LlmPending>(ask(request));
    EXPECT_EQ(content(folder() / "run/mailbox/002.image-1.png"), "\x89PNG-a");
    EXPECT_EQ(content(folder() / "run/mailbox/002.image-2.png"), "\x89PNG-b");
    EXPECT_NE(content(folder() / "run/mailbox/002.prompt.md").find("002.image-1.png, 002.image-2.png"),
              std::string::npos);
}

TEST_F(LlmMailbox, AMissingImageIsAnErrorAndNoPromptIsPosted) {
    LlmRequest request = analysis(1);
    request.images = {folder() / "nowhere.png"};
    EXPECT_EQ(expect_error(ask(request)).kind, ErrorKind::io);
    EXPECT_FALSE(fs::exists(folder() / "run/mailbox/002.prompt.md"));
}

TEST_F(LlmMailbox, AnAnswerThatCannotBeReadIsAnError) {
    fs::create_directories(folder() / "run/mailbox/001.answer.md");
    EXPECT_EQ(expect_error(ask(generation(1))).kind, ErrorKind::io);
}

TEST_F(LlmMailbox, AFolderThatCannotBeMadeIsAnError) {
    write("run", "a file where the run directory should be");
    EXPECT_EQ(expect_error(ask(generation(1))).kind, ErrorKind::io);
}

TEST_F(LlmMailbox, OutsideOfARunItNeedsAFolder) {
    const Llm llm{.name = "mailbox", .provider = "mailbox"};
    const Error error = expect_error(make_provider("mailbox").value()->complete(llm, generation(1), {}));
    EXPECT_EQ(error.kind, ErrorKind::usage);
    EXPECT_NE(error.message.find("mailbox:DIR"), std::string::npos);
}

TEST_F(LlmMailbox, AHugeAnswerArrivesWhole) {
    const std::string huge(5'000'000, 'x');
    write("run/mailbox/001.answer.md", huge);
    EXPECT_EQ(expect<LlmAnswer>(ask(generation(1))).text, huge);
}

}  // namespace
}  // namespace kforge
