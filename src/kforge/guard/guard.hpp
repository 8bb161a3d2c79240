// Guard: required and banned patterns on a candidate's text, before it ever runs. RE2, linear time. Knows
// where code, comments and string literals are, in Python and in the C-like kernel sources inside Python
// strings.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kforge/util/policy.hpp"
#include "kforge/util/result.hpp"

namespace re2 {
class RE2;
}

namespace kforge {

enum class GuardScope {
    code,      // Python code and what is in string literals (kernel source, flags), without comments
    python,    // Python code alone: no comments, no string literals
    kernels,   // kernel source in string literals alone, without comments and the text of its own strings
    anywhere,  // the whole text
};

struct GuardRule {
    std::string name;  // "no-fast-math"; rules of one name are one family
    // RE2. A Python statement counts as one line, however many it takes; '.' does not cross lines, \s does,
    // and ^ and $ are the ends of a line.
    std::string pattern;
    std::string unless;  // RE2: a ban does not apply to a line on which this matches; empty: it always does
    std::string lifted_by;  // RE2: a problem whose code this matches breaks the rule too
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
    // At most a few findings per rule: the first lines that break it.
    std::vector<GuardFinding> check(const std::string& candidate) const;
    const std::vector<GuardRule>& rules() const { return m_rules; }

  private:
    struct Patterns {
        std::shared_ptr<const re2::RE2> pattern;
        std::shared_ptr<const re2::RE2> unless;  // null: none
    };
    std::vector<GuardRule> m_rules;    // those that apply under the precision policy
    std::vector<Patterns> m_patterns;  // of the rule at the same place
};

// Without the families of bans that the problem's own source breaks: where the reference computes in half
// precision, that is its own arithmetic and no downcast. Not meant for the user's own rules.
Result<std::vector<GuardRule>> lift_for_reference(std::vector<GuardRule> rules, const std::string& problem);

// One paragraph for the verdict's evidence and the next prompt.
std::string describe(const std::vector<GuardFinding>& findings);
nlohmann::json to_json(const std::vector<GuardFinding>& findings);
nlohmann::json to_json(const std::vector<GuardRule>& rules);

// Parses an array of tables [[guard]] (name, pattern, unless, lifted_by, scope, required, why, precisions).
// Unknown keys are config errors that name the nearest right one; `other_keys` may stand beside [[guard]].
Result<std::vector<GuardRule>> parse_guard_rules(const std::string& toml_text, const std::string& origin,
                                                 const std::vector<std::string>& other_keys = {});

}  // namespace kforge
