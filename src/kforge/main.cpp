// The one place where errors become a message and an exit code.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kforge/cli/args.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/invocation.hpp"
#include "kforge/util/errors.hpp"
#include "kforge/util/interrupt.hpp"
#include "kforge/util/process.hpp"

namespace kforge {
namespace {

ExitCode run_words(const std::vector<std::string>& words) {
    Arguments arguments = require(parse_arguments(commands(), words));
    std::error_code failure;
    const fs::path directory = fs::current_path(failure);
    if (failure)
        throw Fatal(ExitCode::environment,
                    fmt::format("the working directory cannot be used: {}", failure.message()));
    Invocation invocation(std::move(arguments), UserEnvironment::read(), directory);
    return invocation.command().run(invocation);
}

// Asked of the words themselves: they may be what could not be parsed.
bool wants_json(const std::vector<std::string>& words) {
    for (const std::string& word : words)
        if (word == "--json") return true;
    return false;
}

int fail(ExitCode code, const std::string& message, const std::vector<std::string>& words) {
    const int status = static_cast<int>(code);
    fmt::print(stderr, "kforge: error: {}\n", message);
    if (wants_json(words)) {
        const nlohmann::json object = {{"error", {{"code", status}, {"message", message}}}};
        fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    return status;
}

}  // namespace
}  // namespace kforge

int main(int argc, char** argv) {
    using namespace kforge;
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    install_interrupt_handler();
    become_subreaper();
    try {
        return static_cast<int>(run_words(words));
    } catch (const Fatal& error) {
        return fail(error.code(), error.what(), words);
    } catch (const std::exception& error) {  // InternalError among them
        return fail(ExitCode::internal,
                    fmt::format("{} (this is a bug in KForge: please report it)", error.what()), words);
    }
}
