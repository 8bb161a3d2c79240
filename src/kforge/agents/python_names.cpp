#include "kforge/agents/python_names.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

const RE2 k_definition(R"(^(?:def|class)[ \t]+(\w+).*)");
const RE2 k_assignment(R"(^(\w+)[ \t]*(?::[^=]*)?=[^=].*)");
const RE2 k_import(R"(^import[ \t]+(.+))");
const RE2 k_from_import(R"(^from[ \t]+[\w.]+[ \t]+import[ \t]+\(?([^#()]+).*)");

// "numpy as np, torch.nn" gives np and torch.
void add_imported(const std::string& list, std::vector<std::string>& names) {
    for (const std::string& piece : split(list, ',')) {
        const std::string_view item = trim(piece);
        const size_t as = item.find(" as ");
        const std::string_view name =
            as != std::string_view::npos ? trim(item.substr(as + 4)) : item.substr(0, item.find('.'));
        if (!name.empty()) names.emplace_back(name);
    }
}

}  // namespace

std::vector<std::string> names_defined_by(const std::string& code) {
    std::vector<std::string> names;
    for (const std::string& line : split_lines(code)) {
        std::string found;
        if (RE2::FullMatch(line, k_definition, &found) || RE2::FullMatch(line, k_assignment, &found))
            names.push_back(found);
        else if (RE2::FullMatch(line, k_import, &found) || RE2::FullMatch(line, k_from_import, &found))
            add_imported(found, names);
    }
    return names;
}

bool lacks_name(const std::string& code, const std::string& name) {
    const std::string word = RE2::QuoteMeta(name);
    const RE2 defined(fmt::format(
        R"((?m)^[ \t]*(?:def|class)[ \t]+{0}\b|^[ \t]*(?:[\w,() ]+,[ \t]*)?{0}[ \t]*(?::[^=\n]*|,[\w, ]*)?=[^=]|^[ \t]*(?:import|from)\b.*\b{0}\b|\bas[ \t]+{0}\b|\bfor\b[^:\n]*\b{0}\b[^:\n]*\bin\b|\bdef[ \t]+\w+\([^)]*\b{0}\b|\blambda\b[^:\n]*\b{0}\b)",
        word));
    const RE2 used(fmt::format(R"((?m)(?:^|[^\w.]){0}(?:[^\w= ]| [^=]| ==|$))", word));
    return RE2::PartialMatch(code, used) && !RE2::PartialMatch(code, defined);
}

}  // namespace kforge
