#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <map>
#include <mutex>
#include <set>

#include "kforge/platform/platform.hpp"
#include "kforge/util/process.hpp"
#include "kforge/util/text.hpp"

namespace kforge {

namespace {

constexpr std::chrono::seconds k_timeout{60};  // the first import of PyTorch from a cold disk
constexpr size_t k_output_limit = 64 << 10;
constexpr std::string_view k_device = "device";
// A probe in Python that says itself what is wrong.
constexpr std::string_view k_says_itself[] = {"AssertionError: ", "ModuleNotFoundError: "};

std::string first_line(const std::string& output) {
    const std::string clean = sanitize(trim(output));
    return clean.substr(0, clean.find('\n'));
}

// Programs that fail say why at the end: a traceback's last line is the error.
std::string last_line(const std::string& output) {
    const std::string clean = sanitize(trim(output));
    const size_t end = clean.rfind('\n');
    return end == std::string::npos ? clean : clean.substr(end + 1);
}

// A program given on the command line is shown by its beginning.
std::string shown(const std::vector<std::string>& argv) {
    std::vector<std::string> words;
    for (const std::string& word : argv) {
        words.push_back(first_line(word));
        if (word.find('\n') != std::string::npos) words.back() += " ...";
    }
    return join(words, " ");
}

Result<std::string> run_probe(const std::vector<std::string>& argv) {
    ProcessSpec spec;
    spec.argv = argv;
    // Where tools, their libraries and their settings are found; nothing else of the user's environment.
    spec.environment =
        inherit_environment({"PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR", "CUDA_*", "ROCM_*", "HIP_*",
                             "ONEAPI_*", "SYCL_*", "DEVELOPER_DIR", "VIRTUAL_ENV", "PYTHONPATH"});
    spec.environment.push_back("LC_ALL=C");
    spec.timeout = k_timeout;
    spec.output_limit = k_output_limit;
    TRY_ASSIGN(const ProcessOutcome outcome, run_process(spec));
    if (outcome.timed_out)
        return Error{ErrorKind::environment,
                     fmt::format("`{}` gave no answer in {} s", shown(argv), k_timeout.count())};
    if (!outcome.status.success()) {
        const std::string said = last_line(outcome.err.empty() ? outcome.out : outcome.err);
        for (const std::string_view kind : k_says_itself)
            if (said.starts_with(kind)) return Error{ErrorKind::environment, said.substr(kind.size())};
        return Error{ErrorKind::environment,
                     fmt::format("`{}` failed: {}{}", shown(argv), outcome.status.describe(),
                                 said.empty() ? "" : ": " + said)};
    }
    return first_line(trim(outcome.out).empty() ? outcome.err : outcome.out);
}

// The first line of what a command prints; when it fails, an error that says how.
using Answer = std::shared_future<Result<std::string>>;

// Does not wait for it. Platforms ask the same questions: each is asked once in the life of the process.
Answer try_command(std::vector<std::string> argv, const fs::path& python) {
    static std::mutex mutex;
    static std::map<std::vector<std::string>, Answer> answers;
    for (std::string& word : argv)
        if (word == "{python}") word = python.string();
    const std::lock_guard lock(mutex);
    const auto [answer, is_new] = answers.try_emplace(argv);
    if (is_new) answer->second = std::async(std::launch::async, run_probe, argv).share();
    return answer->second;
}

const DevicePeaks* peaks_of(const Platform& platform, const std::string& device) {
    re2::RE2::Options options(re2::RE2::Quiet);
    options.set_case_sensitive(false);
    for (const DevicePeaks& peaks : platform.devices)
        if (re2::RE2::PartialMatch(device, re2::RE2(peaks.name, options))) return &peaks;
    return nullptr;
}

std::vector<Probe> probes_of(const Platform& platform, bool optional) {
    std::vector<Probe> probes;
    std::copy_if(platform.detect.begin(), platform.detect.end(), std::back_inserter(probes),
                 [&](const Probe& probe) { return probe.optional == optional; });
    return probes;
}

}  // namespace

std::vector<Extra> detect_extras(const Platform& platform, const fs::path& python) {
    std::vector<Extra> extras;
    for (const Probe& probe : probes_of(platform, true)) {
        const Answer answer = try_command(probe.argv, python);
        const Result<std::string>& line = answer.get();
        extras.push_back(
            {probe.what, line.ok(), line.ok() ? line.value() : line.error().message, probe.hint});
    }
    return extras;
}

Detection detect(const Platform& platform, const fs::path& python) {
    Detection detection;
    std::vector<std::string> failures;
    std::vector<std::string> hints;
    std::set<std::string> told;  // what is missing may be seen by several
    std::vector<Answer> answers;
    const std::vector<Probe> probes = probes_of(platform, false);
    for (const Probe& probe : probes) answers.push_back(try_command(probe.argv, python));
    for (size_t i = 0; i < answers.size(); ++i) {
        const Probe& probe = probes[i];
        const Result<std::string>& line = answers[i].get();
        if (!line.ok()) {
            const std::string about = probe.what.empty() ? "" : probe.what + ": ";
            if (!told.insert(line.error().message).second) continue;
            failures.push_back(about + line.error().message);
            if (!probe.hint.empty() && told.insert(probe.hint).second) hints.push_back(probe.hint);
        } else if (!line.value().empty()) {
            detection.found.push_back({probe.what, line.value()});
            if (probe.what == k_device) detection.peaks = peaks_of(platform, line.value());
        }
    }
    detection.usable = failures.empty();
    detection.missing = join(failures, "; ");
    if (!detection.usable) detection.hint = hints.empty() ? platform.detect_hint : join(hints, " ");
    return detection;
}

std::string to_text(const Found& found) {
    return found.what.empty() ? found.text : found.what + ": " + found.text;
}

std::string to_text(const DevicePeaks& peaks) {
    std::string text = fmt::format("{:g} GB/s", peaks.memory_gbs);
    for (const auto& [dtype, rate] : peaks.tflops) text += fmt::format(", {} {:g} TFLOPS", dtype, rate);
    if (peaks.l2_mb > 0) text += fmt::format(", {:g} MB of last-level cache", peaks.l2_mb);
    if (peaks.compute_units > 0) text += fmt::format(", {:g} compute units", peaks.compute_units);
    if (peaks.shared_kb > 0) text += fmt::format(", {:g} KB of shared memory per block", peaks.shared_kb);
    return fmt::format("{} (data sheet, {})", text, peaks.facts);
}

std::vector<CheckState> detect_checks(const Platform& platform, const fs::path& python) {
    std::vector<CheckState> states;
    for (const OfflineCheck& check : platform.checks) {
        CheckState state{&check, true, ""};
        for (const std::vector<std::string>& argv : check.needs) {
            const Result<std::string> line = try_command(argv, python).get();
            if (line.ok()) continue;
            state.available = false;
            state.missing = line.error().message;
            break;
        }
        states.push_back(std::move(state));
    }
    return states;
}

}  // namespace kforge
