// Auxiliary: files and folders (PATH[@iterations]) that are shown in the prompt and that the candidate may
// import. Texts are read once, when the options are parsed, so that a run shows the same ones throughout.
#pragma once

#include <string>
#include <vector>

#include "kforge/util/fs.hpp"
#include "kforge/util/iteration_set.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

struct AuxiliaryFile {
    std::string path;      // below the folder that holds what the user named: "lib/norm.py"
    std::string content;   // UTF-8
    std::string language;  // of a code fence: "python"; empty where unknown
};

struct AuxiliaryCode {
    std::vector<AuxiliaryFile> files;  // in the order of the options, then by path
    std::vector<std::string> notes;    // what was left out and why
};

class Auxiliary {
  public:
    // Usage errors: a path that is not there, two different paths with one name (only one could be imported),
    // more text than a prompt should carry. Binary and very large files are left out with a note.
    static Result<Auxiliary> parse(const std::vector<std::string>& options);

    // What the arena makes importable.
    std::vector<fs::path> paths_for(int iteration) const;
    // What the prompt shows.
    AuxiliaryCode code_for(int iteration) const;

  private:
    struct Entry {
        fs::path path;
        IterationSet iterations;
        AuxiliaryCode code;
    };
    std::vector<Entry> m_entries;
};

}  // namespace kforge
