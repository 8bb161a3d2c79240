#include "kforge/cli/args.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kforge/cli/commands.hpp"
#include "kforge/cli/help.hpp"

namespace kforge {
namespace {

ExitCode nothing(Invocation&) {
    return ExitCode::ok;
}

const std::vector<Command>& table() {
    static const std::vector<Command> commands = {
        {.name = "run",
         .summary = "optimize a problem",
         .positionals = {{.name = "PROBLEM", .help = "what to optimize", .setting = "problem"}},
         .own_options = {{.name = "dry-run", .help = "only say what would be done"}},
         .setting_groups = all_setting_groups(),
         .run = nothing},
        {.name = "vet",
         .summary = "check problems",
         .positionals = {{.name = "FIRST", .help = "one"},
                         {.name = "REST", .help = "more", .required = false, .repeated = true}},
         .own_options = {{.name = "limit", .kind = OptionKind::value, .value_name = "N", .help = "how many"},
                         {.name = "tag", .short_name = "t", .kind = OptionKind::list, .help = "labels"}},
         .run = nothing},
        {.name = "help",
         .summary = "help",
         .positionals = {{.name = "COMMAND", .help = "which", .required = false}},
         .run = nothing},
        {.name = "version", .summary = "version", .run = nothing},
    };
    return commands;
}

using Words = std::vector<std::string>;

Arguments parsed(const Words& words) {
    auto arguments = parse_arguments(table(), words);
    EXPECT_TRUE(arguments.ok()) << arguments.error().message;
    return arguments.ok() ? *arguments : Arguments{.command = &table().back()};
}

std::string refusal(const Words& words) {
    const auto arguments = parse_arguments(table(), words);
    if (arguments.ok()) return "";
    EXPECT_EQ(arguments.error().kind, ErrorKind::usage);
    return arguments.error().message;
}

RunConfig config_of(const Words& words, RunConfig config = {}) {
    const auto done = apply_settings(config, parsed(words));
    EXPECT_TRUE(done.ok()) << done.error().message;
    return config;
}

// Two values of a setting, as options say them.
Words option_values(const Setting& setting) {
    if (setting.key == "set") return {"A=1", "B=2"};
    if (!setting.choices.empty()) return {setting.choices.front(), setting.choices.back()};
    if (setting.kind == SettingKind::integer || setting.kind == SettingKind::number) return {"3", "7"};
    return {"-first one", "second"};
}

TEST(Arguments, EverySettingCanBeGivenAsAnOption) {
    for (const Setting& setting : run_settings()) {
        if (setting.key == "problem") continue;  // the positional of this command
        if (setting.kind == SettingKind::flag) {
            EXPECT_EQ(setting.get(config_of({"run", option_name(setting)})), Words{"true"});
            EXPECT_EQ(setting.get(config_of({"run", option_name(setting) + "=false"})), Words{"false"});
            continue;
        }
        const Words values = option_values(setting);
        const Words twice = {"run", option_name(setting), values[0], option_name(setting) + "=" + values[1]};
        const Words expected = setting.kind == SettingKind::list ? values : Words{values[1]};
        EXPECT_EQ(setting.get(config_of(twice)), expected) << setting.key;
    }
}

TEST(Arguments, ListsOfTheCommandLineReplaceThoseOfFiles) {
    RunConfig from_files;
    from_files.hook = {"old"};
    from_files.aux = {"kept"};
    const RunConfig config =
        config_of({"run", "--hook", "new", "--hook", "newer", "--baselines", "eager"}, from_files);
    EXPECT_EQ(config.hook, (Words{"new", "newer"}));
    EXPECT_EQ(config.aux, Words{"kept"});
    EXPECT_EQ(config.baselines, Words{"eager"});
}

TEST(Arguments, ListsOfChoicesTakeCommas) {
    const RunConfig config = config_of({"run", "--require", "batch,strides"});
    EXPECT_TRUE(config.policies.require_batch && config.policies.require_strides);
}

TEST(Arguments, ShortOptionsWorkWithAndWithoutASpace) {
    EXPECT_EQ(config_of({"run", "-n", "9"}).iterations, 9);
    EXPECT_EQ(config_of({"run", "-n9"}).iterations, 9);
}

TEST(Arguments, OptionsNeverSwallowPositionals) {
    const Arguments arguments =
        parsed({"vet", "--tag", "x", "a.py", "-t", "y", "b.py", "--limit", "3", "c.py"});
    EXPECT_EQ(arguments.positionals.at("FIRST"), Words{"a.py"});
    EXPECT_EQ(arguments.positionals.at("REST"), (Words{"b.py", "c.py"}));
    EXPECT_EQ(arguments.options.at("tag"), (Words{"x", "y"}));
    EXPECT_EQ(arguments.options.at("limit"), Words{"3"});
}

TEST(Arguments, APositionalCanGiveASetting) {
    EXPECT_EQ(config_of({"run", "starter/softmax"}).problem, "starter/softmax");
    EXPECT_NE(refusal({"run", "--problem", "x"}), "");
    EXPECT_EQ(refusal({"run"}), "");  // a configuration file may hold it
}

TEST(Arguments, WordsAfterTwoDashesAreNoOptions) {
    EXPECT_EQ(parsed({"vet", "--", "--odd.py"}).positionals.at("FIRST"), Words{"--odd.py"});
}

TEST(Arguments, GlobalOptionsStandBeforeOrAfterTheCommand) {
    for (const Words& words : {Words{"--json", "--python", "/py", "--config", "c.toml", "vet", "x"},
                               Words{"vet", "x", "--json", "--python=/py", "--config=c.toml"}}) {
        const Arguments arguments = parsed(words);
        EXPECT_EQ(arguments.command->name, "vet");
        EXPECT_TRUE(arguments.options.count("json"));
        EXPECT_EQ(arguments.settings.at("python"), Words{"/py"});
        EXPECT_EQ(arguments.options.at("config"), Words{"c.toml"});
    }
}

TEST(Arguments, HelpAndVersionAreCommandsInDisguise) {
    EXPECT_EQ(parsed({"--version"}).command->name, "version");
    EXPECT_EQ(parsed({"--help"}).command->name, "help");
    EXPECT_EQ(parsed({}).command->name, "help");
    EXPECT_EQ(parsed({"--json"}).command->name, "help");
    EXPECT_TRUE(parsed({"-h"}).positionals.empty());
    EXPECT_EQ(parsed({"vet", "--help"}).command->name, "help");  // although FIRST is missing
    EXPECT_EQ(parsed({"vet", "--help"}).positionals.at("COMMAND"), Words{"vet"});
    EXPECT_EQ(parsed({"help", "vet"}).positionals.at("COMMAND"), Words{"vet"});
}

TEST(Arguments, AnUnknownWordNamesTheNearestOne) {
    EXPECT_EQ(refusal({"vett"}), "there is no command 'vett': did you mean 'vet'?");
    EXPECT_EQ(refusal({"abracadabra"}), "there is no command 'abracadabra': see kforge help");
    EXPECT_EQ(refusal({"run", "--iteration", "3"}),
              "run has no option --iteration: did you mean '--iterations'?");
    EXPECT_EQ(refusal({"run", "--itertions=3"}),
              "run has no option --itertions: did you mean '--iterations'?");
    EXPECT_EQ(refusal({"vet", "x", "--iterations", "3"}),
              "vet has no option --iterations: see kforge vet --help");
}

TEST(Arguments, WhatIsMissingOrTooMuchIsNamed) {
    EXPECT_EQ(refusal({"vet"}), "vet needs FIRST; see kforge vet --help");
    EXPECT_EQ(refusal({"run", "a", "b"}), "run: 'b' is one argument too many; see kforge run --help");
    EXPECT_EQ(refusal({"run", "x", "--llm"}), "--llm needs a value; see kforge run --help");
    EXPECT_EQ(refusal({"run", "x", "-n", "many"}), "--iterations: 'many' is not a whole number in range");
    EXPECT_EQ(refusal({"run", "x", "-n", "-3"}), "--iterations: -3 is too small: it must be at least 1");
}

TEST(Commands, NamesAreUniqueAndGroupsExist) {
    const std::vector<std::string_view> groups = all_setting_groups();
    std::vector<std::string_view> names;
    for (const Command& command : commands()) {
        EXPECT_EQ(std::count(names.begin(), names.end(), command.name), 0) << command.name;
        names.push_back(command.name);
        for (const std::string_view group : command.setting_groups)
            EXPECT_EQ(std::count(groups.begin(), groups.end(), group), 1) << command.name << ": " << group;
        for (const Positional& positional : command.positionals)
            EXPECT_TRUE(positional.setting.empty() || find_setting(positional.setting)) << positional.name;
        EXPECT_TRUE(parse_arguments(commands(), {std::string(command.name), "--help"}).ok()) << command.name;
    }
    for (const std::string_view group : evaluation_setting_groups())
        EXPECT_EQ(std::count(groups.begin(), groups.end(), group), 1) << group;
}

TEST(Help, ShowsEveryOptionOnceUnderItsGroupAndFitsTheWidth) {
    const std::string text = help_text(table().front(), 80);
    EXPECT_NE(text.find("usage: kforge run [options] PROBLEM\n"), std::string::npos) << text;
    for (const Setting& setting : run_settings()) {
        if (setting.key == "problem") continue;  // the positional
        const std::string name = " " + option_name(setting);
        EXPECT_TRUE(text.find(name + " ") != text.npos || text.find(name + "\n") != text.npos) << setting.key;
        EXPECT_TRUE(setting.group == "Global" || text.find("\n" + setting.group + ":\n") != std::string::npos)
            << setting.group;
    }
    EXPECT_EQ(text.find("--problem"), std::string::npos);
    EXPECT_NE(text.find("-n, --iterations N"), std::string::npos);
    EXPECT_NE(text.find("how many iterations [5]"), std::string::npos);
    EXPECT_NE(text.find("--dry-run"), std::string::npos);
    size_t start = 0;
    for (size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
        EXPECT_LE(end - start, 80u) << text.substr(start, end - start);
}

TEST(Help, TheOverviewListsEveryCommand) {
    const std::string text = overview_text(table(), 80);
    for (const Command& command : table())
        EXPECT_NE(text.find("\n  " + std::string(command.name) + " "), std::string::npos);
}

}  // namespace
}  // namespace kforge
