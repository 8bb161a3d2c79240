#include "kforge/store/run_id.hpp"

#include <fmt/format.h>

#include <ctime>
#include <random>

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

}  // namespace kforge
