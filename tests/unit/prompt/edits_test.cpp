#include "kforge/prompt/edits.hpp"

#include <gtest/gtest.h>

#include "kforge/util/fs.hpp"

namespace kforge {
namespace {

PromptEdits parse(const std::vector<std::string>& appends, const std::vector<std::string>& overrides) {
    Result<PromptEdits> edits = PromptEdits::parse(appends, overrides);
    EXPECT_TRUE(edits.ok()) << (edits.ok() ? "" : edits.error().message);
    return edits.ok() ? *edits : PromptEdits();
}

class EditsWithFiles : public ::testing::Test {
  protected:
    std::string write(const std::string& name, const std::string& text) {
        const fs::path path = folder->path() / name;
        EXPECT_TRUE(write_file_durable(path, text).ok());
        return path.string();
    }
    Result<TemporaryDirectory> folder =
        TemporaryDirectory::create(fs::temp_directory_path(), "kforge-edits-");
};

TEST(Edits, NoEditsChangeNothing) {
    const PromptEdits edits = parse({}, {});
    EXPECT_FALSE(edits.override_for(1));
    EXPECT_TRUE(edits.appends_for(1).empty());
}

TEST(Edits, AppendsApplyToTheirIterationsInOrder) {
    const PromptEdits edits = parse({"all", "later@2-", "only@2"}, {});
    EXPECT_EQ(edits.appends_for(1), std::vector<std::string>({"all"}));
    EXPECT_EQ(edits.appends_for(2), std::vector<std::string>({"all", "later", "only"}));
    EXPECT_EQ(edits.appends_for(3), std::vector<std::string>({"all", "later"}));
}

TEST(Edits, TheLastMatchingOverrideWins) {
    const PromptEdits edits = parse({}, {"general", "special@2-3"});
    EXPECT_EQ(edits.override_for(1), "general");
    EXPECT_EQ(edits.override_for(2), "special");
    EXPECT_EQ(edits.override_for(4), "general");
}

TEST(Edits, AnAtSignInsideTheTextIsText) {
    EXPECT_EQ(parse({"use the @ operator"}, {}).appends_for(1).at(0), "use the @ operator");
    EXPECT_EQ(parse({"ask me@home"}, {}).appends_for(1).at(0), "ask me@home");
}

TEST(Edits, AnEmptyTextOrABadSetIsAUsageError) {
    EXPECT_EQ(PromptEdits::parse({""}, {}).error().kind, ErrorKind::usage);
    EXPECT_EQ(PromptEdits::parse({}, {"  @2"}).error().kind, ErrorKind::usage);
    EXPECT_EQ(PromptEdits::parse({"text@4-2"}, {}).error().kind, ErrorKind::usage);
}

TEST_F(EditsWithFiles, AFileIsReadAtOnce) {
    const std::string file = write("hint.md", "use AVX\n");
    const PromptEdits edits = parse({"@" + file + "@2"}, {"@" + file});
    fs::remove(file);
    EXPECT_TRUE(edits.appends_for(1).empty());
    EXPECT_EQ(edits.appends_for(2).at(0), "use AVX\n");
    EXPECT_EQ(edits.override_for(1), "use AVX\n");
}

TEST_F(EditsWithFiles, AMissingFileIsAUsageErrorThatNamesIt) {
    const Result<PromptEdits> edits = PromptEdits::parse({"@" + folder->path().string() + "/none.md"}, {});
    ASSERT_FALSE(edits.ok());
    EXPECT_EQ(edits.error().kind, ErrorKind::usage);
    EXPECT_NE(edits.error().message.find("none.md"), std::string::npos);
}

TEST_F(EditsWithFiles, FrozenEditsNeedNoFilesAndMeanTheSame) {
    const std::string tricky = "@decorated text@7";
    const auto frozen =
        inline_edit_files({"@" + write("a.md", tricky), "@" + write("b.md", "late") + "@3-", "plain"});
    ASSERT_TRUE(frozen.ok());
    folder = TemporaryDirectory::create(fs::temp_directory_path(), "kforge-edits-");
    const PromptEdits edits = parse(*frozen, {});
    EXPECT_EQ(edits.appends_for(1), std::vector<std::string>({"\n" + tricky, "plain"}));
    EXPECT_EQ(edits.appends_for(3), std::vector<std::string>({"\n" + tricky, "late", "plain"}));
    EXPECT_EQ(*inline_edit_files(*frozen), *frozen);
}

}  // namespace
}  // namespace kforge
