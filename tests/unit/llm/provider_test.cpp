#include "kforge/llm/provider.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kforge {
namespace {

TEST(LlmProviderTable, EveryRowHasItsOwnNameAOneLineHelpAndAFactory) {
    std::set<std::string> names;
    for (const ProviderRow& row : provider_table()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_FALSE(row.help.empty()) << row.name;
        EXPECT_EQ(row.help.find('\n'), std::string::npos) << row.name;
        EXPECT_NE(row.make(), nullptr) << row.name;
        EXPECT_TRUE(make_provider(row.name).ok()) << row.name;
    }
    EXPECT_EQ(provider_names().size(), names.size());
}

TEST(LlmProviderTable, UnknownProviderIsAConfigErrorThatListsAll) {
    const auto provider = make_provider("telepathy");
    ASSERT_FALSE(provider.ok());
    EXPECT_EQ(provider.error().kind, ErrorKind::config);
    for (const std::string& name : provider_names())
        EXPECT_NE(provider.error().message.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace kforge
