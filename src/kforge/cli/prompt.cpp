#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/session.hpp"
#include "kforge/forge/contexts.hpp"

namespace kforge {

// The prompt of a first pass, as a run with these settings would send it.
ExitCode prompt_command(Invocation& invocation) {
    RunConfig config = invocation.config();
    check_reference_kernels(invocation, config);
    add_kernels_of_runs(config);
    const Platform platform = named_platform(invocation, config.platform);
    const ProblemText problem = read_problem(invocation, config, config.problem);
    const std::unique_ptr<Arena> arena = open_arena(invocation, config, platform, problem);
    const Guard guard = make_guard(invocation, config, platform, problem, configured_guard_rules(invocation));
    const Auxiliary auxiliary = require(Auxiliary::parse(config.aux));
    const PromptEdits edits = require(PromptEdits::parse(config.prompt_append, config.prompt_override));

    GenerationContext context;
    const ProblemFacts facts = require(arena->facts());
    context.platform = platform_context(
        platform, invocation.detections().device(platform, probing_python(invocation, config)),
        config.policies.precision, facts);
    context.policies = config.policies;
    context.rules = rule_contexts(guard.rules());
    context.problem = problem_context(problem.name, problem.source, facts);
    context.auxiliary = auxiliary.code_for(1).files;
    context.notes = auxiliary.code_for(1).notes;
    context.reference_kernels = read_reference_kernels(invocation, config, platform);
    context.iterations = Strategy(config).total();

    std::vector<fs::path> folders;
    if (!config.prompts.empty()) folders.push_back(fs::absolute(config.prompts));
    folders.push_back(invocation.data().prompts);
    ArenaRenderer renderer(*arena, folders);
    const Prompt prompt = require(compose_generation(renderer, context, edits));
    if (invocation.json())
        invocation.terminal().print_json(
            {{"system", prompt.system}, {"prompt", prompt.user}, {"stable_bytes", prompt.stable_bytes}});
    else
        invocation.terminal().print(prompt.system + "\n" + prompt.user);
    return ExitCode::ok;
}

}  // namespace kforge
