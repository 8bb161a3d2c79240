// IterationSet: which iterations something applies to: "3", "2-4", "2-", "1,3-5"; empty text means all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kforge/util/result.hpp"

namespace kforge {

class IterationSet {
  public:
    static Result<IterationSet> parse(std::string_view text);
    bool contains(int iteration) const;
    const std::string& text() const { return m_text; }  // as the user wrote it; empty for all

  private:
    struct Range {
        int first;
        int last;
    };
    std::string m_text;
    std::vector<Range> m_ranges;  // empty: every iteration
};

// Splits "VALUE@2-4" at the last '@' when what follows is an iteration set; otherwise all of it is VALUE.
struct Selected {
    std::string value;
    IterationSet iterations;
};
Result<Selected> parse_selected(std::string_view text);

}  // namespace kforge
