#include "kforge/store/run_id.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <optional>
#include <random>

#include "kforge/store/journal.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_longest_word = 40;

std::string as_word(std::string_view name) {
    std::string word;
    for (const char c : name.substr(0, k_longest_word)) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || (!word.empty() && (c == '_' || c == '.')))
            word += c;
        else if (!word.empty() && word.back() != '-')
            word += '-';
    }
    while (!word.empty() && word.back() == '-') word.pop_back();
    return word.empty() ? "run" : word;
}

// When the run in `folder` was started; nothing when it is no run.
std::optional<std::string> start_time(const fs::path& folder) {
    std::ifstream file(folder / k_journal_name);
    std::string line;
    if (!std::getline(file, line) || file.eof()) return std::nullopt;
    const auto journal = parse_journal(line + "\n", folder / k_journal_name);
    if (!journal.ok() || journal->events.empty()) return std::nullopt;
    return journal->events.front().time;
}

struct Found {
    std::string started;
    fs::path path;
};

void collect(const fs::path& folder, std::vector<Found>& found) {
    if (auto started = start_time(folder)) {
        found.push_back({std::move(*started), folder});
        return;
    }
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) collect(entry.path(), found);
}

}  // namespace

std::string new_run_id(std::string_view problem, std::string_view platform) {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    char stamp[32];
    std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &utc);
    return fmt::format("{}-{}-{}-{:04x}", stamp, as_word(problem), as_word(platform),
                       std::random_device{}() & 0xFFFF);
}

std::vector<fs::path> find_runs(const fs::path& folder) {
    std::vector<Found> found;
    collect(folder, found);
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
        return std::tie(a.started, a.path) > std::tie(b.started, b.path);
    });
    std::vector<fs::path> paths;
    for (Found& run : found) paths.push_back(std::move(run.path));
    return paths;
}

}  // namespace kforge
