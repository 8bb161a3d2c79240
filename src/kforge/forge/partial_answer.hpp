// PartialAnswer: an answer on disk as it arrives, for who watches a run and for what is left when it is
// killed. A help, not a record: nothing is synced, and a disk that is full is no error here.
#pragma once

#include <chrono>
#include <fstream>
#include <string_view>

#include "kforge/util/fs.hpp"

namespace kforge {

class PartialAnswer {
  public:
    explicit PartialAnswer(fs::path path) : m_path(std::move(path)) {}  // nothing is made before text comes

    void add(std::string_view text);
    void restart();  // what came is void
    void remove();   // the whole answer is stored elsewhere

  private:
    fs::path m_path;
    std::ofstream m_file;
    std::chrono::steady_clock::time_point m_flushed;
};

}  // namespace kforge
