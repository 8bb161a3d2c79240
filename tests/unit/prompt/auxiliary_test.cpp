#include "kforge/prompt/auxiliary.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

class AuxiliaryCodeTest : public ::testing::Test {
  protected:
    std::string write(const std::string& name, const std::string& text) {
        EXPECT_TRUE(write_file_durable(folder->path() / name, text).ok());
        return at(name);
    }
    std::string at(const std::string& name) const { return (folder->path() / name).string(); }

    static Auxiliary parse(const std::vector<std::string>& options) {
        Result<Auxiliary> auxiliary = Auxiliary::parse(options);
        EXPECT_TRUE(auxiliary.ok()) << (auxiliary.ok() ? "" : auxiliary.error().message);
        return auxiliary.ok() ? *auxiliary : Auxiliary();
    }
    static std::vector<std::string> names(const AuxiliaryCode& code) {
        std::vector<std::string> found;
        for (const AuxiliaryFile& file : code.files) found.push_back(file.path);
        return found;
    }
    static Error error_of(const std::vector<std::string>& options) {
        Result<Auxiliary> auxiliary = Auxiliary::parse(options);
        EXPECT_FALSE(auxiliary.ok());
        return auxiliary.ok() ? Error{ErrorKind::internal, ""} : auxiliary.error();
    }
    Result<TemporaryDirectory> folder = TemporaryDirectory::create(fs::temp_directory_path(), "kforge-aux-");
};

TEST_F(AuxiliaryCodeTest, AFileIsShownByItsNameWithItsLanguage) {
    const AuxiliaryCode code = parse({write("norm.py", "x = 1\n")}).code_for(1);
    ASSERT_EQ(code.files.size(), 1u);
    EXPECT_EQ(code.files[0].path, "norm.py");
    EXPECT_EQ(code.files[0].content, "x = 1\n");
    EXPECT_EQ(code.files[0].language, "python");
}

TEST_F(AuxiliaryCodeTest, AFolderIsReadInOrderWithoutNoise) {
    write("lib/b.cuh", "");
    write("lib/a.py", "");
    write("lib/sub/c.h", "");
    write("lib/.git/config", "");
    write("lib/__pycache__/a.pyc", "");
    EXPECT_EQ(names(parse({at("lib")}).code_for(1)),
              std::vector<std::string>({"lib/a.py", "lib/b.cuh", "lib/sub/c.h"}));
    EXPECT_EQ(names(parse({at("lib") + "/"}).code_for(1)).size(), 3u);
}

TEST_F(AuxiliaryCodeTest, IterationsSelect) {
    const Auxiliary auxiliary = parse({write("a.py", ""), write("b.py", "") + "@2-3", at("a.py") + "@3"});
    EXPECT_EQ(names(auxiliary.code_for(1)), std::vector<std::string>({"a.py"}));
    EXPECT_EQ(names(auxiliary.code_for(3)), std::vector<std::string>({"a.py", "b.py"}));
    EXPECT_EQ(auxiliary.paths_for(1).size(), 1u);
    EXPECT_EQ(auxiliary.paths_for(3).size(), 2u);
}

TEST_F(AuxiliaryCodeTest, BinaryAndHugeFilesAreLeftOutWithANote) {
    write("lib/a.o", std::string("\x7F"
                                 "ELF\0\0",
                                 6));
    write("lib/latin.txt", "caf\xE9");
    write("lib/huge.json", std::string(100 << 10, 'x'));
    write("lib/ok.py", "");
    const Auxiliary auxiliary = parse({at("lib")});
    const AuxiliaryCode code = auxiliary.code_for(1);
    EXPECT_EQ(names(code), std::vector<std::string>({"lib/ok.py"}));
    EXPECT_EQ(code.notes, std::vector<std::string>({"not shown, binary: lib/a.o, lib/latin.txt",
                                                    "not shown, larger than 64 KB: lib/huge.json"}));
    EXPECT_EQ(auxiliary.paths_for(1).size(), 1u);
}

TEST_F(AuxiliaryCodeTest, TooMuchTextIsAUsageError) {
    for (int i = 0; i < 6; ++i) write("lib/" + std::to_string(i) + ".py", std::string(60 << 10, '#'));
    const Error error = error_of({at("lib")});
    EXPECT_EQ(error.kind, ErrorKind::usage);
    EXPECT_NE(error.message.find("more than the 256 KB"), std::string::npos);
}

TEST_F(AuxiliaryCodeTest, AMissingPathIsAUsageErrorThatNamesIt) {
    const Error error = error_of({at("none.py")});
    EXPECT_EQ(error.kind, ErrorKind::usage);
    EXPECT_NE(error.message.find("none.py"), std::string::npos);
}

TEST_F(AuxiliaryCodeTest, TwoPathsOfOneNameAreAUsageError) {
    const Error error = error_of({write("a/util.py", ""), write("b/util.py", "")});
    EXPECT_EQ(error.kind, ErrorKind::usage);
    EXPECT_NE(error.message.find("same name"), std::string::npos);
}

TEST_F(AuxiliaryCodeTest, ASpecialFileIsNeverRead) {
    EXPECT_TRUE(parse({"/dev/zero"}).code_for(1).files.empty());
}

}  // namespace
}  // namespace kforge
