#include "kforge/jail/inside/open_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

namespace kforge::jail {

OpenFiles::OpenFiles(const std::string& table) : m_table(open(table.c_str(), O_RDONLY | O_CLOEXEC)) {
    const Table now = read();
    m_most = now.most;
    m_enough = now.open + (now.most > now.open ? (now.most - now.open) / 4 : 0);
}

OpenFiles::~OpenFiles() {
    if (m_table >= 0) close(m_table);
}

OpenFiles::Table OpenFiles::read() const {
    Table table;
    char text[96] = {};
    if (m_table >= 0 && pread(m_table, text, sizeof text - 1, 0) > 0)
        std::sscanf(text, "%" SCNu64 " %*u %" SCNu64, &table.open, &table.most);
    return table;
}

bool OpenFiles::are_filling_up() const {
    return m_most > 0 && read().open > m_enough;
}

uint64_t mapped_files(const std::string& folder, uint64_t enough) {
    uint64_t count = 0;
    FILE* maps = std::fopen((folder + "/maps").c_str(), "re");
    if (maps == nullptr) return 0;
    char* line = nullptr;
    size_t room = 0;
    while (count <= enough && getline(&line, &room, maps) > 0) {
        uint64_t inode = 0;
        if (std::sscanf(line, "%*s %*s %*s %*s %" SCNu64, &inode) == 1 && inode != 0) ++count;
    }
    std::free(line);
    std::fclose(maps);
    return count;
}

}  // namespace kforge::jail
