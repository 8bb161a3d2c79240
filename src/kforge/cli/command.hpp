// Command: one row of the command table: what it is called, what it takes and the function that does it.
// Pure data; who parses arguments or prints help reads it.
#pragma once

#include <string_view>
#include <vector>

#include "kforge/util/errors.hpp"

namespace kforge {

class Invocation;

struct Positional {
    std::string_view name;  // "PROBLEM"
    std::string_view help;
    bool required = true;
    bool repeated = false;          // only the last one
    std::string_view setting = {};  // the run setting it gives the value of, if any
};

enum class OptionKind { flag, value, list };

struct Option {
    std::string_view name;  // "dry-run"
    std::string_view short_name = {};
    OptionKind kind = OptionKind::flag;
    std::string_view value_name = {};
    std::string_view help;
};

struct Command {
    std::string_view name;
    std::string_view summary;       // one line of the overview
    std::string_view details = {};  // what --help adds
    std::string_view usage = {};    // where the positionals alone do not say it: "[show NAME]"
    std::vector<Positional> positionals = {};
    std::vector<Option> own_options = {};
    std::vector<std::string_view> setting_groups = {};  // groups of run_settings() it takes as options
    ExitCode (*run)(Invocation&);
};

// For setting_groups: those that describe one evaluation, and all.
std::vector<std::string_view> evaluation_setting_groups();
std::vector<std::string_view> all_setting_groups();

// Options that every command takes, beside --python.
const std::vector<Option>& global_options();

}  // namespace kforge
