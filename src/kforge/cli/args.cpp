#include "kforge/cli/args.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

Error usage(std::string message) {
    return Error{ErrorKind::usage, std::move(message)};
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known, std::string otherwise) {
    const std::string near = nearest(word, known);
    return near.empty() ? otherwise : fmt::format("did you mean '{}'?", near);
}

const Command* find_command(const std::vector<Command>& commands, std::string_view name) {
    for (const Command& command : commands)
        if (command.name == name) return &command;
    return nullptr;
}

bool is_option(std::string_view word) {
    return word.size() > 1 && word.front() == '-';
}

bool takes_value(std::string_view word) {
    if (word == "--python") return true;
    return std::any_of(global_options().begin(), global_options().end(), [&](const Option& option) {
        return option.kind != OptionKind::flag && word == fmt::format("--{}", option.name);
    });
}

// The index of the command's name: the first word that is neither a global option nor the value of one.
size_t command_index(const std::vector<std::string>& words) {
    size_t i = 0;
    while (i < words.size() && is_option(words[i])) i += takes_value(words[i]) ? 2 : 1;
    return std::min(i, words.size());
}

bool has_setting(const Command& command, const Setting& setting) {
    for (const Positional& positional : command.positionals)
        if (positional.setting == setting.key) return false;
    return setting.group == k_global_group ||
           std::find(command.setting_groups.begin(), command.setting_groups.end(), setting.group) !=
               command.setting_groups.end();
}

// One CLI11 application for the one command in question.
class Parser {
  public:
    explicit Parser(const Command& command) : m_command(command) {
        m_app.set_help_flag();
        m_app.add_option("words", m_words);
        for (const Option& option : global_options()) add(option);
        for (const Option& option : command.own_options) add(option);
        for (const Setting& setting : run_settings())
            if (has_setting(command, setting)) add(setting);
    }

    Result<Arguments> parse(std::vector<std::string> words) {
        std::reverse(words.begin(), words.end());  // the order that CLI11 takes a vector in
        try {
            m_app.parse(std::move(words));
        } catch (const CLI::ParseError& error) {
            return complaint(error);
        }
        Arguments arguments;
        arguments.command = &m_command;
        for (const auto& [name, option] : m_options)
            if (option->count() > 0) arguments.options[name] = option->results();
        for (const auto& [key, option] : m_settings)
            if (option->count() > 0) arguments.settings[key] = option->results();
        if (arguments.options.count("help") || arguments.options.count("version")) return arguments;
        TRY(place_words(arguments));
        return arguments;
    }

  private:
    CLI::Option* add(std::string_view long_name, std::string_view short_name, bool is_flag) {
        const std::string names = short_name.empty() ? fmt::format("--{}", long_name)
                                                     : fmt::format("-{},--{}", short_name, long_name);
        m_names.push_back(fmt::format("--{}", long_name));
        CLI::Option* option = is_flag ? m_app.add_flag(names) : m_app.add_option(names);
        if (is_flag) return option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
        return option->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->allow_extra_args(false);
    }

    void add(const Option& option) {
        m_options[std::string(option.name)] =
            add(option.name, option.short_name, option.kind == OptionKind::flag);
    }

    void add(const Setting& setting) {
        m_settings[setting.key] =
            add(option_name(setting).substr(2), setting.short_option, setting.kind == SettingKind::flag);
    }

    Error complaint(const CLI::ParseError& error) const {
        const std::string see = fmt::format("see kforge {} --help", m_command.name);
        for (const std::string& word : m_app.remaining()) {
            if (!is_option(word)) continue;
            const std::string name = word.substr(0, word.find('='));
            return usage(
                fmt::format("{} has no option {}: {}", m_command.name, name, suggestion(name, m_names, see)));
        }
        if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
            const std::string text = error.what();
            return usage(fmt::format("{} needs a value; {}", text.substr(0, text.find(':')), see));
        }
        return usage(fmt::format("{}; {}", error.what(), see));
    }

    Result<void> place_words(Arguments& arguments) const {
        const std::vector<std::string>& words = m_words;
        size_t next = 0;
        for (const Positional& positional : m_command.positionals) {
            const size_t count =
                positional.repeated ? words.size() - next : std::min<size_t>(1, words.size() - next);
            // A value that a configuration file may hold is asked for when it is used.
            if (count == 0 && positional.required && positional.setting.empty())
                return usage(fmt::format("{} needs {}; see kforge {} --help", m_command.name, positional.name,
                                         m_command.name));
            if (count == 0) continue;
            const auto first = words.begin() + static_cast<std::ptrdiff_t>(next);
            const std::vector<std::string> values(first, first + static_cast<std::ptrdiff_t>(count));
            if (!positional.setting.empty()) arguments.settings[std::string(positional.setting)] = values;
            arguments.positionals[std::string(positional.name)] = values;
            next += count;
        }
        if (next < words.size())
            return usage(fmt::format("{}: '{}' is one argument too many; see kforge {} --help",
                                     m_command.name, words[next], m_command.name));
        return {};
    }

    const Command& m_command;
    CLI::App m_app;
    std::vector<std::string> m_words;  // those that belong to no option
    std::map<std::string, CLI::Option*> m_options;
    std::map<std::string, CLI::Option*> m_settings;
    std::vector<std::string> m_names;
};

Result<const Command*> choose_command(const std::vector<Command>& commands, std::vector<std::string>& words) {
    const size_t index = command_index(words);
    if (index == words.size()) return find_command(commands, "help");
    const std::string name = words[index];
    if (const Command* command = find_command(commands, name)) {
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(index));
        return command;
    }
    std::vector<std::string> names;
    for (const Command& command : commands) names.emplace_back(command.name);
    return usage(
        fmt::format("there is no command '{}': {}", name, suggestion(name, names, "see kforge help")));
}

}  // namespace

Result<Arguments> parse_arguments(const std::vector<Command>& commands, std::vector<std::string> words) {
    const bool named = command_index(words) < words.size();
    TRY_ASSIGN(const Command* command, choose_command(commands, words));
    TRY_ASSIGN(Arguments arguments, Parser(*command).parse(std::move(words)));
    if (arguments.options.count("version")) {
        arguments.command = find_command(commands, "version");
    } else if (arguments.options.count("help")) {
        if (named) arguments.positionals["COMMAND"] = {std::string(command->name)};
        arguments.command = find_command(commands, "help");
    }
    RunConfig scratch;  // so that a bad value is told before anything else happens
    TRY(apply_settings(scratch, arguments));
    return arguments;
}

Result<void> apply_settings(RunConfig& config, const Arguments& arguments) {
    for (const Setting& setting : run_settings()) {
        const auto given = arguments.settings.find(setting.key);
        if (given == arguments.settings.end()) continue;
        if (setting.clear) setting.clear(config);
        for (const std::string& value : given->second)
            if (const auto done = setting.set(config, value); !done.ok())
                return done.error().within(option_name(setting));
    }
    return {};
}

}  // namespace kforge
