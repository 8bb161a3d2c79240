#include "kforge/platform/platform_toml.hpp"

#include <re2/re2.h>

#include "kforge/platform/toml_reading.hpp"

namespace kforge {
namespace {

using namespace toml_reading;

const std::vector<std::string> k_sections = {"platform", "detect", "guard", "device", "check", "access"};
const std::vector<std::string> k_reasons = {"interpreted", "compiled", "parsed"};

Result<const toml::table*> section(const toml::table& root, const std::string& name,
                                   const std::vector<std::string>& keys) {
    const toml::node* node = root.get(name);
    if (node == nullptr || !node->is_table())
        return Error{ErrorKind::config, fmt::format("the table [{}] is missing", name)};
    TRY(check_keys(*node->as_table(), fmt::format(" in [{}]", name), keys));
    return node->as_table();
}

// A list of texts, or a table {what, run or script, hint, optional}.
Result<Probe> read_probe(const toml::node& node, const ReadPart& read_part) {
    Probe probe;
    const toml::node* run = &node;
    if (const toml::table* table = node.as_table()) {
        TRY(check_keys(*table, " in [[detect.commands]]", {"what", "run", "script", "hint", "optional"}));
        TRY_ASSIGN(probe.what, text(*table, "what"));
        TRY_ASSIGN(probe.hint, optional_text(*table, "hint"));
        TRY_ASSIGN(probe.optional, optional_flag(*table, "optional"));
        run = table->get("run");
        TRY_ASSIGN(const std::string script, optional_text(*table, "script"));
        if ((run == nullptr) == script.empty()) return fail(*table, "either 'run' or 'script' is needed");
        if (!script.empty()) {
            TRY_ASSIGN(const std::string program, read_part(script));
            probe.argv = {"{python}", "-c", program};
            return probe;
        }
    }
    TRY_ASSIGN(probe.argv, texts(*run, "commands"));
    if (probe.argv.empty()) return fail(node, "'commands' holds an empty command");
    return probe;
}

Result<void> read_detect(const toml::table& table, const ReadPart& read_part, Platform& platform) {
    if (table.contains("hint")) {
        TRY_ASSIGN(platform.detect_hint, text(table, "hint"));
    }
    const toml::node* commands = table.get("commands");
    if (commands == nullptr) return {};
    if (!commands->is_array())
        return fail(*commands, "'commands' needs a list of commands, each a list of texts");
    for (const toml::node& command : *commands->as_array()) {
        TRY_ASSIGN(Probe probe, read_probe(command, read_part));
        platform.detect.push_back(std::move(probe));
    }
    return {};
}

Result<DevicePeaks> read_device(const toml::table& table) {
    TRY(check_keys(
        table, " in [[device]]",
        {"name", "memory_gbs", "memory_gb", "l2_mb", "compute_units", "shared_kb", "tflops", "facts"}));
    DevicePeaks device;
    TRY_ASSIGN(device.name, text(table, "name"));
    if (const re2::RE2 pattern(device.name, re2::RE2::Quiet); !pattern.ok())
        return fail(table, fmt::format("'name' is no valid pattern: {}", pattern.error()));
    if (!table.contains("memory_gbs")) return fail(table, "'memory_gbs' is missing");
    TRY_ASSIGN(device.memory_gbs, optional_number(table, "memory_gbs"));
    TRY_ASSIGN(device.memory_gb, optional_number(table, "memory_gb"));
    TRY_ASSIGN(device.l2_mb, optional_number(table, "l2_mb"));
    TRY_ASSIGN(device.compute_units, optional_number(table, "compute_units"));
    TRY_ASSIGN(device.shared_kb, optional_number(table, "shared_kb"));
    TRY_ASSIGN(device.facts, text(table, "facts"));
    const toml::table* rates = table["tflops"].as_table();
    if (rates == nullptr) return fail(table, "'tflops' needs a table of numbers by dtype");
    for (const auto& [dtype, value] : *rates) {
        TRY_ASSIGN(device.tflops[std::string(dtype.str())],
                   optional_number(*rates, std::string(dtype.str())));
    }
    return device;
}

// Before those that are known: the first whose name fits counts.
Result<void> read_devices(const toml::table& root, Platform& platform) {
    TRY_ASSIGN(const auto found, tables(root, "device"));
    std::vector<DevicePeaks> devices;
    for (const toml::table* table : found) {
        TRY_ASSIGN(DevicePeaks device, read_device(*table));
        devices.push_back(std::move(device));
    }
    platform.devices.insert(platform.devices.begin(), devices.begin(), devices.end());
    return {};
}

Result<DeviceAccess> read_access(const toml::table& table) {
    DeviceAccess access;
    TRY_ASSIGN(access.files, optional_texts(table, "files"));
    TRY_ASSIGN(access.readable, optional_texts(table, "readable"));
    TRY_ASSIGN(access.environment, optional_texts(table, "environment"));
    return access;
}

// What platforms of a vendor may have in common. What is read later adds to what is known, or replaces it.
Result<void> read_device_parts(const toml::table& root, const ReadPart& read_part, Platform& platform) {
    if (root.contains("detect")) {
        TRY_ASSIGN(const toml::table* detect, section(root, "detect", {"commands", "hint"}));
        TRY(read_detect(*detect, read_part, platform));
    }
    if (root.contains("access")) {
        TRY_ASSIGN(const toml::table* access, section(root, "access", {"files", "readable", "environment"}));
        TRY_ASSIGN(platform.access, read_access(*access));
    }
    return read_devices(root, platform);
}

Result<void> read_include(const std::string& file, const ReadPart& read_part, Platform& platform) {
    TRY_ASSIGN(const std::string toml_text, read_part(file));
    const auto read = [&]() -> Result<void> {
        TRY_ASSIGN(const toml::table root, parse(toml_text));
        TRY(check_keys(root, "", {"detect", "access", "device"}));
        return read_device_parts(root, read_part, platform);
    };
    Result<void> included = read();
    return included.ok() ? included : included.error().within(file);
}

Result<OfflineCheck> read_check(const toml::table& table, const ReadPart& read_part) {
    TRY(check_keys(table, " in [[check]]",
                   {"name", "reason", "needs", "hint", "checker", "targets", "command", "options",
                    "environment", "shims"}));
    OfflineCheck check;
    TRY_ASSIGN(check.name, text(table, "name"));
    TRY_ASSIGN(check.reason, text(table, "reason"));
    if (std::find(k_reasons.begin(), k_reasons.end(), check.reason) == k_reasons.end())
        return fail(table, fmt::format("'reason' can be {}", join(k_reasons, ", ")));
    TRY_ASSIGN(check.hint, text(table, "hint"));
    if (const toml::array* needs = table["needs"].as_array()) {
        for (const toml::node& command : *needs) {
            TRY_ASSIGN(Probe probe, read_probe(command, read_part));
            check.needs.push_back(std::move(probe.argv));
        }
    }
    TRY_ASSIGN(check.targets, optional_texts(table, "targets"));
    TRY_ASSIGN(check.command, optional_texts(table, "command"));
    TRY_ASSIGN(check.options, optional_text_table(table, "options"));
    TRY_ASSIGN(check.environment, optional_text_table(table, "environment"));
    TRY_ASSIGN(check.shims, optional_text_table(table, "shims"));
    for (auto& [header, file] : check.shims) {
        TRY_ASSIGN(file, read_part(file));
    }
    TRY_ASSIGN(check.checker_name, optional_text(table, "checker"));
    if (!check.checker_name.empty()) {
        TRY_ASSIGN(check.checker, read_part(check.checker_name));
    } else if (check.reason != "interpreted") {
        return fail(table, "'checker' is missing: only an interpreted candidate is checked by its results");
    }
    return check;
}

}  // namespace

Result<PartNames> read_platform_toml(const std::string& toml_text, const ReadPart& read_part,
                                     Platform& platform) {
    TRY_ASSIGN(const toml::table root, parse(toml_text));
    TRY(check_keys(root, "", k_sections));
    TRY_ASSIGN(const toml::table* about, section(root, "platform",
                                                 {"title", "vendor", "dialect", "device", "language",
                                                  "profilers", "guides", "example", "includes", "preload"}));
    TRY_ASSIGN(platform.title, text(*about, "title"));
    TRY_ASSIGN(platform.vendor, text(*about, "vendor"));
    TRY_ASSIGN(platform.dialect, text(*about, "dialect"));
    TRY_ASSIGN(platform.device, text(*about, "device"));
    TRY_ASSIGN(platform.language, text(*about, "language"));
    TRY_ASSIGN(platform.profilers, optional_texts(*about, "profilers"));
    TRY_ASSIGN(const std::string preload, optional_text(*about, "preload"));
    if (!preload.empty()) {
        TRY_ASSIGN(platform.preload, read_part(preload));
    }
    PartNames parts;
    TRY_ASSIGN(parts.guides, optional_texts(*about, "guides"));
    if (about->contains("example")) {
        TRY_ASSIGN(parts.example, text(*about, "example"));
    }
    TRY_ASSIGN(const std::vector<std::string> includes, optional_texts(*about, "includes"));
    for (const std::string& file : includes) TRY(read_include(file, read_part, platform));
    TRY(read_device_parts(root, read_part, platform));
    if (platform.detect.empty() || platform.detect_hint.empty())
        return Error{ErrorKind::config, "the table [detect] needs 'commands' and a 'hint'"};
    TRY_ASSIGN(const auto checks, tables(root, "check"));
    for (const toml::table* table : checks) {
        TRY_ASSIGN(OfflineCheck check, read_check(*table, read_part));
        platform.checks.push_back(std::move(check));
    }
    TRY_ASSIGN(platform.guard, parse_guard_rules(toml_text, "platform " + platform.name, k_sections));
    return parts;
}

}  // namespace kforge
