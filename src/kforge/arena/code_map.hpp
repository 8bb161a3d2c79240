// CodeMap: whose code lies at an address of a player, from the kernel's list of its mappings. Knows nothing
// of processes: text in, answers out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kforge {

enum class Code {
    own,          // a file that the candidate has written
    generated,    // no file: made at run time, by the candidate or by a library for itself
    library,      // PyTorch, NumPy, anything else that is installed
    interpreter,  // Python, and what it calls foreign functions with
    basic,        // the C library and its kin: works for whoever called it
    waiting,      // OpenMP runtimes: they start threads and wait for them
    unknown       // nothing can execute there
};

// To whom a moment of a thread is credited.
enum class Credit { own, library, none };

class CodeMap {
  public:
    // `maps` is the text of /proc/PID/maps; a file is the candidate's own where `is_own` says so of its path.
    CodeMap() = default;
    CodeMap(std::string_view maps, const std::function<bool(const std::string&)>& is_own);

    Code at(uint64_t address) const;
    // `stack`: the words from the stack pointer upwards. They tell who called a function that works for
    // others; a word that is no code address is passed over.
    Credit credit(uint64_t address, const std::vector<uint64_t>& stack) const;

    struct Range {
        uint64_t begin = 0;
        uint64_t end = 0;
        Code code = Code::unknown;
        uint64_t offset = 0;  // of its beginning in the file
        std::string path;     // without a mark that the file is deleted
    };
    const std::vector<Range>& ranges() const { return m_ranges; }

  private:
    std::vector<Range> m_ranges;  // ascending
};

}  // namespace kforge
