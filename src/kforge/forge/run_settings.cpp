#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kforge/forge/run_config.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using Texts = std::vector<std::string>;

Error bad_value(std::string message) {
    return Error{ErrorKind::usage, std::move(message)};
}

Result<void> check_choice(const Texts& choices, const std::string& text) {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return {};
    return bad_value(fmt::format("'{}' is not one of {}", text, fmt::join(choices, ", ")));
}

template <typename Number>
Result<Number> parse_number(const std::string& text, Number minimum, bool exclusive, const char* what) {
    Number value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(static_cast<double>(value)))
        return bad_value(fmt::format("'{}' is not {}", text, what));
    if (value < minimum || (exclusive && value == minimum))
        return bad_value(fmt::format("{} is too small: it must be {} {}", text,
                                     exclusive ? "more than" : "at least", minimum));
    return value;
}

// Setting builders, one per kind: rows of the table say only what differs.
Setting row(std::string group, std::string key, SettingKind kind, std::string value_name, std::string help) {
    Setting setting;
    setting.group = std::move(group);
    setting.key = std::move(key);
    setting.kind = kind;
    setting.value_name = std::move(value_name);
    setting.help = std::move(help);
    return setting;
}

Setting text(std::string group, std::string key, std::string RunConfig::*member, std::string value_name,
             std::string help, PathRole role = PathRole::none) {
    Setting setting = row(group, key, SettingKind::text, value_name, help);
    setting.path_role = role;
    setting.set = [member](RunConfig& config, const std::string& value) -> Result<void> {
        config.*member = value;
        return {};
    };
    setting.get = [member](const RunConfig& config) { return Texts{config.*member}; };
    return setting;
}

Setting choice(std::string group, std::string key, std::string RunConfig::*member, Texts choices,
               std::string help) {
    Setting setting = text(group, key, member, fmt::format("{}", fmt::join(choices, "|")), help);
    setting.kind = SettingKind::choice;
    setting.choices = choices;
    setting.set = [member, choices](RunConfig& config, const std::string& value) -> Result<void> {
        TRY(check_choice(choices, value));
        config.*member = value;
        return {};
    };
    return setting;
}

template <typename Enum>
Setting policy(std::string key, Enum Policies::*member, Result<Enum> (*parse)(std::string_view),
               Texts choices, std::string help) {
    Setting setting =
        row("Policies", key, SettingKind::choice, fmt::format("{}", fmt::join(choices, "|")), help);
    setting.choices = choices;
    setting.set = [member, parse](RunConfig& config, const std::string& value) -> Result<void> {
        TRY_ASSIGN(config.policies.*member, parse(value));
        return {};
    };
    setting.get = [member](const RunConfig& config) {
        return Texts{std::string(to_string(config.policies.*member))};
    };
    return setting;
}

template <typename Integer>
Setting integer(std::string group, std::string key, Integer RunConfig::*member, long minimum,
                std::string help) {
    Setting setting = row(group, key, SettingKind::integer, "N", help);
    setting.set = [member, minimum](RunConfig& config, const std::string& value) -> Result<void> {
        TRY_ASSIGN(config.*member,
                   parse_number(value, static_cast<Integer>(minimum), false, "a whole number in range"));
        return {};
    };
    setting.get = [member](const RunConfig& config) { return Texts{std::to_string(config.*member)}; };
    return setting;
}

enum class Zero { allowed, refused };

Setting number(std::string group, std::string key, double RunConfig::*member, Zero zero,
               std::string value_name, std::string help) {
    Setting setting = row(group, key, SettingKind::number, value_name, help);
    setting.set = [member, zero](RunConfig& config, const std::string& value) -> Result<void> {
        TRY_ASSIGN(config.*member, parse_number(value, 0.0, zero == Zero::refused, "a number"));
        return {};
    };
    setting.get = [member](const RunConfig& config) { return Texts{fmt::format("{}", config.*member)}; };
    return setting;
}

Setting list(std::string group, std::string key, Texts RunConfig::*member, std::string value_name,
             std::string help, PathRole role = PathRole::none) {
    Setting setting = row(group, key, SettingKind::list, value_name, help);
    setting.path_role = role;
    setting.set = [member](RunConfig& config, const std::string& value) -> Result<void> {
        if (value.empty()) return bad_value("an empty value");
        (config.*member).push_back(value);
        return {};
    };
    setting.get = [member](const RunConfig& config) { return config.*member; };
    setting.clear = [member](RunConfig& config) { (config.*member).clear(); };
    return setting;
}

Setting reference_kernels() {
    Setting setting = list("Prompt", "reference_kernel", &RunConfig::reference_kernel, "FILE[:PLATFORM]",
                           "a kernel for another platform to translate from", PathRole::input);
    const auto add = setting.set;
    setting.set = [add](RunConfig& config, const std::string& value) -> Result<void> {
        if (value.ends_with(':'))
            return bad_value(fmt::format("'{}' names no platform after the colon", value));
        return add(config, value);
    };
    return setting;
}

Setting constants() {
    Setting setting = list("Problem", "set", &RunConfig::set, "NAME=VALUE",
                           "override a module-level constant of the problem");
    setting.set = [](RunConfig& config, const std::string& value) -> Result<void> {
        const size_t equals = value.find('=');
        if (equals == 0 || equals == std::string::npos)
            return bad_value(fmt::format("'{}' is not of the form NAME=VALUE", value));
        config.set.push_back(value);
        return {};
    };
    return setting;
}

// A list of choices; "a,b" on the command line is two of them.
Setting choices(std::string group, std::string key, Texts words, std::string help,
                std::function<void(RunConfig&, const std::string&)> add,
                std::function<Texts(const RunConfig&)> get, std::function<void(RunConfig&)> clear) {
    Setting setting = row(group, key, SettingKind::list, fmt::format("{}", fmt::join(words, "|")), help);
    setting.choices = words;
    setting.set = [words, add](RunConfig& config, const std::string& value) -> Result<void> {
        for (const std::string& piece : split(value, ',')) {
            const std::string word(trim(piece));
            TRY(check_choice(words, word));
            add(config, word);
        }
        return {};
    };
    setting.get = std::move(get);
    setting.clear = std::move(clear);
    return setting;
}

Setting requirements() {
    return choices(
        "Policies", "require", {"batch", "strides", "kernels"},
        "what must hold beyond the given shapes: other leading sizes, non-contiguous inputs, kernels of its "
        "own",
        [](RunConfig& config, const std::string& word) {
            if (word == "batch") config.policies.require_batch = true;
            if (word == "strides") config.policies.require_strides = true;
            if (word == "kernels") config.policies.kernels = Kernels::required;
        },
        [](const RunConfig& config) {
            Texts words;
            if (config.policies.require_batch) words.push_back("batch");
            if (config.policies.require_strides) words.push_back("strides");
            if (config.policies.kernels == Kernels::required) words.push_back("kernels");
            return words;
        },
        [](RunConfig& config) {
            config.policies.require_batch = config.policies.require_strides = false;
            config.policies.kernels = Kernels::any;
        });
}

Setting baselines() {
    return choices(
        "Evaluation", "baselines", {"eager", "compile"}, "what the candidate is timed against",
        [](RunConfig& config, const std::string& word) {
            Texts& all = config.baselines;
            if (std::find(all.begin(), all.end(), word) == all.end()) all.push_back(word);
        },
        [](const RunConfig& config) { return config.baselines; },
        [](RunConfig& config) { config.baselines.clear(); });
}

Setting flag(const char* group, const char* key, bool RunConfig::*member, const char* help) {
    Setting setting = row(group, key, SettingKind::flag, "", help);
    setting.set = [member](RunConfig& config, const std::string& value) -> Result<void> {
        TRY(check_choice({"true", "false"}, value));
        config.*member = value == "true";
        return {};
    };
    setting.get = [member](const RunConfig& config) { return Texts{config.*member ? "true" : "false"}; };
    return setting;
}

Setting with_short(std::string short_option, Setting setting) {
    setting.short_option = std::move(short_option);
    return setting;
}

std::vector<Setting> make_settings() {
    using C = RunConfig;
    return {
        text("Problem", "problem", &C::problem, "PROBLEM", "a problem's file or name (see kforge problems)",
             PathRole::input),
        constants(),
        with_short("p",
                   text("Problem", "platform", &C::platform, "NAME", "the target (see kforge platforms)")),
        with_short("l", text("Agents", "llm", &C::llm, "NAME",
                             "the LLM that writes kernels (see kforge llms), or PROVIDER:ARGUMENT")),
        text("Agents", "analysis_llm", &C::analysis_llm, "NAME",
             "the LLM that reads profiles; the same one when empty"),
        with_short("s", choice("Agents", "strategy", &C::strategy, {"refine", "single", "sample"},
                               "iterate on one candidate, ask once, or draw independent samples")),
        with_short("n", integer("Agents", "iterations", &C::iterations, 1, "how many iterations")),
        integer("Agents", "samples", &C::samples, 1,
                "sample: how many; refine: first tries, of which the best is refined"),
        integer("Agents", "parallel", &C::parallel, 1, "LLM calls at once while sampling"),
        policy("precision", &Policies::precision, parse_precision, {"strict", "accurate", "mixed"},
               "the arithmetic a candidate may use"),
        policy("weights", &Policies::weights, parse_weights, {"frozen", "live"},
               "whether weights may be prepared once, or change between calls"),
        requirements(),
        policy("mode", &Policies::mode, parse_mode, {"as_is", "eval"},
               "whether the module is put in eval mode"),
        list("Auxiliary code", "aux", &C::aux, "PATH[@ITERATIONS]",
             "code shown in the prompt and importable by candidates", PathRole::input),
        reference_kernels(),
        list("Prompt", "reference_from", &C::reference_from, "RUN",
             "the best kernel of another run, to translate from", PathRole::input),
        list("Prompt", "prompt_append", &C::prompt_append, "TEXT|@FILE[@ITERATIONS]",
             "text added to the prompt", PathRole::input_after_at),
        list("Prompt", "prompt_override", &C::prompt_override, "TEXT|@FILE[@ITERATIONS]",
             "text that replaces the prompt", PathRole::input_after_at),
        text("Prompt", "prompts", &C::prompts, "DIR", "templates that come before the built-in ones",
             PathRole::input),
        list("Guardrails", "require_pattern", &C::require_pattern, "REGEX",
             "candidates must match this (RE2)"),
        list("Guardrails", "ban_pattern", &C::ban_pattern, "REGEX", "candidates must not match this (RE2)"),
        list("Hooks", "hook", &C::hook, "PROGRAM", "run after each evaluation", PathRole::input),
        flag("Hooks", "rank_by_hook", &C::rank_by_hook,
             "rank candidates by a hook's score instead of the speedup"),
        number("Hooks", "hook_timeout_s", &C::hook_timeout_s, Zero::refused, "SECONDS",
               "a hook that takes longer is stopped"),
        number("Budget", "budget_usd", &C::budget_usd, Zero::allowed, "USD",
               "never spend more than this on LLMs; 0: no cap"),
        integer("Budget", "budget_tokens", &C::budget_tokens, 0,
                "never use more tokens, input and output; 0: no cap"),
        integer("Budget", "budget_calls", &C::budget_calls, 0, "ask LLMs at most this often; 0: no cap"),
        number("Budget", "budget_minutes", &C::budget_minutes, Zero::allowed, "MINUTES",
               "begin no step after this much work on the run; 0: no cap"),
        baselines(),
        number("Evaluation", "time_limit_s", &C::time_limit_s, Zero::refused, "SECONDS",
               "for one candidate, building included"),
        number("Evaluation", "call_limit_s", &C::call_limit_s, Zero::refused, "SECONDS",
               "for one forward call"),
        number("Evaluation", "timing_budget_s", &C::timing_budget_s, Zero::refused, "SECONDS",
               "for the timed series of one candidate"),
        integer("Evaluation", "memory_limit_mb", &C::memory_limit_mb, 1, "memory of one candidate"),
        flag("Evaluation", "sanitize", &C::sanitize,
             "on a GPU, run correct candidates once more under compute-sanitizer (elsewhere the "
             "verdict says that it was not done)"),
        choice("Evaluation", "jail", &C::jail, {"auto", "require", "off"},
               "what to do where the jail is incomplete: go on, refuse, or use none"),
        text("Evaluation", "seed", &C::seed, "TEXT", "fixes the secret inputs; empty: new ones every time"),
        with_short("o", text("Output", "out", &C::out, "DIR", "the run directory; empty: runs/<id>",
                             PathRole::output)),
        text(std::string(k_global_group), "python", &C::python, "PROGRAM",
             "the Python that has PyTorch; empty: looked for", PathRole::input),
    };
}

}  // namespace

const std::vector<Setting>& run_settings() {
    static const std::vector<Setting> settings = make_settings();
    return settings;
}

const Setting* find_setting(std::string_view key) {
    for (const Setting& setting : run_settings())
        if (setting.key == key) return &setting;
    return nullptr;
}

std::string option_name(const Setting& setting) {
    std::string name = "--" + setting.key;
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

}  // namespace kforge
