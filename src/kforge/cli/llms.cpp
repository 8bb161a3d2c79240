#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/llm_check.hpp"
#include "kforge/cli/table.hpp"
#include "kforge/llm/answer.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using nlohmann::json;

json optional(const std::optional<double>& value) {
    return value ? json(*value) : json();
}

std::string usd(const std::optional<double>& value) {
    return value ? fmt::format("${}", *value) : "unknown";
}

std::string prices(const Llm& llm) {
    if (!has_prices(llm)) return "unknown";
    if (*llm.usd_per_million_input == 0 && *llm.usd_per_million_output == 0) return "free";
    return usd(llm.usd_per_million_input) + " / " + usd(llm.usd_per_million_output);
}

std::string all_prices(const Llm& llm) {
    if (!has_prices(llm)) return "unknown (set usd_per_million_input and usd_per_million_output)";
    std::string text =
        fmt::format("input {}, output {}", usd(llm.usd_per_million_input), usd(llm.usd_per_million_output));
    if (llm.usd_per_million_cached_input) text += ", cached input " + usd(llm.usd_per_million_cached_input);
    if (llm.usd_per_million_cache_write) text += ", cache write " + usd(llm.usd_per_million_cache_write);
    if (llm.priced_to_tokens > 0) text += fmt::format(", for prompts up to {} tokens", llm.priced_to_tokens);
    return text;
}

std::string abilities(const Llm& llm) {
    std::vector<std::string> words;
    if (llm.sees_images) words.push_back("images");
    if (llm.takes_effort) words.push_back("effort");
    if (llm.caches_prompts) words.push_back("prompt caching");
    if (llm.takes_batches) words.push_back("batches");
    return words.empty() ? "text" : "text, " + join(words, ", ");
}

json to_json(const Llm& llm) {
    json object = {{"name", llm.name},
                   {"provider", llm.provider},
                   {"id", llm.id},
                   {"base_url", llm.base_url},
                   {"key_variable", llm.key_variable},
                   {"key", key_state(llm).text},
                   {"key_present", key_state(llm).present},
                   {"command", llm.command},
                   {"directory", llm.directory.string()},
                   {"effort", llm.effort},
                   {"thinking", llm.thinking},
                   {"max_output_tokens", llm.max_output_tokens},
                   {"context_tokens", llm.context_tokens},
                   {"timeout_s", llm.timeout_s},
                   {"requests_per_minute", llm.requests_per_minute},
                   {"tokens_per_minute", llm.tokens_per_minute},
                   {"usd_per_million_input", optional(llm.usd_per_million_input)},
                   {"usd_per_million_cached_input", optional(llm.usd_per_million_cached_input)},
                   {"usd_per_million_cache_write", optional(llm.usd_per_million_cache_write)},
                   {"usd_per_million_output", optional(llm.usd_per_million_output)},
                   {"priced_to_tokens", llm.priced_to_tokens},
                   {"sees_images", llm.sees_images},
                   {"takes_effort", llm.takes_effort},
                   {"caches_prompts", llm.caches_prompts},
                   {"takes_batches", llm.takes_batches},
                   {"facts_date", llm.facts_date},
                   {"origin", llm.origin}};
    if (llm.temperature) object["temperature"] = *llm.temperature;
    return object;
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
    add("key", key_state(llm).text);
    add("command", join(llm.command, " "));
    add("directory", llm.directory.string());
    add("temperature", llm.temperature ? fmt::format("{}", *llm.temperature) : "");
    add("effort", llm.effort);
    add("thinking", llm.thinking);
    add("tokens", fmt::format("{} in, {} out at most", llm.context_tokens, llm.max_output_tokens));
    add("timeout", fmt::format("{} s", llm.timeout_s));
    add("requests per minute", llm.requests_per_minute > 0 ? std::to_string(llm.requests_per_minute) : "");
    add("tokens per minute", llm.tokens_per_minute > 0 ? std::to_string(llm.tokens_per_minute) : "");
    add("USD per million", all_prices(llm));
    add("takes", abilities(llm));
    add("facts of", llm.facts_date);
    add("origin", llm.origin);
    return rows;
}

ExitCode list(Invocation& invocation, const LlmRegistry& registry) {
    json entries = json::array();
    std::vector<std::vector<std::string>> cells;
    for (const Llm& llm : registry.entries()) {
        entries.push_back(to_json(llm));
        cells.push_back(
            {llm.name, llm.provider, key_state(llm).text, prices(llm), llm.facts_date, llm.origin});
    }
    Terminal& terminal = invocation.terminal();
    if (invocation.json())
        terminal.print_json({{"llms", entries}, {"providers", provider_names()}});
    else
        terminal.print(
            render_table({{"llm"}, {"provider"}, {"key"}, {"USD/M in / out"}, {"facts of"}, {"origin"}},
                         cells, terminal.width()) +
            fmt::format("\nkforge llms show NAME tells more, kforge llms check NAME asks it something.\n"
                        "PROVIDER:ARGUMENT names one on the spot; providers: {}\n",
                        join(provider_names(), ", ")));
    return ExitCode::ok;
}

ExitCode show(Invocation& invocation, const Llm& llm) {
    if (invocation.json())
        invocation.terminal().print_json(to_json(llm));
    else
        invocation.terminal().print(
            fmt::format("{}\n\n{}", llm.name, render_table({{""}, {""}}, rows_of(llm))));
    return ExitCode::ok;
}

ExitCode check(Invocation& invocation, const Llm& llm) {
    Terminal& terminal = invocation.terminal();
    terminal.on_phase(0, 0, "asking " + llm.name);
    const Result<LlmCheck> checked = check_llm(
        llm, [&](std::string_view text) { terminal.on_llm_text(text); },
        [&](std::string_view note) { terminal.on_note(note); });
    terminal.stop_progress();
    if (!checked.ok()) give_up(checked.error());
    if (invocation.json())
        terminal.print_json(kforge::to_json(*checked));
    else
        terminal.print(fmt::format("{}\n\n{}", llm.name, render_table({{""}, {""}}, rows_of(*checked))));
    return exit_code_of(*checked);
}

}  // namespace

ExitCode llms_command(Invocation& invocation) {
    const LlmRegistry registry = load_llms(invocation);
    const std::optional<std::string> action = invocation.positional("show");
    if (!action) return list(invocation, registry);
    if (*action != "show" && *action != "check")
        throw Fatal(ExitCode::usage,
                    fmt::format("'{}' is nothing that kforge llms does: use kforge llms, kforge "
                                "llms show NAME or kforge llms check NAME",
                                *action));
    const std::optional<std::string> name = invocation.positional("NAME");
    if (!name)
        throw Fatal(ExitCode::usage,
                    fmt::format("{0} what? kforge llms lists the names for kforge llms {0} NAME", *action));
    const Llm llm = require(registry.find(*name));
    return *action == "show" ? show(invocation, llm) : check(invocation, llm);
}

}  // namespace kforge
