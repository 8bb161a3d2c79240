#include "kforge/util/errors.hpp"

namespace kforge {

ExitCode exit_code_for(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::usage:
        case ErrorKind::config:
            return ExitCode::usage;
        case ErrorKind::environment:
        case ErrorKind::io:
        case ErrorKind::process:
            return ExitCode::environment;
        case ErrorKind::cancelled:
            return ExitCode::interrupted;
        case ErrorKind::parse:
        case ErrorKind::protocol:
        case ErrorKind::timeout:
        case ErrorKind::internal:
            return ExitCode::internal;
    }
    return ExitCode::internal;
}

void give_up(const Error& error) {
    const ExitCode code = exit_code_for(error.kind);
    if (code == ExitCode::internal) throw InternalError(error.message);
    throw Fatal(code, error.message);
}

}  // namespace kforge
