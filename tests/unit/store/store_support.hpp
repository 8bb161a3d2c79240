// A run in a temporary folder, and its journal as text.
#pragma once

#include <gtest/gtest.h>

#include "kforge/store/run_directory.hpp"

namespace kforge {

class StoreTest : public ::testing::Test {
  protected:
    StoreTest() : m_folder(TemporaryDirectory::create(::testing::TempDir(), "kf-store-")) {}

    fs::path path() const { return m_folder->path() / "run"; }
    fs::path journal() const { return path() / "journal.jsonl"; }
    std::string journal_text() const { return read_file(journal()).value_or(""); }
    void set_journal(const std::string& text) const { ASSERT_TRUE(write_file_durable(journal(), text).ok()); }

    std::unique_ptr<RunDirectory> create() const {
        auto run = RunDirectory::create(path(), "seed = 1\n", "class Model: pass\n");
        EXPECT_TRUE(run.ok()) << run.error().message;
        return std::move(run).value();
    }
    std::unique_ptr<RunDirectory> open() const {
        auto run = RunDirectory::open(path());
        EXPECT_TRUE(run.ok()) << run.error().message;
        return std::move(run).value();
    }
    Error open_error() const {
        auto run = RunDirectory::open(path());
        EXPECT_FALSE(run.ok());
        return run.ok() ? Error{ErrorKind::internal, "it opened"} : run.error();
    }

  private:
    Result<TemporaryDirectory> m_folder;
};

inline void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

}  // namespace kforge
