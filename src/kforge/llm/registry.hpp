// LlmRegistry: the LLMs a user can name: built-in entries, then [llms.NAME] tables of the configuration
// files, later ones overriding. "provider:argument" names one on the spot: command:PROGRAM, mailbox:DIR,
// replay:DIR.
#pragma once

#include <string>
#include <vector>

#include "kforge/llm/provider.hpp"

namespace kforge {

class LlmRegistry {
  public:
    static LlmRegistry builtin();
    // `toml_text` is the text of a configuration file; only its [llms] table is read here. A table for a
    // known name changes the keys it gives and keeps the others. After an error the registry is as before.
    Result<void> extend(const std::string& toml_text, const fs::path& origin);
    Result<Llm> find(const std::string& name) const;  // unknown: usage error naming the nearest
    const std::vector<Llm>& entries() const { return m_entries; }

  private:
    std::vector<Llm> m_entries;
};

// The entry as an [llms.NAME] table that extend() reads back, with absolute paths: what a run freezes, so
// that it can be resumed where the user's configuration is not.
std::string to_toml(const Llm& llm);

}  // namespace kforge
