#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/guard/guard.hpp"
#include "kforge/util/text.hpp"

namespace kforge {

namespace {

const std::vector<std::string> k_keys = {"name",  "pattern",  "unless", "lifted_by",
                                         "scope", "required", "why",    "precisions"};

constexpr size_t k_longest_shown_pattern = 80;  // of a ban: the line that breaks it says more

std::string shown(const std::string& pattern) {
    if (pattern.size() <= k_longest_shown_pattern) return pattern;
    return sanitize(pattern.substr(0, k_longest_shown_pattern)) + "...";
}

struct ScopeName {
    GuardScope scope;
    const char* name;
};
constexpr ScopeName k_scopes[] = {{GuardScope::code, "code"},
                                  {GuardScope::python, "python"},
                                  {GuardScope::kernels, "kernels"},
                                  {GuardScope::anywhere, "anywhere"}};

const char* to_string(GuardScope scope) {
    for (const ScopeName& entry : k_scopes)
        if (entry.scope == scope) return entry.name;
    return "";
}

// One [[guard]] table on its way to a rule; every error names its line.
class RuleReader {
  public:
    RuleReader(const toml::table& table, const std::string& origin) : m_table(table), m_origin(origin) {}

    Result<GuardRule> read() const {
        for (const auto& [key, node] : m_table)
            if (std::find(k_keys.begin(), k_keys.end(), key.str()) == k_keys.end())
                return unknown_key(std::string(key.str()), node);
        GuardRule rule;
        rule.origin = m_origin;
        TRY_ASSIGN(rule.name, text("name", true));
        TRY_ASSIGN(rule.pattern, text("pattern", true));
        TRY_ASSIGN(rule.unless, text("unless", false));
        TRY_ASSIGN(rule.lifted_by, text("lifted_by", false));
        TRY_ASSIGN(rule.why, text("why", true));
        TRY_ASSIGN(rule.scope, scope());
        TRY_ASSIGN(rule.required, flag("required"));
        TRY_ASSIGN(rule.precisions, precisions());
        if (rule.required && !rule.unless.empty())
            return fail(m_table, "'unless' belongs to a ban, not to a required pattern");
        return rule;
    }

  private:
    Error fail(const toml::node& node, const std::string& what) const {
        return Error{ErrorKind::config,
                     fmt::format("{}: line {}: [[guard]] {}", m_origin, node.source().begin.line, what)};
    }

    Error unknown_key(const std::string& key, const toml::node& node) const {
        const std::string near = nearest(key, k_keys);
        return fail(node, fmt::format("has an unknown key '{}'; {}", key,
                                      near.empty() ? "the keys are " + join(k_keys, ", ")
                                                   : fmt::format("did you mean '{}'?", near)));
    }

    Result<std::string> text(const char* key, bool needed) const {
        const toml::node* node = m_table.get(key);
        if (node == nullptr)
            return needed ? Result<std::string>(fail(m_table, fmt::format("lacks '{}'", key)))
                          : std::string();
        if (!node->is_string() || node->as_string()->get().empty())
            return fail(*node, fmt::format("needs a text that is not empty for '{}'", key));
        return node->as_string()->get();
    }

    Result<bool> flag(const char* key) const {
        const toml::node* node = m_table.get(key);
        if (node == nullptr) return false;
        if (!node->is_boolean()) return fail(*node, fmt::format("needs true or false for '{}'", key));
        return node->as_boolean()->get();
    }

    Result<GuardScope> scope() const {
        TRY_ASSIGN(const std::string word, text("scope", false));
        if (word.empty()) return GuardScope::code;
        for (const ScopeName& entry : k_scopes)
            if (word == entry.name) return entry.scope;
        return fail(*m_table.get("scope"),
                    fmt::format("has the scope '{}'; it can be code, python, kernels or anywhere", word));
    }

    Result<std::vector<std::string>> precisions() const {
        std::vector<std::string> words;
        const toml::node* node = m_table.get("precisions");
        if (node == nullptr) return words;
        if (!node->is_array()) return fail(*node, "needs a list of precision policies for 'precisions'");
        for (const toml::node& element : *node->as_array()) {
            const std::string word = element.value_or(std::string());
            if (const auto known = parse_precision(word); !known.ok())
                return fail(element, "has in 'precisions': " + known.error().message);
            words.push_back(word);
        }
        return words;
    }

    const toml::table& m_table;
    const std::string& m_origin;
};

Result<toml::table> parse_table(const std::string& toml_text, const std::string& origin) {
    try {
        return toml::parse(toml_text);
    } catch (const toml::parse_error& error) {
        return Error{ErrorKind::config, fmt::format("{}: line {}: {}", origin, error.source().begin.line,
                                                    std::string(error.description()))};
    }
}

}  // namespace

Result<std::vector<GuardRule>> parse_guard_rules(const std::string& toml_text, const std::string& origin,
                                                 const std::vector<std::string>& other_keys) {
    TRY_ASSIGN(const toml::table table, parse_table(toml_text, origin));
    for (const auto& [key, node] : table) {
        if (key.str() == "guard" ||
            std::find(other_keys.begin(), other_keys.end(), key.str()) != other_keys.end())
            continue;
        std::vector<std::string> known = other_keys;
        known.push_back("guard");
        const std::string near = nearest(key.str(), known);
        return Error{ErrorKind::config, fmt::format("{}: line {}: unknown key '{}'; {}", origin,
                                                    node.source().begin.line, std::string(key.str()),
                                                    near.empty() ? "the keys are " + join(known, ", ")
                                                                 : fmt::format("did you mean '{}'?", near))};
    }
    std::vector<GuardRule> rules;
    const toml::node* guard = table.get("guard");
    if (guard == nullptr) return rules;
    if (!guard->is_array_of_tables() && !(guard->is_array() && guard->as_array()->empty()))
        return Error{ErrorKind::config,
                     fmt::format("{}: line {}: 'guard' must be an array of tables: [[guard]]", origin,
                                 guard->source().begin.line)};
    for (const toml::node& element : *guard->as_array()) {
        TRY_ASSIGN(GuardRule rule, RuleReader(*element.as_table(), origin).read());
        rules.push_back(std::move(rule));
    }
    return rules;
}

std::string describe(const std::vector<GuardFinding>& findings) {
    std::string text;
    for (size_t i = 0; i < findings.size();) {
        const GuardFinding& first = findings[i];
        size_t end = i;
        std::vector<std::string> places;
        for (; end < findings.size() && findings[end].rule == first.rule &&
               findings[end].pattern == first.pattern;
             ++end)
            places.push_back(fmt::format("line {}: `{}`", findings[end].line, findings[end].text));
        text += text.empty() ? "" : "\n";
        if (first.line == 0) {
            text += fmt::format("Required by rule '{}' ({}) but nowhere found: the pattern /{}/. {}",
                                first.rule, first.origin, first.pattern, first.why);
        } else {
            text += fmt::format("Banned by rule '{}' ({}): {}. {} (pattern /{}/)", first.rule, first.origin,
                                join(places, "; "), first.why, shown(first.pattern));
        }
        i = end;
    }
    return text;
}

nlohmann::json to_json(const std::vector<GuardFinding>& findings) {
    nlohmann::json list = nlohmann::json::array();
    for (const GuardFinding& finding : findings)
        list.push_back({{"rule", finding.rule},
                        {"pattern", finding.pattern},
                        {"why", finding.why},
                        {"origin", finding.origin},
                        {"line", finding.line},
                        {"text", finding.text}});
    return list;
}

nlohmann::json to_json(const std::vector<GuardRule>& rules) {
    nlohmann::json list = nlohmann::json::array();
    for (const GuardRule& rule : rules)
        list.push_back({{"name", rule.name},
                        {"pattern", rule.pattern},
                        {"unless", rule.unless},
                        {"lifted_by", rule.lifted_by},
                        {"scope", to_string(rule.scope)},
                        {"required", rule.required},
                        {"why", rule.why},
                        {"origin", rule.origin},
                        {"precisions", rule.precisions}});
    return list;
}

}  // namespace kforge
