#include "kforge/arena/worker.hpp"

#include <gtest/gtest.h>

#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

using nlohmann::json;

class WorkerTest : public ::testing::Test {
  protected:
    ~WorkerTest() override { set_interrupted_for_test(false); }

    static Worker start(const std::string& role = "referee") {
        Result<Worker> worker =
            Worker::start({"python3", fs::path(KFORGE_SOURCE_DIR) / "tests/unit/arena/fake", role,
                           inherit_environment({"PATH"})});
        EXPECT_TRUE(worker.ok()) << worker.error().message;
        return std::move(worker).value();
    }
    static Error failure(Worker& worker, const json& request, double limit_s = 20) {
        const Result<Message> reply = worker.call(request, {}, limit_s);
        EXPECT_FALSE(reply.ok());
        return reply.ok() ? Error{ErrorKind::internal, "it answered"} : reply.error();
    }
};

TEST_F(WorkerTest, AnswersAndSendsDescriptors) {
    Worker worker = start();
    const Result<Message> reply = worker.call({{"op", "load"}});
    ASSERT_TRUE(reply.ok()) << reply.error().message;
    EXPECT_EQ(reply->body["threads"], 1);
    EXPECT_EQ(reply->fds.size(), 4u);
}

TEST_F(WorkerTest, OthersAreForkedFromTheNurseryAndEndWithTheirOwner) {
    Worker nursery = start("nursery");
    {
        Result<Worker> forked = Worker::branch(nursery, "referee");
        ASSERT_TRUE(forked.ok()) << forked.error().message;
        EXPECT_NE(forked->pid(), nursery.pid());
        EXPECT_EQ(forked->call({{"op", "load"}})->body["threads"], 1);
        EXPECT_NE(failure(*forked, {{"op", "end"}, {"words", "last words"}}).message.find("last words"),
                  std::string::npos);
    }
    Result<Worker> another = Worker::branch(nursery, "baseline");
    ASSERT_TRUE(another.ok()) << another.error().message;
    const pid_t pid = another->pid();
    *another = Worker();
    const Result<std::string> status = read_file("/proc/" + std::to_string(pid) + "/stat");
    EXPECT_TRUE(!status.ok() || status->find(") Z ") != std::string::npos) << "it was killed";
}

TEST_F(WorkerTest, SeveralRequestsMayBePostedAndCollected) {
    Worker worker = start("baseline");
    for (int i = 0; i < 3; ++i)
        ASSERT_TRUE(worker.post({{"op", "reply"}, {"reply", {{"ok", true}, {"n", i}}}}).ok());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(worker.collect()->body["n"], i);
}

TEST_F(WorkerTest, WhoseFaultAFailureIsFollowsFromItsKind) {
    Worker worker = start();
    const auto kind_of = [&](const char* kind) {
        return failure(
            worker, {{"op", "reply"},
                     {"reply", {{"ok", false}, {"kind", kind}, {"message", "the words"}, {"detail", "d"}}}});
    };
    EXPECT_EQ(kind_of("ProblemError").kind, ErrorKind::config);
    EXPECT_EQ(kind_of("ProblemError").message, "the words");
    EXPECT_EQ(kind_of("RenderError").kind, ErrorKind::config);
    for (const char* kind : {"MachineError", "DeviceError", "OutOfMemoryError", "AcceleratorError"})
        EXPECT_EQ(kind_of(kind).kind, ErrorKind::environment) << kind;
    EXPECT_EQ(kind_of("KeyError").kind, ErrorKind::internal);
    EXPECT_NE(kind_of("KeyError").message.find("KeyError: the words"), std::string::npos);
    EXPECT_TRUE(worker.call({{"op", "vet"}}).ok()) << "it lives on";
}

TEST_F(WorkerTest, ADeadWorkerIsToldWithItsLastWords) {
    Worker worker = start();
    const Error error = failure(worker, {{"op", "end"}, {"words", "it was the disk"}});
    EXPECT_EQ(error.kind, ErrorKind::process);
    EXPECT_NE(error.message.find("referee"), std::string::npos);
    EXPECT_NE(error.message.find("it was the disk"), std::string::npos);
    EXPECT_EQ(failure(worker, {{"op", "vet"}}).kind, ErrorKind::process) << "and stays dead";
}

TEST_F(WorkerTest, AMissingPackageIsAMatterOfTheMachine) {
    Worker worker = start();
    const Error error =
        failure(worker, {{"op", "end"}, {"words", "ModuleNotFoundError: No module named 'torch'"}});
    EXPECT_EQ(error.kind, ErrorKind::environment);
    EXPECT_NE(error.message.find("No module named 'torch'"), std::string::npos);
    EXPECT_NE(error.message.find("--python"), std::string::npos);
}

TEST_F(WorkerTest, AWorkerThatHangsIsEnded) {
    Worker worker = start();
    const Error error = failure(worker, {{"op", "hang"}}, 0.2);
    EXPECT_EQ(error.kind, ErrorKind::process);
    EXPECT_NE(error.message.find("too slow"), std::string::npos);
}

TEST_F(WorkerTest, AnInterruptEndsTheWait) {
    Worker worker = start();
    set_interrupted_for_test(true);
    EXPECT_EQ(failure(worker, {{"op", "hang"}}).kind, ErrorKind::cancelled);
}

TEST_F(WorkerTest, APythonThatIsNoneIsNamed) {
    const Result<Worker> worker = Worker::start({"/no/such/python", "/nowhere", "referee", {}});
    ASSERT_FALSE(worker.ok());
    EXPECT_EQ(worker.error().kind, ErrorKind::environment);
    EXPECT_NE(worker.error().message.find("/no/such/python"), std::string::npos);
}

}  // namespace
}  // namespace kforge
