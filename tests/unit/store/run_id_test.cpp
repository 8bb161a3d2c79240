#include "kforge/store/run_id.hpp"

#include <regex>
#include <set>

#include "store_support.hpp"

namespace kforge {
namespace {

TEST(NewRunId, IsReadableAndSortable) {
    const std::string id = new_run_id("softmax", "cpu-cpp");
    EXPECT_TRUE(std::regex_match(id, std::regex(R"(20\d{6}-\d{6}-softmax-cpu-cpp-[0-9a-f]{4})"))) << id;
}

TEST(NewRunId, MakesAnyNameSafeForAFolder) {
    const std::string id = new_run_id("../my problem/\xC3\xA9!", "a/b");
    EXPECT_EQ(id.find('/'), std::string::npos);
    expect_contains(id, "-my-problem-a-b-");
    expect_contains(new_run_id("???", "cpu"), "-run-cpu-");
    EXPECT_LT(new_run_id(std::string(1000, 'x'), "cpu").size(), 100u);
}

TEST(NewRunId, IsDifferentEachTime) {
    std::set<std::string> ids;
    for (int i = 0; i < 20; ++i) ids.insert(new_run_id("softmax", "cpu-cpp"));
    EXPECT_GE(ids.size(), 19u);  // four random digits within one second
}

class FindRuns : public StoreTest {};

TEST_F(FindRuns, GivesTheLastStartedFirstAndPassesOverTheRest) {
    const auto make = [&](const std::string& name, const std::string& time) {
        const std::string line = R"({"seq":1,"time":")" + time +
                                 R"(","event":"run_started","format":"kforge-run","version":1})"
                                 "\n";
        ASSERT_TRUE(write_file_durable(path() / name / "journal.jsonl", line).ok());
    };
    make("b", "2026-11-15T04:00:00.000Z");
    make("campaign/a", "2026-11-15T05:00:00.000Z");
    make("c", "2026-11-14T04:00:00.000Z");
    make("b/iterations/01/nested", "2026-11-16T04:00:00.000Z");  // inside a run: not looked at
    ASSERT_TRUE(write_file_durable(path() / "foreign/journal.jsonl", "hello\n").ok());
    ASSERT_TRUE(write_file_durable(path() / "torn/journal.jsonl", "{\"seq\":1").ok());
    fs::create_directories(path() / "empty");
    EXPECT_EQ(find_runs(path()), (std::vector{path() / "campaign/a", path() / "b", path() / "c"}));
    EXPECT_EQ(find_runs(path() / "c"), (std::vector{path() / "c"}));
    EXPECT_TRUE(find_runs(path() / "absent").empty());
}

}  // namespace
}  // namespace kforge
