#include <cstdlib>
#include <thread>

#include "kforge/util/interrupt.hpp"
#include "llm_test.hpp"

namespace kforge {
namespace {

class LlmCommand : public LlmTest {
  protected:
    void TearDown() override { set_interrupted_for_test(false); }

    Result<LlmOutcome> run(std::vector<std::string> argv, const LlmRequest& request = generation(1)) {
        Llm llm{.name = "mine", .provider = "command", .command = std::move(argv)};
        llm.timeout_s = m_timeout_s;
        return make_provider("command").value()->complete(llm, request, {.run_directory = folder()});
    }
    Result<LlmOutcome> run_script(const std::string& script, const LlmRequest& request = generation(1)) {
        return run({program("ask", script).string()}, request);
    }
    int m_timeout_s = 60;
};

TEST_F(LlmCommand, GetsSystemTextABlankLineAndThePromptOnStandardInput) {
    const auto answer = expect<LlmAnswer>(run_script("cat"));
    EXPECT_EQ(answer.text, "You write kernels.\n\nWrite a kernel.");
    EXPECT_TRUE(answer.usage.estimated);
    EXPECT_FALSE(answer.truncated);
    LlmRequest request = generation(1);
    request.system.clear();
    EXPECT_EQ(expect<LlmAnswer>(run_script("cat", request)).text, "Write a kernel.");
}

TEST_F(LlmCommand, GetsItsArgumentsUntouched) {
    const fs::path ask = program("ask", "printf '%s|' \"$@\"");
    EXPECT_EQ(expect<LlmAnswer>(run({ask.string(), "a b", "$HOME", "*"})).text, "a b|$HOME|*|");
}

TEST_F(LlmCommand, GetsTheUsersEnvironmentAndWhatTheCallIsAbout) {
    ::setenv("KFORGE_TEST_SETTING", "from the user", 1);
    ::setenv("KFORGE_AGENT", "left over", 1);
    LlmRequest request = analysis(4);
    request.images = {folder() / "a.png", folder() / "b.png"};
    const auto answer = expect<LlmAnswer>(run_script(
        "echo \"$KFORGE_TEST_SETTING|$KFORGE_AGENT|$KFORGE_ITERATION|$KFORGE_RUN_DIR|$KFORGE_IMAGES\"",
        request));
    ::unsetenv("KFORGE_TEST_SETTING");
    ::unsetenv("KFORGE_AGENT");
    const std::string dir = folder().string();
    EXPECT_EQ(answer.text, "from the user|analysis|4|" + dir + "|" + dir + "/a.png:" + dir + "/b.png\n");
}

TEST_F(LlmCommand, AVariableOfOursStandsInTheEnvironmentOnce) {
    ::setenv("KFORGE_AGENT", "left over", 1);
    const std::string variables = "\n" + expect<LlmAnswer>(run({"env"})).text;
    ::unsetenv("KFORGE_AGENT");
    EXPECT_NE(variables.find("\nKFORGE_AGENT=generation\n"), std::string::npos);
    EXPECT_EQ(variables.find("left over"), std::string::npos);
}

TEST_F(LlmCommand, FailureIsNetworkWithTheLastLinesOfStandardError) {
    const auto failure = expect<LlmFailure>(
        run_script("i=1; while [ $i -le 30 ]; do echo line-$i- >&2; i=$((i+1)); done; exit 3"));
    EXPECT_EQ(failure.reason, "network");
    EXPECT_NE(failure.message.find("exit status 3"), std::string::npos) << failure.message;
    EXPECT_NE(failure.message.find("line-30-"), std::string::npos);
    EXPECT_EQ(failure.message.find("line-20-"), std::string::npos);
}

TEST_F(LlmCommand, TextBeforeAFailureIsNoAnswer) {
    expect<LlmFailure>(run_script("echo half an answer; exit 1"));
}

TEST_F(LlmCommand, DeathBySignalIsNetwork) {
    const auto failure = expect<LlmFailure>(run_script("kill -SEGV $$"));
    EXPECT_EQ(failure.reason, "network");
    EXPECT_NE(failure.message.find("signal 11"), std::string::npos) << failure.message;
}

TEST_F(LlmCommand, BlankOutputIsEmpty) {
    for (const char* script : {"true", "echo; echo"}) {
        const auto failure = expect<LlmFailure>(run_script(script));
        EXPECT_EQ(failure.reason, "empty");
    }
    EXPECT_NE(expect<LlmFailure>(run_script("echo warned >&2")).message.find("warned"), std::string::npos);
}

TEST_F(LlmCommand, ExitStatus75MeansNotYet) {
    const auto pending = expect<LlmPending>(run_script("echo queued as job 17 >&2; exit 75"));
    EXPECT_NE(pending.message.find("queued as job 17"), std::string::npos);
}

TEST_F(LlmCommand, TimeoutIsNetwork) {
    m_timeout_s = 1;
    const auto failure = expect<LlmFailure>(run_script("echo some; echo waiting >&2; exec sleep 600"));
    EXPECT_EQ(failure.reason, "network");
    EXPECT_NE(failure.message.find("within 1 s"), std::string::npos) << failure.message;
    EXPECT_NE(failure.message.find("waiting"), std::string::npos);
}

TEST_F(LlmCommand, AProgramThatCannotBeStartedIsAnEnvironmentErrorThatNamesLlmAndProgram) {
    for (const std::string program : {"no-such-program-of-kforge", "/nowhere/ask"}) {
        const Error error = expect_error(run({program}));
        EXPECT_EQ(error.kind, ErrorKind::environment);
        EXPECT_NE(error.message.find("mine"), std::string::npos) << error.message;
        EXPECT_NE(error.message.find(program), std::string::npos) << error.message;
    }
}

TEST_F(LlmCommand, AfterAnInterruptTheProgramIsNotStarted) {
    set_interrupted_for_test(true);
    const fs::path trace = folder() / "trace";
    EXPECT_EQ(expect_error(run_script("touch " + trace.string() + "; echo answer")).kind,
              ErrorKind::cancelled);
    EXPECT_FALSE(fs::exists(trace));
}

TEST_F(LlmCommand, AnInterruptEndsACallUnderWay) {
    const std::string started = (folder() / "started").string();
    ASSERT_EQ(std::system(("mkfifo " + started).c_str()), 0);
    std::thread user([&] {
        content(started);  // returns when the program has opened and closed the pipe
        set_interrupted_for_test(true);
    });
    const Error error = expect_error(run_script("echo > " + started + "; exec sleep 600"));
    user.join();
    EXPECT_EQ(error.kind, ErrorKind::cancelled);
}

TEST_F(LlmCommand, AHugeAnswerArrivesWhole) {
    const auto answer = expect<LlmAnswer>(run_script("head -c 5000000 /dev/zero | tr '\\0' x"));
    EXPECT_EQ(answer.text.size(), 5'000'000u);
    EXPECT_EQ(answer.usage.output_tokens, 1'250'000);
    EXPECT_FALSE(answer.truncated);
}

TEST_F(LlmCommand, AProgramThatReadsNothingOfAHugePromptStillAnswers) {
    EXPECT_EQ(expect<LlmAnswer>(run_script("echo answer", generation(1, std::string(5'000'000, 'x')))).text,
              "answer\n");
}

TEST_F(LlmCommand, InvalidUtf8AndCrlfAreCleaned) {
    EXPECT_EQ(expect<LlmAnswer>(run_script("printf 'a\\r\\nb\\377c\\033[31md\\r\\n'")).text,
              "a\nb\xEF\xBF\xBD"
              "cd\n");
}

TEST_F(LlmCommand, KeysInStandardErrorAreNotRepeated) {
    ::setenv("KFORGE_TEST_KEY", "sk-secret-0123456789", 1);
    const auto failure = expect<LlmFailure>(run_script("echo \"401 for $KFORGE_TEST_KEY\" >&2; exit 1"));
    ::unsetenv("KFORGE_TEST_KEY");
    EXPECT_EQ(failure.message.find("sk-secret"), std::string::npos);
    EXPECT_NE(failure.message.find("401 for [KFORGE_TEST_KEY]"), std::string::npos) << failure.message;
}

TEST_F(LlmCommand, OneProviderServesSeveralThreads) {
    const Llm llm{.name = "mine",
                  .provider = "command",
                  .command = {program("ask", "echo $KFORGE_ITERATION").string()}};
    const std::unique_ptr<Provider> provider = make_provider("command").value();
    std::vector<std::string> answers(4);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            answers[i] =
                expect<LlmAnswer>(provider->complete(llm, generation(i), {.run_directory = folder()})).text;
        });
    for (std::thread& thread : threads) thread.join();
    for (int i = 0; i < 4; ++i) EXPECT_EQ(answers[i], std::to_string(i) + "\n");
}

}  // namespace
}  // namespace kforge
