#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/table.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

std::string key_state(const Llm& llm) {
    if (llm.key_variable.empty()) return "not needed";
    return environment_has(llm.key_variable) ? "present" : llm.key_variable + " is not set";
}

std::string prices(const Llm& llm) {
    if (llm.usd_per_million_input == 0 && llm.usd_per_million_output == 0) return "";
    return fmt::format("${:.2f} / ${:.2f}", llm.usd_per_million_input, llm.usd_per_million_output);
}

nlohmann::json to_json(const Llm& llm) {
    nlohmann::json json = {{"name", llm.name},
                           {"provider", llm.provider},
                           {"id", llm.id},
                           {"base_url", llm.base_url},
                           {"key_variable", llm.key_variable},
                           {"key", key_state(llm)},
                           {"command", llm.command},
                           {"directory", llm.directory.string()},
                           {"effort", llm.effort},
                           {"max_output_tokens", llm.max_output_tokens},
                           {"context_tokens", llm.context_tokens},
                           {"timeout_s", llm.timeout_s},
                           {"usd_per_million_input", llm.usd_per_million_input},
                           {"usd_per_million_output", llm.usd_per_million_output},
                           {"sees_images", llm.sees_images},
                           {"origin", llm.origin}};
    if (llm.temperature) json["temperature"] = *llm.temperature;
    return json;
}

// Rows without a value are left out.
std::vector<std::vector<std::string>> rows_of(const Llm& llm) {
    std::vector<std::vector<std::string>> rows;
    const auto add = [&](std::string name, std::string value) {
        if (!value.empty()) rows.push_back({std::move(name), std::move(value)});
    };
    add("provider", llm.provider);
    add("id", llm.id);
    add("base_url", llm.base_url);
    add("key", key_state(llm));
    add("command", join(llm.command, " "));
    add("directory", llm.directory.string());
    add("temperature", llm.temperature ? fmt::format("{}", *llm.temperature) : "");
    add("effort", llm.effort);
    add("tokens", fmt::format("{} in, {} out at most", llm.context_tokens, llm.max_output_tokens));
    add("timeout", fmt::format("{} s", llm.timeout_s));
    add("USD per million", prices(llm));
    add("sees images", llm.sees_images ? "yes" : "no");
    add("origin", llm.origin);
    return rows;
}

}  // namespace

ExitCode llms_command(Invocation& invocation) {
    const LlmRegistry registry = load_llms(invocation);
    Terminal& terminal = invocation.terminal();
    if (const std::optional<std::string> name = invocation.shown_name()) {
        const Llm llm = require(registry.find(*name));
        if (invocation.json())
            terminal.print_json(to_json(llm));
        else
            terminal.print(fmt::format("{}\n\n{}", llm.name, render_table({{""}, {""}}, rows_of(llm))));
        return ExitCode::ok;
    }
    nlohmann::json entries = nlohmann::json::array();
    std::vector<std::vector<std::string>> cells;
    for (const Llm& llm : registry.entries()) {
        entries.push_back(to_json(llm));
        cells.push_back({llm.name, llm.provider, llm.id, key_state(llm), prices(llm), llm.origin});
    }
    if (invocation.json())
        terminal.print_json({{"llms", entries}, {"providers", provider_names()}});
    else
        terminal.print(render_table({{"llm"}, {"provider"}, {"id"}, {"key"}, {"USD/M in, out"}, {"origin"}},
                                    cells, terminal.width()) +
                       fmt::format("\nPROVIDER:ARGUMENT names one on the spot; providers: {}\n",
                                   join(provider_names(), ", ")));
    return ExitCode::ok;
}

}  // namespace kforge
