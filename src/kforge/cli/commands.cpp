#include "kforge/cli/commands.hpp"

#include <algorithm>

#include "kforge/forge/run_config.hpp"

namespace kforge {
namespace {

std::vector<Positional> show_name() {
    return {{.name = "show", .help = "show one in full", .required = false},
            {.name = "NAME", .help = "which one", .required = false}};
}

std::vector<Command> make_commands() {
    return {
        {.name = "run",
         .summary = "optimize a problem: generate, check, time and improve kernels",
         .details = "Everything is kept in the run directory; a run that was interrupted goes on with kforge "
                    "resume.",
         .positionals = {{.name = "PROBLEM",
                          .help = "a problem's file or name (see kforge problems)",
                          .required = false,
                          .setting = "problem"}},
         .own_options = {{.name = "dry-run",
                          .help = "show the settings and an estimate of tokens and cost, do nothing"}},
         .setting_groups = all_setting_groups(),
         .run = run_command},
        {.name = "campaign",
         .summary = "many runs: problems x platforms x LLMs, as a file says",
         .details =
             "The caps given here are those of all runs together, in place of the file's. Everything is kept "
             "in the campaign's directory, with one run directory for each run; name it instead of the file "
             "to go on. Exit status 0 when every run has a correct candidate (or a checked one where the "
             "device is absent), 5 when answers are still out, 1 otherwise. See docs/campaigns.md.",
         .positionals = {{.name = "FILE", .help = "a campaign's TOML file, or a campaign's directory"}},
         .own_options = {{.name = "dry-run",
                          .help = "list the runs and an estimate of calls, tokens and cost, do nothing"},
                         {.name = "jobs",
                          .short_name = "j",
                          .kind = OptionKind::value,
                          .value_name = "N",
                          .help = "runs that are worked on at once, in place of the file's number"},
                         {.name = "out",
                          .short_name = "o",
                          .kind = OptionKind::value,
                          .value_name = "DIR",
                          .help = "the campaign's directory, in place of the file's [runs/<id>]"}},
         .setting_groups = {"Budget"},
         .run = campaign_command},
        {.name = "resume",
         .summary = "go on with a run or a campaign that was suspended, interrupted or killed",
         .details =
             "The settings are those the run was started with; the ones given here replace them. Caps given "
             "for a campaign are those of all its runs together.",
         .positionals = {{.name = "DIR", .help = "the run directory, or a campaign's"}},
         .setting_groups = {"Agents", "Budget"},
         .run = resume_command},
        {.name = "eval",
         .summary = "judge candidates: the arena alone",
         .details = "Exit status 0 when every candidate is correct, 1 otherwise.",
         .positionals = {{.name = "CANDIDATE",
                          .help = "Python files that define NewModel",
                          .repeated = true}},
         .setting_groups = evaluation_setting_groups(),
         .run = eval_command},
        {.name = "vet",
         .summary = "check problems before money is spent on them",
         .details = "ok, degenerate (the output hardly depends on the inputs), random, or broken. With "
                    "--time also how long their baselines take; under --precision mixed those in half "
                    "precision as well.",
         .positionals = {{.name = "PROBLEM", .help = "files, names or suites", .repeated = true}},
         .own_options = {{.name = "time", .help = "time the baselines, one problem at a time"},
                         {.name = "jobs",
                          .kind = OptionKind::value,
                          .value_name = "N",
                          .help =
                              "problems that are vetted and compiled side by side before they are timed"}},
         .setting_groups = {"Problem", "Policies", "Evaluation"},
         .run = vet_command},
        {.name = "prompt",
         .summary = "show the prompt that a run would begin with",
         .positionals = {{.name = "PROBLEM",
                          .help = "a problem's file or name",
                          .required = false,
                          .setting = "problem"}},
         .setting_groups = all_setting_groups(),
         .run = prompt_command},
        {.name = "profile",
         .summary = "profile one candidate as the analysis agent sees it",
         .positionals = {{.name = "CANDIDATE", .help = "a Python file that defines NewModel"}},
         .setting_groups = evaluation_setting_groups(),
         .run = profile_command},
        {.name = "sweep",
         .summary = "time one candidate and the baselines over sizes of a problem",
         .details =
             "Every size is an evaluation with all its checks, against baselines of that size; one at which "
             "the candidate fails is a row with its verdict. A size is the leading one of the problem's "
             "inputs, from fewer rows or more draws of them, while the module is built as given; with "
             "--constant it is the value of that constant, and all that the problem computes from it "
             "follows. Exit status 0 when the candidate is correct wherever the reference itself works, 1 "
             "otherwise. Ctrl-C keeps what was measured.",
         .positionals = {{.name = "CANDIDATE", .help = "a Python file that defines NewModel"}},
         .own_options = {{.name = "sizes",
                          .kind = OptionKind::value,
                          .value_name = "N,N,...",
                          .help = "the sizes, in the order of the table"},
                         {.name = "constant",
                          .kind = OptionKind::value,
                          .value_name = "NAME",
                          .help = "the module-level constant of the problem that takes the sizes"},
                         {.name = "plot",
                          .kind = OptionKind::value,
                          .value_name = "FILE.svg",
                          .help = "draw times and speedups into a file"}},
         .setting_groups = evaluation_setting_groups(),
         .run = sweep_command},
        {.name = "report",
         .summary = "show what runs found, from their files",
         .details = "Several runs are shown side by side with their geometric mean. Degenerate and random "
                    "problems are kept out of it, and it is shown both ways.",
         .positionals = {{.name = "DIR", .help = "run directories, or a folder of them", .repeated = true}},
         .run = report_command},
        {.name = "problems",
         .summary = "list the built-in problems and your own",
         .details = "A problem is a Python file with Model, get_inputs() and get_init_inputs(). Those in "
                    "~/.local/share/kforge/problems/SUITE/ are listed beside the built-in ones.",
         .usage = "[show NAME]",
         .positionals = show_name(),
         .run = problems_command},
        {.name = "platforms",
         .summary = "list the targets, what was found of each, and why one is not usable",
         .details = "A platform is a folder of data; those in ~/.local/share/kforge/platforms come first.",
         .usage = "[show NAME]",
         .positionals = show_name(),
         .run = platforms_command},
        {.name = "llms",
         .summary = "list the LLMs that can be named, show one, or ask one a tiny question",
         .details =
             "Add your own in a table [llms.NAME] of kforge.toml. 'check' sends one request, which may "
             "cost a fraction of a cent: exit status 0 when an answer came, 1 when none did, 3 when a "
             "key or program is missing.",
         .usage = "[show NAME | check NAME]",
         .positionals = {{.name = "show",
                          .help = "show one in full, or check that it answers",
                          .required = false},
                         {.name = "NAME", .help = "which one", .required = false}},
         .run = llms_command},
        {.name = "init", .summary = "write a commented kforge.toml here", .run = init_command},
        {.name = "doctor",
         .summary = "check this machine and tell what mends it",
         .details =
             "Exit status 0 when evaluations, or at least checks without the device, can run here, 3 when "
             "something they need is missing.",
         .positionals = {{.name = "PLATFORM",
                          .help = "the target to check for (see kforge platforms)",
                          .required = false,
                          .setting = "platform"}},
         .run = doctor_command},
        {.name = "help",
         .summary = "show this, or the options of a command",
         .positionals = {{.name = "COMMAND", .help = "which one", .required = false}},
         .run = help_command},
        {.name = "version", .summary = "show the version", .run = version_command},
    };
}

}  // namespace

const std::vector<Command>& commands() {
    static const std::vector<Command> table = make_commands();
    return table;
}

std::vector<std::string_view> all_setting_groups() {
    std::vector<std::string_view> groups;
    for (const Setting& setting : run_settings())
        if (std::find(groups.begin(), groups.end(), setting.group) == groups.end())
            groups.push_back(setting.group);
    return groups;
}

std::vector<std::string_view> evaluation_setting_groups() {
    return {"Problem", "Policies", "Auxiliary code", "Guardrails", "Evaluation"};
}

const std::vector<Option>& global_options() {
    static const std::vector<Option> options = {
        {.name = "config",
         .kind = OptionKind::value,
         .value_name = "FILE",
         .help = "a configuration file instead of the project's kforge.toml"},
        {.name = "json", .help = "one JSON object on standard output, everything else on standard error"},
        {.name = "quiet", .short_name = "q", .help = "no progress"},
        {.name = "no-color", .help = "no colours (also: the variable NO_COLOR)"},
        {.name = "version", .help = "show the version"},
        {.name = "help", .short_name = "h", .help = "show this"},
    };
    return options;
}

}  // namespace kforge
