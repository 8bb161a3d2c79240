// Guard: required and banned patterns on a candidate's text, before it ever runs. RE2, linear time. Knows
// where code, comments and string literals are, in Python and in the C-like kernel sources inside Python
// strings.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kforge/util/policy.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

enum class GuardScope {
    code,      // Python code and kernel source in string literals, without the comments of either
    python,    // Python code alone: no comments, no string literals
    anywhere,  // the whole text
};

struct GuardRule {
    std::string name;     // "no-fast-math"
    std::string pattern;  // RE2, matched line by line
    GuardScope scope = GuardScope::code;
    bool required = false;                // false: banned
    std::string why;                      // told to the LLM
    std::string origin;                   // "policy strict", "platform cpu-cpp", "user"
    std::vector<std::string> precisions;  // applies under these precision policies; empty: all
};

struct GuardFinding {
    std::string rule;
    std::string pattern;
    std::string why;
    std::string origin;
    int line = 0;      // 0 for a required pattern that is missing
    std::string text;  // the offending line
};

class Guard {
  public:
    // Fails with a config error when a pattern is not valid RE2.
    static Result<Guard> compile(std::vector<GuardRule> rules, Precision precision);
    std::vector<GuardFinding> check(const std::string& candidate) const;
    const std::vector<GuardRule>& rules() const { return m_rules; }

  private:
    std::vector<GuardRule> m_rules;  // those that apply under the precision policy
};

// One paragraph for the verdict's evidence and the next prompt.
std::string describe(const std::vector<GuardFinding>& findings);
nlohmann::json to_json(const std::vector<GuardFinding>& findings);
nlohmann::json to_json(const std::vector<GuardRule>& rules);

// Parses an array of tables [[guard]] (name, pattern, scope, required, why, precisions).
Result<std::vector<GuardRule>> parse_guard_rules(const std::string& toml_text, const std::string& origin);

}  // namespace kforge
