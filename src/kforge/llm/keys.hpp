// The key of an LLM: where it comes from, and how it stays out of everything but a request's header.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "kforge/llm/provider.hpp"

namespace kforge {

class Key {
  public:
    // From the environment (`key_variable`), else from `key_command`, which runs without a shell, once per
    // process. An entry that names neither has an empty key. A key that is named but not there is an
    // environment error that says what to set.
    static Result<Key> find(const Llm& llm);

    bool empty() const { return m_value.empty(); }
    // `text` with every {key} replaced: for headers, and nothing else.
    std::string put_into(std::string text) const;
    // `text` without the key: for everything that is shown or stored.
    std::string mask(std::string text) const;
    // Enough to tell a person's keys apart, the same in every process, and far too little to find one out.
    std::uint32_t fingerprint() const;
    // How the user would mend it: "set NAME", "see key_command".
    const std::string& remedy() const { return m_remedy; }

  private:
    friend class MaskedStream;
    std::string m_value;
    std::string m_name;
    std::string m_remedy;
};

// Passes pieces on without the key, wherever it is cut: the start of a possible key is held back until more
// comes.
class MaskedStream {
  public:
    MaskedStream(const Key& key, std::function<void(std::string_view)> sink);
    void feed(std::string_view piece);
    void finish();

  private:
    const Key& m_key;
    std::function<void(std::string_view)> m_sink;
    std::string m_held;
};

}  // namespace kforge
