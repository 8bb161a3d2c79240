// The machine's table of open files, which all accounts share: whether a player is the one that fills it up.
// A mapping holds its file open, and no limit of the kernel counts it. Cheap as long as there is room.
#pragma once

#include <cstdint>
#include <string>

#pragma GCC visibility push(hidden)
namespace kforge::jail {

class OpenFiles {
  public:
    // `table`: /proc/sys/fs/file-nr. Where it cannot be read nothing is watched.
    explicit OpenFiles(const std::string& table);
    ~OpenFiles();
    OpenFiles(const OpenFiles&) = delete;
    OpenFiles& operator=(const OpenFiles&) = delete;

    // Whether more is open than a quarter of what there was room for in the beginning, by whomever.
    bool are_filling_up() const;
    // What one player may hold then.
    uint64_t share() const { return m_most / 32; }

  private:
    struct Table {
        uint64_t open = 0, most = 0;
    };
    Table read() const;

    int m_table = -1;
    uint64_t m_most = 0;
    uint64_t m_enough = 0;  // that many may be open
};

// The mappings of files that a process has, by its folder in /proc; no further than to `enough`.
uint64_t mapped_files(const std::string& folder, uint64_t enough);

}  // namespace kforge::jail
#pragma GCC visibility pop
