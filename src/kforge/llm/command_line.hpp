// A command line as a user writes it, taken apart without a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

// Words are separated by blanks. '...' is literal; inside "..." a backslash escapes " and \; elsewhere it
// escapes any character. Nothing is expanded. An open quote or a trailing backslash is a usage error.
Result<std::vector<std::string>> split_command_line(std::string_view text);

// Makes the program absolute when it is a path with a slash, relative to `folder`; a bare name is left to
// PATH.
void anchor_program(std::vector<std::string>& argv, const fs::path& folder);

// `path`, absolute and tidy; a relative one is relative to `folder` (empty: the working directory).
fs::path anchored(const fs::path& path, const fs::path& folder);

}  // namespace kforge
