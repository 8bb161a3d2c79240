#include "kforge/llm/entry_toml.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <limits>

#include "kforge/llm/command_line.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using Member = std::variant<std::string Llm::*, int Llm::*, double Llm::*, bool Llm::*,
                            std::optional<double> Llm::*, fs::path Llm::*, std::vector<std::string> Llm::*>;

struct Field {
    std::string_view key;
    Member member;
};

const Field k_fields[] = {
    {"provider", &Llm::provider},
    {"id", &Llm::id},
    {"base_url", &Llm::base_url},
    {"key_variable", &Llm::key_variable},
    {"key_command", &Llm::key_command},
    {"headers", &Llm::headers},
    {"ca_file", &Llm::ca_file},
    {"socket", &Llm::socket},
    {"allow_plain_http", &Llm::allow_plain_http},
    {"command", &Llm::command},
    {"directory", &Llm::directory},
    {"temperature", &Llm::temperature},
    {"effort", &Llm::effort},
    {"thinking", &Llm::thinking},
    {"max_output_tokens", &Llm::max_output_tokens},
    {"context_tokens", &Llm::context_tokens},
    {"timeout_s", &Llm::timeout_s},
    {"requests_per_minute", &Llm::requests_per_minute},
    {"tokens_per_minute", &Llm::tokens_per_minute},
    {"usd_per_million_input", &Llm::usd_per_million_input},
    {"usd_per_million_cached_input", &Llm::usd_per_million_cached_input},
    {"usd_per_million_cache_write", &Llm::usd_per_million_cache_write},
    {"usd_per_million_output", &Llm::usd_per_million_output},
    {"priced_to_tokens", &Llm::priced_to_tokens},
    {"sees_images", &Llm::sees_images},
    {"takes_effort", &Llm::takes_effort},
    {"caches_prompts", &Llm::caches_prompts},
    {"takes_batches", &Llm::takes_batches},
    {"batch", &Llm::batch},
    {"stream", &Llm::stream},
    {"facts_date", &Llm::facts_date},
};

// read(): sets the value, or says what was expected.
using Expected = std::optional<std::string>;

Expected read(const toml::node& node, const fs::path&, std::string& value) {
    if (!node.is_string()) return "a text";
    value = node.as_string()->get();
    return {};
}

Expected read(const toml::node& node, const fs::path&, int& value) {
    const auto* number = node.as_integer();
    if (number == nullptr || number->get() < 1 || number->get() > std::numeric_limits<int>::max())
        return "a positive whole number";
    value = static_cast<int>(number->get());
    return {};
}

Expected read(const toml::node& node, const fs::path&, double& value) {
    const std::optional<double> number = node.is_number() ? node.value<double>() : std::nullopt;
    if (!number || !std::isfinite(*number) || *number < 0) return "a number, not negative";
    value = *number;
    return {};
}

Expected read(const toml::node& node, const fs::path& folder, std::optional<double>& value) {
    return read(node, folder, value.emplace());
}

Expected read(const toml::node& node, const fs::path&, bool& value) {
    if (!node.is_boolean()) return "true or false";
    value = node.as_boolean()->get();
    return {};
}

Expected read(const toml::node& node, const fs::path& folder, fs::path& value) {
    if (!node.is_string()) return "a path as text";
    value = node.as_string()->get().empty() ? fs::path() : anchored(node.as_string()->get(), folder);
    return {};
}

Expected read(const toml::node& node, const fs::path&, std::vector<std::string>& value) {
    const char* expected = "an array of texts, or one text whose quotes are closed";
    value.clear();
    if (const auto* text = node.as_string()) {
        Result<std::vector<std::string>> words = split_command_line(text->get());
        if (!words.ok()) return expected;
        value = *words;
    } else if (const auto* array = node.as_array()) {
        for (const toml::node& word : *array) {
            if (!word.is_string()) return expected;
            value.push_back(word.as_string()->get());
        }
    } else {
        return expected;
    }
    return {};
}

void write(toml::table& table, std::string_view key, const std::string& value) {
    if (!value.empty()) table.insert(key, value);
}
void write(toml::table& table, std::string_view key, const fs::path& value) {
    write(table, key, value.string());
}
void write(toml::table& table, std::string_view key, int value) {
    if (value != 0) table.insert(key, value);  // 0: not set, and nothing that can be read
}
void write(toml::table& table, std::string_view key, double value) {
    table.insert(key, value);
}
void write(toml::table& table, std::string_view key, bool value) {
    table.insert(key, value);
}
void write(toml::table& table, std::string_view key, const std::optional<double>& value) {
    if (value) table.insert(key, *value);
}
void write(toml::table& table, std::string_view key, const std::vector<std::string>& value) {
    toml::array words;
    for (const std::string& word : value) words.push_back(word);
    if (!words.empty()) table.insert(key, std::move(words));
}

const Field* find_field(std::string_view key) {
    for (const Field& field : k_fields)
        if (field.key == key) return &field;
    return nullptr;
}

Error at(const toml::node& node, const std::string& message) {
    return Error{ErrorKind::config, fmt::format("line {}: {}", node.source().begin.line, message)};
}

Error unknown_key(const toml::node& node, std::string_view key) {
    std::vector<std::string> known;
    for (const Field& field : k_fields) known.emplace_back(field.key);
    const std::string near = nearest(key, known);
    return at(node,
              fmt::format("unknown key '{}' ({})", key,
                          near.empty() ? "the keys are " + join(known, ", ") : "did you mean " + near + "?"));
}

// Catches a key pasted where the name of its variable belongs.
bool is_variable_name(std::string_view name) {
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
    for (const char c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
    return true;
}

}  // namespace

Result<void> read_entry(const toml::table& table, const fs::path& folder, Llm& llm) {
    for (const auto& [key, node] : table) {
        const Field* field = find_field(key.str());
        if (field == nullptr) return unknown_key(node, key.str());
        const Expected expected =
            std::visit([&](auto member) { return read(node, folder, llm.*member); }, field->member);
        if (expected) return at(node, fmt::format("{} must be {}", key.str(), *expected));
    }
    // A program is relative to the file; a header with a slash in it is no program.
    if (table.contains("command")) anchor_program(llm.command, folder);
    if (table.contains("key_command")) anchor_program(llm.key_command, folder);
    if (const toml::node* node = table.get("key_variable");
        node != nullptr && !is_variable_name(llm.key_variable))
        return at(*node, "key_variable must be the name of an environment variable, not the key itself");
    return {};
}

toml::table write_entry(const Llm& llm) {
    toml::table table;
    for (const Field& field : k_fields)
        std::visit([&](auto member) { write(table, field.key, llm.*member); }, field.member);
    return table;
}

}  // namespace kforge
