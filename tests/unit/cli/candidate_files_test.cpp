#include "kforge/cli/candidate_files.hpp"

#include <gtest/gtest.h>

#include "kforge/util/errors.hpp"
#include "kforge/util/fs.hpp"

namespace kforge {
namespace {

std::string read_back(const std::string& bytes) {
    auto folder = TemporaryDirectory::create(fs::temp_directory_path(), "kforge-candidate-");
    EXPECT_TRUE(folder.ok());
    const fs::path path = folder->path() / "candidate.py";
    EXPECT_TRUE(write_file_durable(path, bytes).ok());
    return read_candidate(path.string());
}

TEST(CandidateFiles, AreReadAsTheyAreWithoutAByteOrderMark) {
    EXPECT_EQ(read_back("x = 1\r\n# \u00e4\n"), "x = 1\r\n# \u00e4\n");
    EXPECT_EQ(read_back("\ufeffimport torch\n"), "import torch\n");
    EXPECT_EQ(read_back("\ufeff"), "");
    EXPECT_EQ(read_back("x = '\ufeff'\n"), "x = '\ufeff'\n");
}

TEST(CandidateFiles, ThatAreNotUtf8AreRefused) {
    EXPECT_THROW(read_back("# -*- coding: latin-1 -*-\nx = '\xe4'\n"), Fatal);
}

}  // namespace
}  // namespace kforge
