#include "kforge/arena/header_cache.hpp"

#include <fmt/format.h>
#include <re2/re2.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "kforge/util/sha256.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_most_headers = 4;  // half a gigabyte each
constexpr size_t k_most_kinds = 6;    // of compilers, PyTorchs and parts of its headers
constexpr size_t k_most_sets = 2;     // of flags in one candidate: each takes half a minute to prepare
constexpr auto k_limit = std::chrono::seconds(300);
// Beside what is precompiled: the compiler reads that once at the most, and a candidate that names the header
// itself names it a second time. One whose flags differ passes here as well.
constexpr const char* k_plain_header =
    "#ifndef KFORGE_EXTENSION_IS_THERE\n#include_next <torch/extension.h>\n#endif\n";

// Flags that say how to compile and nothing about files, programs or other languages.
bool is_plain_flag(const std::string& flag) {
    static const RE2 k_plain(
        R"(-O[0-3sgz]?|-Ofast|-march=[\w.+-]+|-mtune=[\w.+-]+|-m[a-z][\w.=+-]*|-std=[\w+]+|-g[0-3]?|-w|-pthread|)"
        R"(-f[a-z][\w=+-]*|-W[a-z][\w=+-]*|-D\w+(=[\w.+-]*)?)");
    static const RE2 k_not_plain(
        R"(-fplugin.*|-fdump.*|-fprofile.*|-fpch.*|-fsanitize.*|-fmodule.*|-fopt-info.*|)"
        R"(-fsyntax-only|-Wp,.*)");
    return RE2::FullMatch(flag, k_plain) && !RE2::FullMatch(flag, k_not_plain);
}

// The texts of a list such as ["-O3", '-fopenmp'], or nothing when it is more than that.
std::optional<std::vector<std::string>> read_list(re2::StringPiece text) {
    static const RE2 k_item(R"re(\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*,?)re");
    std::vector<std::string> items;
    std::string one, other;
    while (RE2::Consume(&text, k_item, &one, &other)) items.push_back(one.empty() ? other : one);
    return trim(std::string_view(text.data(), text.size())).empty() ? std::optional(items) : std::nullopt;
}

}  // namespace

std::string compiler_identity() {
    const Result<std::string> found = find_program("c++", inherit_environment({"PATH"}));
    if (!found.ok()) return "";
    std::error_code failure;
    const fs::path compiler = fs::canonical(*found, failure);
    struct stat facts {};
    if (failure || ::stat(compiler.c_str(), &facts) != 0) return "";
    return fmt::format("{} {} {}", compiler.string(), facts.st_size, facts.st_mtim.tv_sec);
}

bool builds_inline(const std::string& candidate) {
    static const RE2 k_call(R"(\bload_inline\s*\()");
    static const RE2 k_left_out(R"(torch\s*::\s*(nn|optim|data|jit|serialize|save|load)\b|\bautograd\s*::)");
    return RE2::PartialMatch(candidate, k_call) && !RE2::PartialMatch(candidate, k_left_out);
}

std::vector<std::vector<std::string>> inline_build_flags(const std::string& candidate) {
    static const RE2 k_flags(R"((?s)\bextra_cflags\s*=\s*(\[([^\]]*)\])?)");
    if (!builds_inline(candidate)) return {};
    std::vector<std::vector<std::string>> sets;
    re2::StringPiece text(candidate), list, items;
    while (RE2::FindAndConsume(&text, k_flags, &list, &items)) {
        const std::optional<std::vector<std::string>> flags =
            list.data() == nullptr ? std::nullopt : read_list(items);
        if (!flags || !std::all_of(flags->begin(), flags->end(), is_plain_flag)) return {};
        if (std::find(sets.begin(), sets.end(), *flags) == sets.end()) sets.push_back(*flags);
    }
    if (sets.empty()) sets.emplace_back();
    if (sets.size() > k_most_sets) return {};
    return sets;
}

bool needs_little(const std::string& candidate, const std::set<std::string>& operations) {
    static const RE2 k_unclear(
        R"(\busing\s+namespace\s+(at|torch|c10)\b|#\s*include\s*[<"](torch|c10|ATen)/)");
    static const RE2 k_include(R"(#\s*include\s*[<"](torch/extension|ATen/Parallel|ATen/Dispatch)\.h[>"])");
    static const RE2 k_name(R"(\b(?:at|torch|c10)\s*::\s*(\w+))");
    static const RE2 k_macro(R"(\b((?:AT|TORCH|PYBIND11)_\w+))");
    static const RE2 k_known_name(
        "Tensor|TensorOptions|TensorList|ScalarType|Scalar|Dtype|Device|DeviceType|MemoryFormat|"
        "IntArrayRef|ArrayRef|Half|BFloat16|optional|nullopt|parallel_for|get_num_threads|"
        "dtype|device|k[A-Z]\\w*|wrap_pybind_function");
    static const RE2 k_known_macro("AT_DISPATCH_\\w+|TORCH_CHECK\\w*|TORCH_EXTENSION_NAME|PYBIND11_MODULE");
    std::string text = candidate, name;
    RE2::GlobalReplace(&text, k_include, "");
    if (RE2::PartialMatch(text, k_unclear)) return false;
    for (re2::StringPiece rest(text); RE2::FindAndConsume(&rest, k_name, &name);)
        if (!operations.contains(name) && !RE2::FullMatch(name, k_known_name)) return false;
    for (re2::StringPiece rest(text); RE2::FindAndConsume(&rest, k_macro, &name);)
        if (!RE2::FullMatch(name, k_known_macro)) return false;
    return true;
}

bool lacks_header(const std::string& errors, const std::vector<std::string>& includes) {
    static const RE2 k_missing(
        R"((not a member of|incomplete type) [^\w\s]+(const )?(std|at|torch|c10|pybind11)\b)");
    // By its arguments an operation is found without its namespace.
    static const RE2 k_undeclared(R"((\w+)[^\w\s]+ was not declared in this scope)");
    if (RE2::PartialMatch(errors, k_missing)) return true;
    std::string name;
    std::error_code ignored;
    for (re2::StringPiece rest(errors); RE2::FindAndConsume(&rest, k_undeclared, &name);)
        for (const std::string& folder : includes)
            if (fs::exists(fs::path(folder) / "ATen" / "ops" / (name + ".h"), ignored)) return true;
    return false;
}

bool HeaderCache::give_all(const std::string& candidate) {
    const Result<Header> header = choose(candidate);
    return header.ok() && header->file != m_headers / "torch" / "extension.h" &&
           m_need_all.insert(candidate).second;
}

Result<HeaderCache::Header> HeaderCache::choose(const std::string& candidate) const {
    static const RE2 k_operation(R"(<ATen/ops/(\w+)\.h>)");
    const fs::path little = m_headers / "kernels" / "torch" / "extension.h";
    const fs::path tensors = m_headers / "tensors";
    const Result<std::string> text = read_file(little), types = read_file(tensors / "torch" / "types.h");
    if (text.ok() && types.ok() && !m_need_all.contains(candidate)) {
        std::set<std::string> operations;
        std::string name;
        for (re2::StringPiece rest(*types); RE2::FindAndConsume(&rest, k_operation, &name);)
            operations.insert(name);
        if (needs_little(candidate, operations)) return Header{little, {tensors}, *text + *types};
    }
    const fs::path most = m_headers / "torch" / "extension.h";
    TRY_ASSIGN(const std::string all, read_file(most));
    return Header{most, {m_headers}, all};
}

Result<void> HeaderCache::prepare(const std::string& candidate, const Toolchain& toolchain) {
    m_folder.clear();
    if (m_cache.empty()) return {};
    const std::vector<std::vector<std::string>> sets = inline_build_flags(candidate);
    if (sets.empty()) return {};
    const std::string compiler = compiler_identity();
    if (compiler.empty()) return {};
    const Result<Header> header = choose(candidate);
    if (!header.ok()) return {};
    const std::string identity = fmt::format("{} {} {} {}\n{}", compiler, toolchain.torch, toolchain.standard,
                                             join(toolchain.includes, " "), header->text);
    const fs::path folder = m_cache / "headers" / sha256_hex(identity).substr(0, 16);
    const fs::path headers = folder / "torch" / "extension.h.gch";
    for (const std::vector<std::string>& flags : sets) {
        const fs::path target = headers / sha256_hex(join(flags, "\n")).substr(0, 16);
        std::error_code failure;
        if (fs::exists(target, failure))
            fs::last_write_time(target, fs::file_time_type::clock::now(), failure);
        else
            TRY(precompile(*header, target, flags, toolchain));
    }
    std::error_code ignored;
    const fs::path plain = folder / "torch" / "extension.h";
    if (!fs::exists(plain, ignored) && !write_file_durable(plain, k_plain_header).ok()) return {};
    keep_newest(headers, k_most_headers);
    fs::last_write_time(folder, fs::file_time_type::clock::now(), ignored);
    keep_newest(folder.parent_path(), k_most_kinds);
    m_folder = folder;
    return {};
}

Result<void> HeaderCache::precompile(const Header& header, const fs::path& target,
                                     const std::vector<std::string>& flags, const Toolchain& toolchain) {
    if (!make_directories(target.parent_path()).ok()) return {};
    const Result<TemporaryDirectory> work = TemporaryDirectory::create(m_cache / "headers", ".making-");
    if (!work.ok()) return {};
    const fs::path made = fs::absolute(work->path()) / "header";
    ProcessSpec spec;
    spec.argv = {"c++", "-DTORCH_API_INCLUDE_EXTENSION_H"};
    for (const fs::path& folder : header.includes) spec.argv.push_back("-I" + fs::absolute(folder).string());
    for (const std::string& folder : toolchain.includes)
        spec.argv.insert(spec.argv.end(), {"-isystem", folder});
    spec.argv.insert(spec.argv.end(), {"-fPIC", "-std=" + toolchain.standard});  // as load_inline
    spec.argv.insert(spec.argv.end(), flags.begin(), flags.end());
    spec.argv.insert(spec.argv.end(),
                     {"-x", "c++-header", fs::absolute(header.file).string(), "-o", made.string()});
    spec.environment = toolchain.environment;
    spec.directory = work->path();  // whatever a flag makes the compiler write is removed with it
    spec.timeout = k_limit;
    const Result<ProcessOutcome> outcome = run_process(spec);
    if (!outcome.ok())
        return outcome.error().kind == ErrorKind::cancelled ? Result<void>(outcome.error()) : Result<void>();
    std::error_code failure;
    // A failure is not tried again: an empty file is no precompiled header.
    if (!outcome->status.success()) {
        std::ofstream{target};
        return {};
    }
    fs::permissions(made, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read, failure);
    fs::rename(made, target, failure);
    return {};
}

}  // namespace kforge
