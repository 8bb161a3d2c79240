#include "kforge/platform/platform_toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "kforge/util/text.hpp"

namespace kforge {

namespace {

const std::vector<std::string> k_sections = {"platform", "detect", "guard"};

Error fail(const toml::node& node, const std::string& what) {
    return Error{ErrorKind::config, fmt::format("line {}: {}", node.source().begin.line, what)};
}

Result<void> check_keys(const toml::table& table, const std::string& where,
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

Result<const toml::table*> section(const toml::table& root, const std::string& name,
                                   const std::vector<std::string>& keys) {
    const toml::node* node = root.get(name);
    if (node == nullptr || !node->is_table())
        return Error{ErrorKind::config, fmt::format("the table [{}] is missing", name)};
    TRY(check_keys(*node->as_table(), fmt::format(" in [{}]", name), keys));
    return node->as_table();
}

Result<std::string> text(const toml::table& table, const std::string& key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return fail(table, fmt::format("'{}' is missing", key));
    if (!node->is_string() || trim(node->as_string()->get()).empty())
        return fail(*node, fmt::format("'{}' needs a text", key));
    return node->as_string()->get();
}

Result<std::vector<std::string>> texts(const toml::node& node, const std::string& key) {
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

Result<void> read_detect(const toml::table& table, Platform& platform) {
    TRY_ASSIGN(platform.detect_hint, text(table, "hint"));
    const toml::node* commands = table.get("commands");
    if (commands == nullptr || !commands->is_array())
        return fail(commands ? *commands : table,
                    "'commands' needs a list of commands, each a list of texts");
    for (const toml::node& command : *commands->as_array()) {
        TRY_ASSIGN(std::vector<std::string> argv, texts(command, "commands"));
        if (argv.empty()) return fail(command, "'commands' holds an empty command");
        platform.detect.push_back(std::move(argv));
    }
    return {};
}

Result<toml::table> parse(const std::string& toml_text) {
    try {
        return toml::parse(toml_text);
    } catch (const toml::parse_error& error) {
        return Error{ErrorKind::config,
                     fmt::format("line {}: {}", error.source().begin.line, std::string(error.description()))};
    }
}

}  // namespace

Result<void> read_platform_toml(const std::string& toml_text, Platform& platform) {
    TRY_ASSIGN(const toml::table root, parse(toml_text));
    TRY(check_keys(root, "", k_sections));
    TRY_ASSIGN(const toml::table* about,
               section(root, "platform", {"title", "vendor", "dialect", "device", "language", "profilers"}));
    TRY_ASSIGN(platform.title, text(*about, "title"));
    TRY_ASSIGN(platform.vendor, text(*about, "vendor"));
    TRY_ASSIGN(platform.dialect, text(*about, "dialect"));
    TRY_ASSIGN(platform.device, text(*about, "device"));
    TRY_ASSIGN(platform.language, text(*about, "language"));
    if (const toml::node* profilers = about->get("profilers")) {
        TRY_ASSIGN(platform.profilers, texts(*profilers, "profilers"));
    }
    TRY_ASSIGN(const toml::table* detect, section(root, "detect", {"commands", "hint"}));
    TRY(read_detect(*detect, platform));
    TRY_ASSIGN(platform.guard, parse_guard_rules(toml_text, "platform " + platform.name, k_sections));
    return {};
}

}  // namespace kforge
