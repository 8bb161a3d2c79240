#include "kforge/llm/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "kforge/llm/builtin.hpp"
#include "kforge/llm/entry_toml.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

template <typename Entries>
auto find_entry(Entries& entries, std::string_view name) {
    return std::find_if(entries.begin(), entries.end(), [&](const Llm& llm) { return llm.name == name; });
}

// A new entry of that provider, with the provider's defaults.
Result<Llm> fresh_entry(const std::string& name, const std::string& provider, const std::string& argument) {
    Llm llm;
    llm.name = name;
    llm.provider = provider;
    TRY_ASSIGN(const std::unique_ptr<Provider> maker, make_provider(provider));
    TRY(maker->configure(llm, argument));
    return llm;
}

Result<void> check_entry(Llm& llm) {
    TRY_ASSIGN(const std::unique_ptr<Provider> provider, make_provider(llm.provider));
    provider->settle(llm);
    return provider->check(llm);
}

// The entry `name` as `table` has it, on top of the `known` one, if any. Another provider starts afresh: the
// old one's address and limits mean nothing to it.
Result<Llm> read_llm(const std::string& name, const toml::table& table, const fs::path& folder,
                     const Llm* known) {
    const std::string provider =
        table["provider"].value_or(known != nullptr ? known->provider : std::string());
    if (provider.empty())
        return Error{ErrorKind::config, fmt::format("line {}: provider is missing; the providers are {}",
                                                    table.source().begin.line, join(provider_names(), ", "))};
    Llm llm;
    if (known != nullptr && known->provider == provider) {
        llm = *known;
    } else {
        TRY_ASSIGN(llm, fresh_entry(name, provider, ""));
    }
    TRY(read_entry(table, folder, llm));
    TRY(check_entry(llm));
    return llm;
}

Error unknown_llm(const std::string& name, const std::vector<Llm>& entries) {
    std::vector<std::string> known = provider_names();
    for (const Llm& llm : entries)
        if (std::find(known.begin(), known.end(), llm.name) == known.end()) known.push_back(llm.name);
    const std::string near = nearest(std::string_view(name).substr(0, name.find(':')), known);
    return Error{
        ErrorKind::usage,
        fmt::format("there is no LLM '{}'{}; kforge llms lists those that are, [llms.NAME] in kforge.toml "
                    "adds one, and PROVIDER:ARGUMENT (providers: {}) names one on the spot",
                    name, near.empty() ? "" : " (did you mean " + near + "?)", join(provider_names(), ", "))};
}

}  // namespace

LlmRegistry LlmRegistry::builtin() {
    LlmRegistry registry;
    registry.m_entries = builtin_llms();
    // A provider knows its own address best.
    for (Llm& llm : registry.m_entries)
        if (const Result<Llm> fresh = fresh_entry(llm.name, llm.provider, "");
            fresh.ok() && llm.base_url.empty())
            llm.base_url = fresh.value().base_url;
    return registry;
}

Result<void> LlmRegistry::extend(const std::string& toml_text, const fs::path& origin) {
    toml::table file;
    try {
        file = toml::parse(toml_text);
    } catch (const toml::parse_error& e) {
        return Error{ErrorKind::config,
                     fmt::format("{}: line {}: {}", origin.string(), e.source().begin.line, e.description())};
    }
    const toml::node* llms = file.get("llms");
    if (llms == nullptr) return {};
    if (!llms->is_table())
        return Error{ErrorKind::config,
                     fmt::format("{}: llms must hold tables: [llms.NAME]", origin.string())};

    std::vector<Llm> entries = m_entries;
    for (const auto& [key, node] : *llms->as_table()) {
        const std::string name(key.str());
        const std::string context = fmt::format("{}: [llms.{}]", origin.string(), name);
        if (!node.is_table())
            return Error{ErrorKind::config,
                         fmt::format("{}: line {}: must be a table", context, node.source().begin.line)};
        const auto known = find_entry(entries, name);
        Result<Llm> llm = read_llm(name, *node.as_table(), origin.parent_path(),
                                   known == entries.end() ? nullptr : &*known);
        if (!llm.ok()) return llm.error().within(context);
        llm->origin = origin.string();
        if (known == entries.end())
            entries.push_back(*llm);
        else
            *known = *llm;
    }
    m_entries = std::move(entries);
    return {};
}

Result<Llm> LlmRegistry::find(const std::string& name) const {
    if (name.empty())
        return Error{ErrorKind::usage, "no LLM is named: say --llm NAME; kforge llms lists them"};
    if (const auto entry = find_entry(m_entries, name); entry != m_entries.end()) return *entry;

    const size_t colon = name.find(':');
    const std::string provider = name.substr(0, colon);
    const std::vector<std::string> providers = provider_names();
    if (std::find(providers.begin(), providers.end(), provider) == providers.end())
        return unknown_llm(name, m_entries);
    TRY_ASSIGN(Llm llm,
               fresh_entry(name, provider, colon == std::string::npos ? "" : name.substr(colon + 1)));
    llm.origin = "named on the spot";
    TRY(check_entry(llm));
    return llm;
}

std::string to_toml(const Llm& llm) {
    std::ostringstream text;
    text << toml::table{{"llms", toml::table{{llm.name, write_entry(llm)}}}};
    return text.str() + "\n";
}

}  // namespace kforge
