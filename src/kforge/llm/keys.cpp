#include "kforge/llm/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "kforge/util/process.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_shortest_masked = 8;  // anything shorter would match ordinary words
constexpr std::chrono::seconds k_key_command_limit{60};
constexpr std::string_view k_key_place = "{key}";

Result<std::string> ask_for_key(const Llm& llm) {
    // One key per command and process: programs that hold keys ask people for passwords.
    static std::mutex mutex;
    static std::map<std::vector<std::string>, std::string> known;
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(llm.key_command); found != known.end()) return found->second;
    ProcessSpec spec;
    spec.argv = llm.key_command;
    spec.environment = inherit_environment({"*"});
    spec.timeout = k_key_command_limit;
    TRY_ASSIGN(const ProcessOutcome ended, run_process(spec));
    // What it printed may hold a key: nothing of it is repeated.
    const std::string key(trim(ended.out));
    if (ended.timed_out || !ended.status.success() || key.empty())
        return Error{ErrorKind::environment,
                     fmt::format("LLM '{}': key_command ({}) gave no key: {}. Run it by hand to see why",
                                 llm.name, llm.key_command[0],
                                 ended.timed_out           ? "it did not end within 60 s"
                                 : !ended.status.success() ? "it ended with " + ended.status.describe()
                                                           : "it printed nothing")};
    known[llm.key_command] = key;
    return key;
}

std::string replace_all(std::string text, std::string_view from, const std::string& to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

}  // namespace

Result<Key> Key::find(const Llm& llm) {
    Key key;
    if (!llm.key_variable.empty()) {
        const Environment found = inherit_environment({llm.key_variable});
        if (!found.empty()) key.m_value = trim(found[0].substr(llm.key_variable.size() + 1));
        key.m_name = llm.key_variable;
        key.m_remedy = "set the environment variable " + llm.key_variable;
        if (key.m_value.empty() && llm.key_command.empty())
            return Error{ErrorKind::environment,
                         fmt::format("LLM '{}' needs a key: {}", llm.name, key.m_remedy)};
    }
    if (key.m_value.empty() && !llm.key_command.empty()) {
        TRY_ASSIGN(key.m_value, ask_for_key(llm));
        key.m_name = "key";
        key.m_remedy = "see that key_command prints a good one";
    }
    if (std::any_of(key.m_value.begin(), key.m_value.end(),
                    [](unsigned char c) { return c <= ' ' || c > '~'; }))
        return Error{ErrorKind::environment,
                     fmt::format("LLM '{}': the key has blanks or other characters that no key has: {}",
                                 llm.name, key.m_remedy)};
    if (key.m_remedy.empty()) key.m_remedy = "name its variable with key_variable in the LLM's table";
    return key;
}

std::uint32_t Key::fingerprint() const {
    std::uint32_t hash = 0x811c9dc5U;  // FNV-1a
    for (const char c : m_value) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193U;
    return hash;
}

std::string Key::put_into(std::string text) const {
    return replace_all(std::move(text), k_key_place, m_value);
}

std::string Key::mask(std::string text) const {
    if (m_value.size() < k_shortest_masked) return text;
    return replace_all(std::move(text), m_value, "[" + m_name + "]");
}

MaskedStream::MaskedStream(const Key& key, std::function<void(std::string_view)> sink)
    : m_key(key), m_sink(std::move(sink)) {}

void MaskedStream::feed(std::string_view piece) {
    if (!m_sink) return;
    const std::string& key = m_key.m_value;
    if (key.size() < k_shortest_masked) {
        m_sink(piece);
        return;
    }
    std::string text = m_key.mask(m_held + std::string(piece));
    size_t held = std::min(text.size(), key.size() - 1);
    while (held > 0 &&
           std::string_view(text).substr(text.size() - held) != std::string_view(key).substr(0, held))
        --held;
    m_held = text.substr(text.size() - held);
    text.resize(text.size() - held);
    if (!text.empty()) m_sink(text);
}

void MaskedStream::finish() {
    if (!m_held.empty() && m_sink) m_sink(m_held);
    m_held.clear();
}

}  // namespace kforge
