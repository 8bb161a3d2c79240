#include <fmt/format.h>

#include "kforge/platform/platform.hpp"
#include "kforge/util/process.hpp"
#include "kforge/util/text.hpp"

namespace kforge {

namespace {

constexpr std::chrono::seconds k_timeout{20};
constexpr size_t k_output_limit = 64 << 10;

std::string first_line(const std::string& output) {
    const std::string clean = sanitize(trim(output));
    return clean.substr(0, clean.find('\n'));
}

// The first line of what the command printed; when it failed, an error that says how.
Result<std::string> try_command(const std::vector<std::string>& argv) {
    ProcessSpec spec;
    spec.argv = argv;
    // Where tools, their libraries and their settings are found; nothing else of the user's environment.
    spec.environment = inherit_environment({"PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR", "CUDA_*", "ROCM_*",
                                            "HIP_*", "ONEAPI_*", "SYCL_*", "DEVELOPER_DIR", "VIRTUAL_ENV"});
    spec.environment.push_back("LC_ALL=C");
    spec.timeout = k_timeout;
    spec.output_limit = k_output_limit;
    TRY_ASSIGN(const ProcessOutcome outcome, run_process(spec));
    if (outcome.timed_out)
        return Error{ErrorKind::environment, fmt::format("no answer in {} s", k_timeout.count())};
    if (!outcome.status.success()) {
        const std::string said = first_line(outcome.err.empty() ? outcome.out : outcome.err);
        return Error{ErrorKind::environment, outcome.status.describe() + (said.empty() ? "" : ": " + said)};
    }
    return first_line(trim(outcome.out).empty() ? outcome.err : outcome.out);
}

}  // namespace

Detection detect(const Platform& platform) {
    Detection detection;
    std::vector<std::string> failures;
    for (const std::vector<std::string>& argv : platform.detect) {
        const Result<std::string> line = try_command(argv);
        if (!line.ok()) {
            failures.push_back(fmt::format("`{}` failed: {}", join(argv, " "), line.error().message));
        } else if (!line.value().empty()) {
            detection.found.push_back(line.value());
        }
    }
    detection.usable = failures.empty();
    if (!failures.empty()) detection.missing = join(failures, "; ") + ". " + platform.detect_hint;
    return detection;
}

}  // namespace kforge
