#include "kforge/forge/run_config.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "kforge/forge/settings_toml.hpp"
#include "kforge/util/iteration_set.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using settings_toml::config_error;

constexpr std::string_view k_known_tables[] = {"llms", "guard"};

bool is_known_table(std::string_view key) {
    return std::find(std::begin(k_known_tables), std::end(k_known_tables), key) != std::end(k_known_tables);
}

std::string toml_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (byte < 0x20 || byte == 0x7F)
            out += fmt::format("\\u{:04X}", byte);
        else
            out += c;
    }
    return out + '"';
}

std::string_view expected_form(SettingKind kind) {
    switch (kind) {
        case SettingKind::flag:
            return "true or false";
        case SettingKind::integer:
            return "a whole number";
        case SettingKind::number:
            return "a number";
        case SettingKind::text:
        case SettingKind::choice:
            return "text in quotes";
        case SettingKind::list:
            return "a list of texts: [\"...\"]";
    }
    return "";
}

// The text that Setting::set takes; nothing when the value is of the wrong type.
std::optional<std::string> text_of(SettingKind kind, const toml::node& node) {
    switch (kind) {
        case SettingKind::flag:
            if (const auto value = node.as_boolean()) return value->get() ? "true" : "false";
            return std::nullopt;
        case SettingKind::integer:
            if (const auto value = node.as_integer()) return std::to_string(value->get());
            return std::nullopt;
        case SettingKind::number:
            if (const auto value = node.as_integer()) return std::to_string(value->get());
            if (const auto value = node.as_floating_point()) return fmt::format("{}", value->get());
            return std::nullopt;
        case SettingKind::text:
        case SettingKind::choice:
        case SettingKind::list:
            if (const auto value = node.as_string()) return value->get();
            return std::nullopt;
    }
    return std::nullopt;
}

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// `text` with its path made relative to `folder` rather than to the working directory.
std::string from_folder(PathRole role, const std::string& text, const fs::path& folder) {
    if (role == PathRole::none || folder.empty() || text.empty()) return text;
    if (role == PathRole::output)
        return fs::path(text).is_absolute() ? text : (folder / text).lexically_normal().string();
    const bool at = role == PathRole::input_after_at;
    if (at && text.front() != '@') return text;
    const std::string value = text.substr(at ? 1 : 0);
    if (value.empty() || value.front() == '/') return text;
    // The path ends where a platform or a set of iterations follows it, which it may itself look like.
    for (size_t end : {value.size(), value.rfind(':'), value.rfind('@')}) {
        if (end == std::string::npos || end == 0) continue;
        const fs::path path = (folder / value.substr(0, end)).lexically_normal();
        if (is_there(path)) return (at ? "@" : "") + path.string() + value.substr(end);
    }
    return text;
}

struct Target {
    RunConfig& config;
    const Setting& setting;
    const std::string& origin;
    const fs::path& folder;
};

Result<void> apply_value(const Target& target, const toml::node& node) {
    const Setting& setting = target.setting;
    const std::optional<std::string> text = text_of(setting.kind, node);
    if (!text)
        return config_error(target.origin, node.source(),
                            fmt::format("{} must be {}", setting.key, expected_form(setting.kind)));
    const auto done = setting.set(target.config, from_folder(setting.path_role, *text, target.folder));
    if (!done.ok())
        return config_error(target.origin, node.source(),
                            fmt::format("{}: {}", setting.key, done.error().message));
    return {};
}

Result<void> apply_node(const Target& target, const toml::node& node) {
    if (target.setting.kind != SettingKind::list) return apply_value(target, node);
    const toml::array* array = node.as_array();
    if (!array)
        return config_error(
            target.origin, node.source(),
            fmt::format("{} must be {}", target.setting.key, expected_form(SettingKind::list)));
    target.setting.clear(target.config);
    for (const toml::node& element : *array) TRY(apply_value(target, element));
    return {};
}

Error conflict(std::string message) {
    return Error{ErrorKind::usage, std::move(message)};
}

Result<void> check_selections(std::string_view key, const std::vector<std::string>& values) {
    for (const std::string& value : values)
        if (const auto selected = parse_selected(value); !selected.ok()) return selected.error().within(key);
    return {};
}

}  // namespace

namespace settings_toml {

Error config_error(const std::string& origin, const toml::source_region& where, std::string_view message) {
    return Error{ErrorKind::config, fmt::format("{}:{}: {}", origin, where.begin.line, message)};
}

Result<toml::table> parse(const std::string& toml_text, const std::string& origin) {
    try {
        return toml::parse(toml_text, origin);
    } catch (const toml::parse_error& error) {
        return config_error(origin, error.source(), error.description());
    }
}

std::string unknown_key(std::string_view key, const std::vector<std::string>& known) {
    const std::string near = nearest(key, known);
    return near.empty() ? fmt::format("unknown key '{}': kforge init writes a file with all keys", key)
                        : fmt::format("unknown key '{}': did you mean '{}'?", key, near);
}

Result<void> apply(RunConfig& config, const toml::key& key, const toml::node& node, const std::string& origin,
                   const fs::path& folder) {
    const Setting* setting = find_setting(key.str());
    if (setting) return apply_node({config, *setting, origin, folder}, node);
    std::vector<std::string> known(std::begin(k_known_tables), std::end(k_known_tables));
    for (const Setting& each : run_settings()) known.push_back(each.key);
    return config_error(origin, key.source(), unknown_key(key.str(), known));
}

std::string value_of(const Setting& setting, const RunConfig& config) {
    const std::vector<std::string> values = setting.get(config);
    switch (setting.kind) {
        case SettingKind::flag:
        case SettingKind::integer:
        case SettingKind::number:
            return values.front();
        case SettingKind::text:
        case SettingKind::choice:
            return toml_string(values.front());
        case SettingKind::list:
            break;
    }
    return list_of(values);
}

std::string text_of(std::string_view text) {
    return toml_string(text);
}

std::string list_of(const std::vector<std::string>& texts) {
    std::vector<std::string> elements;
    for (const std::string& text : texts) elements.push_back(toml_string(text));
    return "[" + join(elements, ", ") + "]";
}

}  // namespace settings_toml

using settings_toml::value_of;

Result<void> apply_toml(RunConfig& config, const std::string& toml_text, const std::string& origin,
                        const fs::path& folder) {
    TRY_ASSIGN(const toml::table table, settings_toml::parse(toml_text, origin));
    for (const auto& [key, node] : table)
        if (!is_known_table(key.str())) TRY(settings_toml::apply(config, key, node, origin, folder));
    return {};
}

std::string to_toml(const RunConfig& config) {
    std::string out;
    for (const Setting& setting : run_settings())
        out += fmt::format("{} = {}\n", setting.key, value_of(setting, config));
    return out;
}

std::string toml_template() {
    std::string out =
        "# Settings of KForge for this folder and those below it. The command line overrides them, and they\n"
        "# override those of the user's own kforge.toml. Remove the '#' before a key to set it.\n";
    std::string group;
    for (const Setting& setting : run_settings()) {
        if (setting.group != group) out += fmt::format("\n# {}\n", setting.group);
        group = setting.group;
        const std::string choices =
            setting.choices.empty() ? "" : fmt::format(" [{}]", fmt::join(setting.choices, ", "));
        out += fmt::format("\n# {}{}\n#{} = {}\n", setting.help, choices, setting.key,
                           value_of(setting, RunConfig{}));
    }
    out +=
        "\n# LLMs of your own (see kforge llms)\n"
        "#[llms.my-program]\n"
        "#provider = \"command\"\n"
        "#command = [\"./answer\", \"--fast\"]\n"
        "\n# Guardrails of your own\n"
        "#[[guard]]\n"
        "#name = \"no-inline-assembly\"\n"
        "#pattern = '\\basm\\b'\n"
        "#why = \"it must build on every compiler\"\n";
    return out;
}

Result<void> check_conflicts(const RunConfig& config) {
    for (const Setting& setting : run_settings()) {
        RunConfig scratch;
        if (setting.clear) setting.clear(scratch);
        for (const std::string& value : setting.get(config)) {
            if (sanitize(value).find("\xEF\xBF\xBD") != std::string::npos)
                return conflict(setting.key + ": the value is not valid UTF-8");
            if (const auto valid = setting.set(scratch, value); !valid.ok())
                return valid.error().within(setting.key);
        }
    }
    if (config.strategy == "single" && config.samples > 1)
        return conflict("samples above 1 make no sense with strategy single: use sample or refine");
    if (config.strategy == "refine" && config.parallel > config.samples)
        return conflict(fmt::format("parallel is {} but only {} first tries are asked for: raise samples",
                                    config.parallel, config.samples));
    if (config.rank_by_hook && config.hook.empty())
        return conflict("rank_by_hook needs a hook that prints a score: name one with hook");
    if (config.baselines.empty()) return conflict("baselines is empty: name eager, compile or both");
    if (config.call_limit_s > config.time_limit_s)
        return conflict(
            "call_limit_s is above time_limit_s: one call cannot have more time than all of them");
    if (config.timing_budget_s > config.time_limit_s)
        return conflict("timing_budget_s is above time_limit_s: timing is part of that time");
    TRY(check_selections("aux", config.aux));
    TRY(check_selections("prompt_append", config.prompt_append));
    return check_selections("prompt_override", config.prompt_override);
}

}  // namespace kforge
