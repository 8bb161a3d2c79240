// RunConfig: every setting of one run, and the one table that names them. The same table reads kforge.toml
// and the command line, writes run.toml, checks unknown keys and prints --help.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kforge/util/fs.hpp"
#include "kforge/util/policy.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

struct RunConfig {
    std::string problem;           // path or name of a built-in problem, as the user gave it
    std::vector<std::string> set;  // NAME=VALUE: module-level constants of the problem, overridden
    std::string platform = "cpu-cpp";
    std::string llm;                  // generation agent
    std::string analysis_llm;         // empty: the same
    std::string strategy = "refine";  // refine, single, sample
    int iterations = 5;
    int samples = 1;   // sample: how many; refine: independent first tries, of which the best is refined
    int parallel = 1;  // LLM calls at once while sampling
    Policies policies;
    std::string jail = "auto";                  // auto, require, off
    std::vector<std::string> reference_kernel;  // FILE[:platform]
    std::vector<std::string> reference_from;    // run directories whose best kernels are reference kernels
    std::vector<std::string> aux;               // PATH[@iterations]
    std::vector<std::string> prompt_append;     // TEXT|@FILE[@iterations]
    std::vector<std::string> prompt_override;   // TEXT|@FILE[@iterations]
    std::string prompts;                        // folder of templates that come before the built-in ones
    std::vector<std::string> require_pattern;
    std::vector<std::string> ban_pattern;
    std::vector<std::string> hook;  // programs, run after each evaluation
    bool sanitize = false;          // on a GPU: correct candidates run once more under compute-sanitizer
    bool rank_by_hook = false;      // a hook's `score` ranks candidates instead of the speedup
    double hook_timeout_s = 60;
    double budget_usd = 0;  // caps on what LLMs may take; 0: none
    long budget_tokens = 0;
    long budget_calls = 0;
    double budget_minutes = 0;
    std::vector<std::string> baselines = {"eager", "compile"};
    double time_limit_s = 300;
    double call_limit_s = 20;
    double timing_budget_s = 5;
    long memory_limit_mb = 8192;
    std::string seed;    // empty: from the operating system
    std::string python;  // empty: found
    std::string out;     // run directory; empty: runs/<id>
};

enum class SettingKind { flag, integer, number, text, choice, list };

// What of a setting's text names a file: relative ones in a configuration file are relative to its folder.
enum class PathRole { none, input, input_after_at, output };

struct Setting {
    std::string key;           // TOML key and, with '-' for '_', the long option
    std::string short_option;  // "n" or empty
    SettingKind kind;
    std::vector<std::string> choices;
    std::string value_name;  // "FILE[:platform]"
    std::string help;
    std::string group;  // heading in --help
    // Sets from the text of an option; a list setting is given one element at a time and appends.
    std::function<Result<void>(RunConfig&, const std::string&)> set;
    std::function<std::vector<std::string>(const RunConfig&)> get;  // one element, or those of a list
    std::function<void(RunConfig&)> clear;                          // empties a list; none for other kinds
    PathRole path_role = PathRole::none;
};

// Settings of this group are options of every command.
inline constexpr std::string_view k_global_group = "Global";

const std::vector<Setting>& run_settings();
const Setting* find_setting(std::string_view key);  // nullptr when there is none
std::string option_name(const Setting& setting);    // "--analysis-llm"

// Applies the text of a kforge.toml or run.toml: an unknown key is a config error that names the file, the
// line and the nearest right key; [llms] and other known tables are skipped. Lists given in a file replace
// lists of an earlier file. Relative paths are taken from `folder` unless that is empty; what could be a name
// or a path (problem, python, ...) only where such a file exists.
Result<void> apply_toml(RunConfig& config, const std::string& toml_text, const std::string& origin,
                        const fs::path& folder = {});
// Every key with its value, in the order of the table.
std::string to_toml(const RunConfig& config);
// A kforge.toml to begin with: every key with its help and its default, all commented out.
std::string toml_template();

// Contradictions: samples with strategy single, rank_by_hook without a hook, a non-positive limit, ...
Result<void> check_conflicts(const RunConfig& config);

}  // namespace kforge
