// Runs a piece of a test in a process of its own, which may die, drop its rights or limit itself.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "kforge/util/fd.hpp"

namespace kforge {

struct ForkedOutcome {
    std::string text;  // what `body` returned: by convention empty when all is well
    int status = 0;    // as waitpid gives it
};

inline ForkedOutcome in_forked_process(const std::function<std::string()>& body) {
    int ends[2];
    if (::pipe(ends) != 0) return {"no pipe", 1};
    Fd read(ends[0]), write(ends[1]);
    const pid_t pid = ::fork();
    if (pid == 0) {
        const std::string text = body();
        ::_exit(::write(write.get(), text.data(), text.size()) < 0 ? 1 : 0);
    }
    write.reset();
    ForkedOutcome result;
    char buffer[4096];
    ssize_t n = 0;
    while ((n = ::read(read.get(), buffer, sizeof buffer)) > 0)
        result.text.append(buffer, static_cast<size_t>(n));
    ::waitpid(pid, &result.status, 0);
    return result;
}

// Without root's power to ignore permissions.
inline ForkedOutcome as_ordinary_user(const std::function<std::string()>& body) {
    return in_forked_process([&]() -> std::string {
        constexpr uid_t nobody = 65534;
        if (::getuid() == 0 &&
            (::setresgid(nobody, nobody, nobody) != 0 || ::setresuid(nobody, nobody, nobody) != 0))
            return "cannot become an ordinary user";
        return body();
    });
}

}  // namespace kforge
