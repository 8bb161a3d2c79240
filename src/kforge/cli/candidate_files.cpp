#include "kforge/cli/candidate_files.hpp"

#include <fmt/format.h>

#include "kforge/prompt/auxiliary.hpp"
#include "kforge/util/errors.hpp"
#include "kforge/util/text.hpp"

namespace kforge {

std::string read_candidate(const std::string& path) {
    const Result<std::string> text = read_file(path);
    if (!text.ok()) throw Fatal(ExitCode::usage, text.error().message);
    if (sanitize(*text).find("\xEF\xBF\xBD") != std::string::npos)
        throw Fatal(ExitCode::usage, fmt::format("{} is not a text file in UTF-8", path));
    // Python leaves a byte order mark out where it reads a file, but cannot compile a text that has one.
    constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";
    return text->starts_with(k_byte_order_mark) ? text->substr(k_byte_order_mark.size()) : *text;
}

Submission as_submission(const std::string& candidate, const RunConfig& config) {
    return {candidate, require(Auxiliary::parse(config.aux)).paths_for(1)};
}

}  // namespace kforge
