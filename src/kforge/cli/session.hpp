// RunSession: one run, opened for work: started anew from settings, or taken up again from its directory
// alone. What the run needs of the user's machine (auxiliary code, reference kernels, templates, LLM entries,
// rules) is frozen into the directory when it starts, so that it can go on elsewhere.
#pragma once

#include <memory>

#include "kforge/agents/agents.hpp"
#include "kforge/cli/setup.hpp"
#include "kforge/forge/forge.hpp"
#include "kforge/llm/registry.hpp"

namespace kforge {

// What a new run is made from.
struct RunOrigin {
    RunConfig config;
    ProblemText problem;
    std::vector<GuardRule> rules;  // the user's own
    LlmRegistry registry;
};
// As the settings of this invocation say.
RunOrigin configured_run(Invocation& invocation);

// What a run has around it: nothing but a terminal, or a campaign.
struct RunHost {
    RunObserver& observer;
    std::function<std::unique_ptr<Arena>(const RunConfig&, const Platform&, const ProblemText&)> open_arena;
    Budget::Whole campaign = {};
};
RunHost alone_at_the_terminal(Invocation& invocation);

class RunSession {
  public:
    static std::unique_ptr<RunSession> start(Invocation& invocation, RunOrigin origin);
    // Which settings of the command line replace those of the run: all, or what concerns this machine alone.
    enum class Options { all, machine };
    static std::unique_ptr<RunSession> reopen(Invocation& invocation, const fs::path& directory,
                                              Options options = Options::all);

    const fs::path& directory() const { return m_run->path(); }
    const RunConfig& config() const { return m_config; }
    RunSummary go(const RunHost& host);  // throws Fatal; the run directory is in order whatever happens

  private:
    RunSession(Invocation& invocation, RunConfig config)
        : m_invocation(invocation), m_config(std::move(config)) {}
    void freeze();
    void load_agents(const LlmRegistry& registry);
    void discard();

    Invocation& m_invocation;
    RunConfig m_config;
    ProblemText m_problem;
    std::unique_ptr<RunDirectory> m_run;
    bool m_is_new = false;  // made by this session
    std::vector<GuardRule> m_rules;
    Llm m_generation_llm;
    Llm m_analysis_llm;
    std::unique_ptr<Provider> m_generation_provider;
    std::unique_ptr<Provider> m_analysis_provider;
};

// Settings as they are kept: no relative paths, edits with their text in place of a file's name.
RunConfig frozen_settings(RunConfig config);
// A rule as a [[guard]] table that guard_rules_of() reads back.
std::string to_toml(const GuardRule& rule);

// Throws Fatal where a platform of reference_kernel is a slip of the pen; other unknown names are the user's.
void check_reference_kernels(Invocation& invocation, const RunConfig& config);
// The best kernels of the runs in reference_from become entries of reference_kernel. Throws Fatal when a run
// has none.
void add_kernels_of_runs(RunConfig& config);
// The kernels of the setting reference_kernel, read from where the user has them, with a note on how their
// platform differs from `platform` where one is written.
std::vector<ReferenceKernelContext> read_reference_kernels(Invocation& invocation, const RunConfig& config,
                                                           const Platform& platform);

// Whether iterations build on each other, so that the analysis agent is asked.
bool has_refinements(const RunConfig& config);

// The LLMs of a run, resolved: an analysis LLM that is not named is the generation one.
Llm generation_llm(const LlmRegistry& registry, const RunConfig& config);
Llm analysis_llm(const LlmRegistry& registry, const RunConfig& config);

// Renders templates through the arena's referee: the user's folder comes first.
class ArenaRenderer final : public Renderer {
  public:
    ArenaRenderer(Arena& arena, std::vector<fs::path> folders)
        : m_arena(arena), m_folders(std::move(folders)) {}
    Result<std::string> render(const std::string& name, const nlohmann::json& context) override;
    Result<std::string> render_text(const std::string& text, const nlohmann::json& context) override;

  private:
    Arena& m_arena;
    std::vector<fs::path> m_folders;
};

}  // namespace kforge
