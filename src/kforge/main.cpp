// The one place where errors become a message and an exit code.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kforge/cli/args.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/invocation.hpp"
#include "kforge/util/errors.hpp"
#include "kforge/util/failpoint.hpp"
#include "kforge/util/interrupt.hpp"
#include "kforge/util/process.hpp"

namespace kforge {
namespace {

// For the crash tests: at the instant "POINT:SUBJECT" the process dies as by kill -9.
void die_at(const std::string& instant) {
    if (instant.empty()) return;
    set_failpoint_handler([instant](std::string_view point, std::string_view subject) {
        if (fmt::format("{}:{}", point, subject) == instant) ::raise(SIGKILL);
    });
}

ExitCode run_words(const std::vector<std::string>& words) {
    Arguments arguments = require(parse_arguments(commands(), words));
    std::error_code failure;
    const fs::path directory = fs::current_path(failure);
    if (failure)
        throw Fatal(ExitCode::environment,
                    fmt::format("the working directory cannot be used: {}", failure.message()));
    UserEnvironment environment = UserEnvironment::read();
    die_at(environment.kill_at);
    Invocation invocation(std::move(arguments), std::move(environment), directory);
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
