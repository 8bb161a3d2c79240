// Reading tables of platform.toml: every failure names the line. Internal to the platform module.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "kforge/util/result.hpp"
#include "kforge/util/text.hpp"

namespace kforge::toml_reading {

inline Error fail(const toml::node& node, const std::string& what) {
    return Error{ErrorKind::config, fmt::format("line {}: {}", node.source().begin.line, what)};
}

inline Result<toml::table> parse(const std::string& toml_text) {
    try {
        return toml::parse(toml_text);
    } catch (const toml::parse_error& error) {
        return Error{ErrorKind::config,
                     fmt::format("line {}: {}", error.source().begin.line, std::string(error.description()))};
    }
}

inline Result<void> check_keys(const toml::table& table, const std::string& where,
                               const std::vector<std::string>& known) {
    for (const auto& [key, node] : table) {
        if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
        const std::string near = nearest(key.str(), known);
        return fail(node, fmt::format("unknown key '{}'{}; {}", std::string(key.str()), where,
                                      near.empty() ? "the keys are " + join(known, ", ")
                                                   : fmt::format("did you mean '{}'?", near)));
    }
    return {};
}

inline Result<std::string> text(const toml::table& table, const std::string& key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return fail(table, fmt::format("'{}' is missing", key));
    if (!node->is_string() || trim(node->as_string()->get()).empty())
        return fail(*node, fmt::format("'{}' needs a text", key));
    return node->as_string()->get();
}

inline Result<std::string> optional_text(const toml::table& table, const std::string& key) {
    return table.contains(key) ? text(table, key) : Result<std::string>(std::string());
}

// 0 when the key is absent.
inline Result<double> optional_number(const toml::table& table, const std::string& key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return 0.0;
    const auto value = node->value<double>();
    if (!value || !(*value > 0)) return fail(*node, fmt::format("'{}' needs a number above 0", key));
    return *value;
}

// False when the key is absent.
inline Result<bool> optional_flag(const toml::table& table, const std::string& key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return false;
    if (!node->is_boolean()) return fail(*node, fmt::format("'{}' needs true or false", key));
    return node->as_boolean()->get();
}

inline Result<std::vector<std::string>> texts(const toml::node& node, const std::string& key) {
    std::vector<std::string> list;
    const auto wrong = [&](const toml::node& where) {
        return fail(where, fmt::format("'{}' needs a list of texts", key));
    };
    if (!node.is_array()) return wrong(node);
    for (const toml::node& element : *node.as_array()) {
        if (!element.is_string()) return wrong(element);
        list.push_back(element.as_string()->get());
    }
    return list;
}

inline Result<std::vector<std::string>> optional_texts(const toml::table& table, const std::string& key) {
    const toml::node* node = table.get(key);
    return node == nullptr ? Result<std::vector<std::string>>(std::vector<std::string>()) : texts(*node, key);
}

inline Result<std::map<std::string, std::string>> optional_text_table(const toml::table& table,
                                                                      const std::string& key) {
    std::map<std::string, std::string> result;
    const toml::node* node = table.get(key);
    if (node == nullptr) return result;
    if (!node->is_table()) return fail(*node, fmt::format("'{}' needs a table of texts", key));
    for (const auto& [name, value] : *node->as_table()) {
        if (!value.is_string()) return fail(value, fmt::format("'{}' needs a table of texts", key));
        result[std::string(name.str())] = value.as_string()->get();
    }
    return result;
}

// The tables of [[key]]; none when it is absent.
inline Result<std::vector<const toml::table*>> tables(const toml::table& root, const std::string& key) {
    std::vector<const toml::table*> result;
    const toml::node* node = root.get(key);
    if (node == nullptr) return result;
    if (!node->is_array()) return fail(*node, fmt::format("'{}' needs tables: [[{}]]", key, key));
    for (const toml::node& element : *node->as_array()) {
        if (!element.is_table()) return fail(element, fmt::format("'{}' needs tables: [[{}]]", key, key));
        result.push_back(element.as_table());
    }
    return result;
}

}  // namespace kforge::toml_reading
