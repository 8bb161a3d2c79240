#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/commands.hpp"
#include "kforge/cli/invocation.hpp"

namespace kforge {

ExitCode init_command(Invocation& invocation) {
    const fs::path file = invocation.directory() / "kforge.toml";
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(file, ignored)))
        throw Fatal(ExitCode::usage,
                    fmt::format("{} is already there: edit it, or move it away first", file.string()));
    require(write_file_durable(file, toml_template()));
    if (invocation.json())
        invocation.terminal().print_json({{"file", file.string()}});
    else
        invocation.terminal().print(fmt::format("wrote {}: every setting with its default\n", file.string()));
    return ExitCode::ok;
}

}  // namespace kforge
