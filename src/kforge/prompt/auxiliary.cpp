#include "kforge/prompt/auxiliary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_file_limit = 64 << 10;
constexpr size_t k_total_limit = 256 << 10;
constexpr size_t k_names_in_note = 3;

constexpr std::array<std::pair<std::string_view, std::string_view>, 23> k_languages = {{
    {".py", "python"}, {".pyi", "python"},  {".c", "c"},       {".h", "cpp"},     {".cc", "cpp"},
    {".cpp", "cpp"},   {".cxx", "cpp"},     {".hpp", "cpp"},   {".inl", "cpp"},   {".cu", "cuda"},
    {".cuh", "cuda"},  {".hip", "cpp"},     {".metal", "cpp"}, {".ptx", "ptx"},   {".s", "asm"},
    {".S", "asm"},     {".md", "markdown"}, {".json", "json"}, {".toml", "toml"}, {".yaml", "yaml"},
    {".yml", "yaml"},  {".sh", "bash"},     {".rs", "rust"},
}};

std::string language_of(const fs::path& path) {
    const std::string extension = path.extension().string();
    for (const auto& [ending, language] : k_languages)
        if (extension == ending) return std::string(language);
    return {};
}

bool is_text(const std::string& content) {
    return content.find('\0') == std::string::npos &&
           (content.find("\xEF\xBF\xBD") != std::string::npos ||
            sanitize(content).find("\xEF\xBF\xBD") == std::string::npos);
}

// Build products and the folders of tools: nobody means these when naming a source folder.
bool is_noise(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with('.') || name == "__pycache__";
}

struct LeftOut {
    std::string why;
    std::vector<std::string> names;
};

void add_note(const LeftOut& left_out, std::vector<std::string>& notes) {
    const size_t count = left_out.names.size();
    if (count == 0) return;
    const size_t shown = std::min(count, k_names_in_note);
    const std::vector<std::string> first(left_out.names.begin(), left_out.names.begin() + shown);
    notes.push_back(fmt::format("not shown, {}: {}{}", left_out.why, join(first, ", "),
                                count > shown ? fmt::format(" and {} more", count - shown) : ""));
}

Result<std::vector<fs::path>> regular_files_below(const fs::path& path) {
    std::error_code failure;
    if (!fs::is_directory(path)) return std::vector<fs::path>{path};
    std::vector<fs::path> files;
    fs::recursive_directory_iterator it(path, failure);
    for (; !failure && it != fs::recursive_directory_iterator(); it.increment(failure)) {
        if (is_noise(it->path())) {
            it.disable_recursion_pending();
        } else if (std::error_code ignored; it->is_regular_file(ignored)) {
            files.push_back(it->path());
        }
    }
    if (failure)
        return Error{ErrorKind::usage,
                     fmt::format("auxiliary folder {}: {}", path.string(), failure.message())};
    std::sort(files.begin(), files.end());
    return files;
}

Result<AuxiliaryCode> load(const fs::path& root, size_t& total) {
    AuxiliaryCode code;
    LeftOut binary{"binary", {}};
    LeftOut huge{fmt::format("larger than {} KB", k_file_limit >> 10), {}};
    TRY_ASSIGN(const std::vector<fs::path> files, regular_files_below(root));
    for (const fs::path& file : files) {
        const std::string shown = file.lexically_relative(root.parent_path()).generic_string();
        std::error_code ignored;
        if (fs::file_size(file, ignored) > k_file_limit) {
            huge.names.push_back(shown);
            continue;
        }
        Result<std::string> content = read_file(file);
        if (!content.ok()) return Error{ErrorKind::usage, content.error().message};
        if (!is_text(*content)) {
            binary.names.push_back(shown);
            continue;
        }
        total += content->size();
        if (total > k_total_limit)
            return Error{ErrorKind::usage,
                         fmt::format("auxiliary code: with {} it is more than the {} KB that a prompt should "
                                     "carry; name fewer files, or a smaller folder",
                                     shown, k_total_limit >> 10)};
        code.files.push_back({shown, std::move(*content), language_of(file)});
    }
    add_note(binary, code.notes);
    add_note(huge, code.notes);
    return code;
}

}  // namespace

Result<Auxiliary> Auxiliary::parse(const std::vector<std::string>& options) {
    Auxiliary auxiliary;
    size_t total = 0;
    for (const std::string& option : options) {
        TRY_ASSIGN(Selected selected, parse_selected(option));
        std::error_code failure;
        // Canonical, so that "lib", "./lib/" and a link to it are one path with one name.
        const fs::path path = fs::canonical(selected.value, failure);
        if (failure)
            return Error{ErrorKind::usage,
                         fmt::format("auxiliary path '{}': {} (write PATH or PATH@iterations)",
                                     selected.value, failure.message())};
        for (const Entry& entry : auxiliary.m_entries)
            if (entry.path != path && entry.path.filename() == path.filename())
                return Error{ErrorKind::usage,
                             fmt::format("auxiliary paths {} and {} have the same name, so a candidate could "
                                         "import only one of them; rename one",
                                         entry.path.string(), path.string())};
        TRY_ASSIGN(AuxiliaryCode code, load(path, total));
        auxiliary.m_entries.push_back({path, std::move(selected.iterations), std::move(code)});
    }
    return auxiliary;
}

std::vector<fs::path> Auxiliary::paths_for(int iteration) const {
    std::vector<fs::path> paths;
    for (const Entry& entry : m_entries)
        if (entry.iterations.contains(iteration) &&
            std::find(paths.begin(), paths.end(), entry.path) == paths.end())
            paths.push_back(entry.path);
    return paths;
}

AuxiliaryCode Auxiliary::code_for(int iteration) const {
    AuxiliaryCode code;
    std::vector<fs::path> seen;
    for (const Entry& entry : m_entries) {
        if (!entry.iterations.contains(iteration) ||
            std::find(seen.begin(), seen.end(), entry.path) != seen.end())
            continue;
        seen.push_back(entry.path);
        code.files.insert(code.files.end(), entry.code.files.begin(), entry.code.files.end());
        code.notes.insert(code.notes.end(), entry.code.notes.begin(), entry.code.notes.end());
    }
    return code;
}

}  // namespace kforge
