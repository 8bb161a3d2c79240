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

}  // namespace
}  // namespace kforge
