// Setup: from settings to the parts that commands work with: the problem's text, the guard, an arena.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kforge/arena/arena.hpp"
#include "kforge/cli/invocation.hpp"
#include "kforge/guard/guard.hpp"
#include "kforge/platform/platform.hpp"

namespace kforge {

struct ProblemText {
    std::string name;    // "starter/05_rmsnorm", or the path the user gave
    std::string source;  // with --set applied
};

// All throw Fatal: these commands can only give up.
// A file as it is, a name, or a part of one (see resolve_problem).
ProblemText read_problem(Invocation& invocation, const RunConfig& config, const std::string& name);
// Begins to import PyTorch, for an arena that is opened later; null where there can be none that evaluates.
std::shared_ptr<Worker> start_ahead(Invocation& invocation, const RunConfig& config,
                                    const Platform& platform);
// The arena that evaluates; where the platform's device is absent, one that checks what can be checked.
std::unique_ptr<Arena> open_arena(Invocation& invocation, const RunConfig& config, const Platform& platform,
                                  const ProblemText& problem, std::shared_ptr<Worker> nursery = nullptr);

// The rules in the [[guard]] tables of a configuration file or run.toml.
std::vector<GuardRule> guard_rules_of(const std::string& toml_text, const std::string& origin);
// The user's own rules: [[guard]] tables of the configuration files.
std::vector<GuardRule> configured_guard_rules(Invocation& invocation);
// Default rules of the policies and the platform's, less what the problem itself does, the configured ones,
// and the patterns of the settings.
Guard make_guard(Invocation& invocation, const RunConfig& config, const Platform& platform,
                 const ProblemText& problem, const std::vector<GuardRule>& configured);

// Fails (environment) when the platform's device or toolchain is not here, and nothing can be checked without
// it either; what the user should know where something can. Empty: the device is here.
std::string require_usable(Invocation& invocation, const RunConfig& config, const Platform& platform);
// The Python that holds PyTorch, for probes: "python3" where none is found.
fs::path probing_python(Invocation& invocation, const RunConfig& config);

}  // namespace kforge
