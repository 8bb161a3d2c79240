#include "kforge/cli/paths.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "kforge/util/process.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

constexpr auto k_check_timeout = 120s;  // a first import of torch from a cold network disk

// Prints one JSON object whatever is missing.
constexpr std::string_view k_check_script = R"(
import importlib, json, os, sys, sysconfig
report = {"version": "%d.%d.%d" % sys.version_info[:3], "supported": sys.version_info >= (3, 10)}
for name in ("torch", "jinja2", "numpy"):
    try:
        module = importlib.import_module(name)
        report[name] = str(getattr(module, "__version__", "unknown"))
    except BaseException as error:
        report[name] = ""
        if name == "torch":
            report["torch_failure"] = "%s: %s" % (type(error).__name__, error)
include = sysconfig.get_paths()["include"]
report["headers"] = include if os.path.exists(os.path.join(include, "Python.h")) else ""
print("\n" + json.dumps(report))
)";

Result<fs::path> find_root(const UserEnvironment& environment, const fs::path& executable) {
    const auto holds_data = [](const fs::path& root) { return is_folder(root / "platforms"); };
    if (!environment.kforge_data.empty()) {
        if (holds_data(environment.kforge_data)) return fs::path(environment.kforge_data);
        return Error{
            ErrorKind::environment,
            fmt::format("KFORGE_DATA is {}, which has no folder platforms: unset it or let it name a "
                        "share/kforge",
                        environment.kforge_data)};
    }
    const fs::path above = executable.parent_path().parent_path();
    for (const fs::path& root : {above / "share" / "kforge", above})
        if (holds_data(root)) return root;
    return Error{
        ErrorKind::environment,
        fmt::format(
            "KForge's data (platforms, prompts, problems) is not in {} or {}: unpack KForge's archive "
            "again and leave its folder in one piece, or set KFORGE_DATA",
            (above / "share" / "kforge").string(), above.string())};
}

PythonReport parse_report(const std::string& output) {
    const std::vector<std::string> lines = split_lines(trim(output));
    const auto json = nlohmann::json::parse(lines.empty() ? "" : lines.back(), nullptr, false);
    PythonReport report;
    if (!json.is_object()) {
        report.failure = "it did not answer as a Python does";
        return report;
    }
    report.version = json.value("version", "");
    report.supported = json.value("supported", false);
    report.torch = json.value("torch", "");
    report.jinja2 = json.value("jinja2", "");
    report.numpy = json.value("numpy", "");
    report.torch_failure = json.value("torch_failure", "");
    report.headers = json.value("headers", "");
    return report;
}

}  // namespace

std::string_view version() {
    return KFORGE_VERSION;
}

Result<DataPaths> find_data(const UserEnvironment& environment, const fs::path& executable) {
    DataPaths paths;
    TRY_ASSIGN(paths.root, find_root(environment, executable));
    if (!environment.data_home.empty()) {
        paths.platform_roots.push_back(environment.data_home / "kforge" / "platforms");
        paths.problem_roots.push_back(environment.data_home / "kforge" / "problems");
    }
    paths.platform_roots.push_back(paths.root / "platforms");
    paths.problem_roots.push_back(paths.root / "problems");
    paths.prompts = paths.root / "prompts";
    paths.python = paths.root / "python";
    paths.recordings = paths.root / "recordings";
    paths.cache = environment.cache_home.empty()
                      ? environment.temporary / fmt::format("kforge-cache-{}", ::getuid())
                      : environment.cache_home / "kforge";
    return paths;
}

fs::path shown_path(const fs::path& path, const fs::path& directory) {
    const fs::path relative = path.lexically_relative(directory);
    return relative.empty() || *relative.begin() == ".." ? path : relative;
}

Result<PythonChoice> find_python(const UserEnvironment& environment, const std::string& configured,
                                 const fs::path& executable) {
    const auto named = [&](const std::string& name, std::string origin) -> Result<PythonChoice> {
        if (const auto program = environment.find_program(name)) return PythonChoice{*program, origin};
        return Error{
            ErrorKind::environment,
            fmt::format("the Python that {} names, {}, is not a program that can be started", origin, name)};
    };
    if (!configured.empty()) return named(configured, "--python or the configuration");
    if (!environment.kforge_python.empty()) return named(environment.kforge_python, "KFORGE_PYTHON");
    if (!environment.virtual_env.empty())
        return named((fs::path(environment.virtual_env) / "bin" / "python").string(), "VIRTUAL_ENV");
    const fs::path beside = executable.parent_path().parent_path() / ".venv" / "bin" / "python";
    if (const auto program = environment.find_program(beside.string()))
        return PythonChoice{*program, "the virtual environment beside the build"};
    if (const auto program = environment.find_program("python3")) return PythonChoice{*program, "PATH"};
    return Error{ErrorKind::environment,
                 "there is no python3 in PATH: install Python 3.10 or later with PyTorch, or name one with "
                 "--python"};
}

PythonReport check_python(const fs::path& program) {
    ProcessSpec spec;
    spec.argv = {program.string(), "-c", std::string(k_check_script)};
    spec.environment = inherit_environment({"PATH", "HOME", "LANG", "LC_*", "LD_LIBRARY_PATH", "TMPDIR"});
    spec.timeout = k_check_timeout;
    PythonReport report;
    const auto outcome = run_process(spec);
    if (!outcome.ok()) {
        report.failure = outcome.error().message;
    } else if (outcome->timed_out) {
        report.failure = fmt::format("it did not answer within {} s", k_check_timeout.count());
    } else if (!outcome->status.success()) {
        const std::vector<std::string> lines = split_lines(sanitize(trim(outcome->err)));
        report.failure = outcome->status.describe() + (lines.empty() ? "" : ": " + lines.back());
    } else {
        report = parse_report(sanitize(outcome->out));
    }
    return report;
}

}  // namespace kforge
