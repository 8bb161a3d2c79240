#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/commands.hpp"
#include "kforge/cli/invocation.hpp"

namespace kforge {

ExitCode version_command(Invocation& invocation) {
    if (invocation.json())
        invocation.terminal().print_json({{"version", version()}});
    else
        invocation.terminal().print(fmt::format("kforge {}\n", version()));
    return ExitCode::ok;
}

}  // namespace kforge
