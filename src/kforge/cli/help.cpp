#include "kforge/cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/cli/commands.hpp"
#include "kforge/cli/invocation.hpp"
#include "kforge/cli/table.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_default_width = 100;
constexpr size_t k_left_limit = 34;  // an option wider than this has its help on the next line

struct Line {
    std::string left;
    std::string help;
};

struct Section {
    std::string title;
    std::vector<Line> lines;
};

std::string render(const std::vector<Section>& sections, size_t width) {
    size_t left = 0;
    for (const Section& section : sections)
        for (const Line& line : section.lines)
            if (const size_t columns = display_width(line.left); columns <= k_left_limit)
                left = std::max(left, columns);
    const std::string indent(left + 4, ' ');
    std::string out;
    for (const Section& section : sections) {
        if (section.lines.empty()) continue;
        out += fmt::format("\n{}:\n", section.title);
        for (const Line& line : section.lines) {
            const bool fits = display_width(line.left) <= left;
            out += "  " + line.left +
                   (fits ? std::string(left + 2 - display_width(line.left), ' ') : "\n" + indent);
            out += join(wrap(line.help, width - indent.size()), "\n" + indent) + "\n";
        }
    }
    return out;
}

std::string left_side(std::string_view short_name, std::string_view name, std::string_view value_name) {
    return fmt::format("{}{}{}{}", short_name.empty() ? "    " : fmt::format("-{}, ", short_name), name,
                       value_name.empty() ? "" : " ", value_name);
}

Line line_of(const Option& option) {
    return {left_side(option.short_name, fmt::format("--{}", option.name), option.value_name),
            std::string(option.help)};
}

Line line_of(const Setting& setting) {
    std::string help = setting.help;
    const std::string standard = join(setting.get(RunConfig{}), ", ");
    if (setting.kind == SettingKind::list && standard.empty())
        help += setting.choices.empty() ? " (repeatable)" : " (repeatable, or a,b)";
    else if (setting.kind != SettingKind::flag && !standard.empty())
        help += fmt::format(" [{}]", standard);
    return {left_side(setting.short_option, option_name(setting), setting.value_name), help};
}

std::string usage_line(const Command& command) {
    std::string line = fmt::format("usage: kforge {}", command.name);
    if (!command.usage.empty()) return fmt::format("{} {}", line, command.usage);
    if (!command.own_options.empty() || !command.setting_groups.empty()) line += " [options]";
    for (const Positional& positional : command.positionals) {
        const std::string name = fmt::format("{}{}", positional.name, positional.repeated ? "..." : "");
        line += positional.required ? " " + name : fmt::format(" [{}]", name);
    }
    return line;
}

bool is_positional(const Command& command, const Setting& setting) {
    return std::any_of(command.positionals.begin(), command.positionals.end(),
                       [&](const Positional& positional) { return positional.setting == setting.key; });
}

std::vector<Line> setting_lines(const Command& command, std::string_view group) {
    std::vector<Line> lines;
    for (const Setting& setting : run_settings())
        if (setting.group == group && !is_positional(command, setting)) lines.push_back(line_of(setting));
    return lines;
}

Section global_section() {
    Section section{"Everywhere", {}};
    for (const Setting& setting : run_settings())
        if (setting.group == k_global_group) section.lines.push_back(line_of(setting));
    for (const Option& option : global_options()) section.lines.push_back(line_of(option));
    return section;
}

}  // namespace

std::string overview_text(const std::vector<Command>& commands, size_t width) {
    Section section{"Commands", {}};
    for (const Command& command : commands)
        section.lines.push_back({std::string(command.name), std::string(command.summary)});
    return "KForge turns a PyTorch problem into a faster kernel, proved correct and timed honestly.\n\n"
           "usage: kforge COMMAND [options] [arguments]\n" +
           render({section}, width) + render({global_section()}, width) +
           "\nkforge help COMMAND tells the rest. Every option can stand in kforge.toml (kforge init).\n";
}

std::string help_text(const Command& command, size_t width) {
    std::string out =
        fmt::format("kforge {}: {}\n\n{}\n", command.name, command.summary, usage_line(command));
    if (!command.details.empty()) out += "\n" + join(wrap(command.details, width), "\n") + "\n";
    std::vector<Section> sections;
    Section arguments{"Arguments", {}};
    for (const Positional& positional : command.positionals)
        if (command.usage.empty())
            arguments.lines.push_back({std::string(positional.name), std::string(positional.help)});
    sections.push_back(arguments);
    Section own{"Options", {}};
    for (const Option& option : command.own_options) own.lines.push_back(line_of(option));
    sections.push_back(own);
    for (const std::string_view group : command.setting_groups)
        if (group != k_global_group) sections.push_back({std::string(group), setting_lines(command, group)});
    sections.push_back(global_section());
    return out + render(sections, width);
}

ExitCode help_command(Invocation& invocation) {
    Terminal& terminal = invocation.terminal();
    const size_t width =
        terminal.width() == 0 ? k_default_width : std::clamp<size_t>(terminal.width(), 60, k_default_width);
    const std::optional<std::string> name = invocation.positional("COMMAND");
    std::string text;
    if (!name) {
        text = overview_text(commands(), width);
    } else {
        std::vector<std::string> names;
        for (const Command& command : commands()) {
            names.emplace_back(command.name);
            if (command.name == *name) text = help_text(command, width);
        }
        if (text.empty()) {
            const std::string near = nearest(*name, names);
            throw Fatal(ExitCode::usage,
                        fmt::format("there is no command '{}': {}", *name,
                                    near.empty() ? "see kforge help" : "did you mean '" + near + "'?"));
        }
    }
    if (invocation.json())
        terminal.print_json({{"help", text}});
    else
        terminal.print(text);
    return ExitCode::ok;
}

}  // namespace kforge
