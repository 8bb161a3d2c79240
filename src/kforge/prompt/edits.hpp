// PromptEdits: what the user adds to the generation prompt or puts in its place, for all iterations or some.
// An option is TEXT or @FILE, with @iterations behind it where it is not for all: "@hint.md@2-4".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kforge/util/iteration_set.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

class PromptEdits {
  public:
    // Reads the files at once. A missing file, an empty text or a bad set of iterations is a usage error.
    static Result<PromptEdits> parse(const std::vector<std::string>& appends,
                                     const std::vector<std::string>& overrides);

    // A Jinja2 template that replaces generation.md.j2; of several that match the last one wins.
    std::optional<std::string> override_for(int iteration) const;
    // Literal texts, to be put behind the prompt in this order.
    std::vector<std::string> appends_for(int iteration) const;

  private:
    std::vector<Selected> m_appends;
    std::vector<Selected> m_overrides;
};

// The same options with the text of every file in place of its name: what a run freezes, so that it can be
// resumed where the files are not.
Result<std::vector<std::string>> inline_edit_files(const std::vector<std::string>& options);

}  // namespace kforge
