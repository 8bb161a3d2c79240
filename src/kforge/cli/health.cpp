#include "kforge/cli/health.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "kforge/util/process.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

constexpr int k_torch_major = 2;
constexpr int k_torch_minor = 6;
constexpr double k_space_gb = 1.0;
constexpr std::string_view k_openmp_program =
    "#include <omp.h>\n#include <cstdio>\nint main() { std::printf(\"%d\", omp_get_max_threads()); }\n";

Result<ProcessOutcome> call(std::vector<std::string> argv, std::string input = {}) {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    spec.environment = inherit_environment({"PATH", "HOME", "TMPDIR", "LANG", "LC_*"});
    spec.input = std::move(input);
    spec.timeout = 60s;
    return run_process(spec);
}

std::string first_line(std::string_view text) {
    const std::vector<std::string> lines = split_lines(sanitize(trim(text)));
    return lines.empty() ? "" : lines.front();
}

std::string why(const Result<ProcessOutcome>& outcome) {
    if (!outcome.ok()) return outcome.error().message;
    if (outcome->timed_out) return "no answer in time";
    const std::string line = first_line(outcome->err);
    return line.empty() ? outcome->status.describe() : line;
}

bool succeeded(const Result<ProcessOutcome>& outcome) {
    return outcome.ok() && !outcome->timed_out && outcome->status.success();
}

bool torch_is_supported(const std::string& version) {
    int major = 0;
    int minor = 0;
    const char* end = version.data() + version.size();
    const auto [dot, code] = std::from_chars(version.data(), end, major);
    if (code != std::errc() || dot == end) return false;
    if (std::from_chars(dot + 1, end, minor).ec != std::errc()) return false;
    return major > k_torch_major || (major == k_torch_major && minor >= k_torch_minor);
}

Check package(const std::string& name, const std::string& version, const std::string& detail,
              const fs::path& python) {
    if (!version.empty()) return {name, Health::ok, version, ""};
    return {name, Health::missing, detail.empty() ? "cannot be imported" : detail,
            fmt::format("{} -m pip install {}", python.string(), name)};
}

std::vector<Check> check_compiler(const UserEnvironment& environment) {
    const auto compiler = environment.find_program("g++");
    if (!compiler) return {{"g++", Health::missing, "not in PATH", "sudo apt-get install g++"}};
    std::vector<Check> checks = {
        {"g++", Health::ok,
         fmt::format("{} ({})", first_line(call({"g++", "-dumpfullversion"}).value_or(ProcessOutcome{}).out),
                     compiler->string()),
         ""}};
    // Built and started where candidates are: this also finds a temporary folder that is mounted noexec.
    const auto folder = TemporaryDirectory::create(environment.temporary, "kforge-doctor-");
    if (!folder.ok()) return checks;  // the check of that folder tells
    const std::string program = (folder->path() / "openmp").string();
    const auto built =
        call({"g++", "-fopenmp", "-x", "c++", "-", "-o", program}, std::string(k_openmp_program));
    if (!succeeded(built)) {
        checks.push_back({"OpenMP", Health::missing, why(built), "sudo apt-get install g++ libgomp1"});
        return checks;
    }
    const auto ran = call({program});
    if (succeeded(ran))
        checks.push_back({"OpenMP", Health::ok, fmt::format("{} threads", first_line(ran->out)), ""});
    else
        checks.push_back({"OpenMP", Health::missing,
                          fmt::format("a program built in {} does not start: {}",
                                      environment.temporary.string(), why(ran)),
                          "set TMPDIR to a folder whose disk is not mounted noexec"});
    return checks;
}

Check check_writable(const std::string& name, const fs::path& folder, const std::string& mend) {
    const auto probe = TemporaryDirectory::create(folder, ".kforge-doctor-");
    if (!probe.ok()) return {name, Health::missing, probe.error().message, mend};
    struct statvfs space {};
    if (::statvfs(folder.c_str(), &space) != 0) return {name, Health::ok, folder.string(), ""};
    const double free_gb = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize) / 1e9;
    const std::string detail = fmt::format("{}, {:.1f} GB free", folder.string(), free_gb);
    if (free_gb < k_space_gb) return {name, Health::weak, detail, "free some space there"};
    return {name, Health::ok, detail, ""};
}

Check check_namespaces() {
    const auto outcome =
        call({"unshare", "--user", "--map-root-user", "--pid", "--net", "--mount", "--fork", "true"});
    if (succeeded(outcome)) return {"namespaces", Health::ok, "user, pid, net, mount", ""};
    return {"namespaces", Health::weak, why(outcome),
            "sudo sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0 "
            "(in a container: allow user namespaces)"};
}

Check check_landlock() {
#ifdef SYS_landlock_create_ruleset
    constexpr unsigned k_version_flag = 1;  // LANDLOCK_CREATE_RULESET_VERSION
    const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, k_version_flag);
    if (abi > 0) return {"Landlock", Health::ok, fmt::format("ABI {}", abi), ""};
#endif
    return {"Landlock", Health::weak, "this kernel does not offer it",
            "boot a kernel 5.13 or later with landlock in lsm="};
}

}  // namespace

std::vector<Check> judge_python(const PythonChoice& python, const PythonReport& report) {
    const std::string where = fmt::format("{} (from {})", python.program.string(), python.origin);
    if (!report.failure.empty())
        return {{"Python", Health::missing, fmt::format("{}: {}", where, report.failure),
                 "name another one with --python or KFORGE_PYTHON"}};
    std::vector<Check> checks;
    if (report.supported)
        checks.push_back({"Python", Health::ok, fmt::format("{}: {}", report.version, where), ""});
    else
        checks.push_back({"Python", Health::missing,
                          fmt::format("{} is too old, 3.10 is the oldest: {}", report.version, where),
                          "name another one with --python or KFORGE_PYTHON"});
    Check torch = package("torch", report.torch, report.torch_failure, python.program);
    if (torch.health == Health::ok && !torch_is_supported(report.torch))
        torch = {"torch", Health::missing, fmt::format("{} is too old, 2.6 is the oldest", report.torch),
                 fmt::format("{} -m pip install --upgrade torch", python.program.string())};
    checks.push_back(torch);
    checks.push_back(package("jinja2", report.jinja2, "", python.program));
    checks.push_back(package("numpy", report.numpy, "", python.program));
    if (report.headers.empty())
        checks.push_back({"Python.h", Health::weak, "not there: torch.compile needs it on the CPU",
                          "sudo apt-get install python3-dev"});
    else
        checks.push_back({"Python.h", Health::ok, report.headers, ""});
    return checks;
}

std::vector<Check> check_machine(const DoctorInput& input) {
    std::vector<Check> checks;
    const auto add = [&](std::vector<Check> more) { checks.insert(checks.end(), more.begin(), more.end()); };
    if (input.python.ok())
        add(judge_python(*input.python, check_python(input.python->program)));
    else
        add({{"Python", Health::missing, input.python.error().message,
              "name one with --python or KFORGE_PYTHON, or: sudo apt-get install python3 python3-venv"}});
    add(check_compiler(input.environment));
    add({check_writable("temporary folder", input.environment.temporary, "set TMPDIR to a writable folder"),
         check_writable("cache", input.cache, "set XDG_CACHE_HOME to a writable folder"),
         check_writable("working directory", input.directory, "name a writable run directory with --out"),
         check_namespaces(), check_landlock()});
    return checks;
}

bool is_healthy(const std::vector<Check>& checks) {
    return std::none_of(checks.begin(), checks.end(),
                        [](const Check& check) { return check.health == Health::missing; });
}

}  // namespace kforge
