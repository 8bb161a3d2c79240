#include "kforge/cli/session.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/forge/asker.hpp"
#include "kforge/forge/strategy.hpp"
#include "kforge/store/run_id.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// JSON strings are TOML basic strings.
std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump();
}

std::string scope_word(GuardScope scope) {
    return scope == GuardScope::anywhere ? "anywhere" : scope == GuardScope::python ? "python" : "code";
}

constexpr size_t k_slip_of_the_pen = 2;  // letters

// FILE[:platform]; a colon that belongs to the path is one before a slash or with no platform-like word
// behind it.
std::pair<std::string, std::string> split_reference(const std::string& option) {
    const size_t colon = option.rfind(':');
    std::error_code ignored;
    if (colon == std::string::npos || fs::exists(option, ignored)) return {option, ""};
    return {option.substr(0, colon), option.substr(colon + 1)};
}

void copy_into(const fs::path& from, const fs::path& to) {
    std::error_code failure;
    require(make_directories(to.parent_path()));
    fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing, failure);
    if (failure)
        throw Fatal(ExitCode::environment,
                    fmt::format("cannot copy {} into the run: {}", from.string(), failure.message()));
}

fs::path frozen_aux(const fs::path& run, size_t index, const fs::path& original) {
    return run / "aux" / std::to_string(index) / original.lexically_normal().filename();
}

fs::path frozen_reference(const fs::path& run, size_t index, const fs::path& original) {
    return run / "reference-kernels" / fmt::format("{}-{}", index, original.filename().string());
}

std::string absolute_text(const std::string& path) {
    return path.empty() ? "" : fs::absolute(path).string();
}

// "lib/" and a link to it have the name of what they stand for: a candidate imports by that name.
std::string canonical_text(const std::string& path) {
    std::error_code failure;
    const fs::path whole = fs::canonical(path, failure);
    return failure ? absolute_text(path) : whole.string();
}

// What is copied into a run must not hold the run.
void require_outside(const fs::path& run, const fs::path& copied, std::string_view option) {
    std::error_code failure;
    const fs::path relative =
        fs::weakly_canonical(run, failure).lexically_relative(fs::weakly_canonical(copied, failure));
    if (failure || relative.empty() || *relative.begin() == "..") return;
    throw Fatal(
        ExitCode::usage,
        fmt::format("{}: {} would hold the run directory {}: name a folder with the code alone, or let the "
                    "run lie elsewhere with --out",
                    option, copied.string(), run.string()));
}

std::string with_iterations(const fs::path& path, const IterationSet& iterations) {
    return path.string() + (iterations.text().empty() ? "" : "@" + iterations.text());
}

}  // namespace

std::string to_toml(const GuardRule& rule) {
    std::string text = fmt::format(
        "\n[[guard]]\nname = {}\npattern = {}\nscope = {}\nrequired = {}\nwhy = {}\n", quoted(rule.name),
        quoted(rule.pattern), quoted(scope_word(rule.scope)), rule.required, quoted(rule.why));
    if (!rule.unless.empty()) text += fmt::format("unless = {}\n", quoted(rule.unless));
    if (!rule.lifted_by.empty()) text += fmt::format("lifted_by = {}\n", quoted(rule.lifted_by));
    if (!rule.precisions.empty())
        text += fmt::format("precisions = {}\n", nlohmann::json(rule.precisions).dump());
    return text;
}

RunConfig frozen_settings(RunConfig config) {
    config.prompt_append = require(inline_edit_files(config.prompt_append));
    config.prompt_override = require(inline_edit_files(config.prompt_override));
    config.prompts = absolute_text(config.prompts);
    for (std::string& program : config.hook)
        if (program.find('/') != std::string::npos) program = absolute_text(program);
    for (std::string& option : config.aux) {
        const Selected selected = require(parse_selected(option));
        option = with_iterations(canonical_text(selected.value), selected.iterations);
    }
    for (std::string& option : config.reference_kernel) {
        const auto [file, platform] = split_reference(option);
        option = absolute_text(file) + (platform.empty() ? "" : ":" + platform);
    }
    for (std::string& run : config.reference_from) run = absolute_text(run);
    return config;
}

void check_reference_kernels(Invocation& invocation, const RunConfig& config) {
    if (config.reference_kernel.empty()) return;
    std::vector<std::string> known;
    for (const Platform& platform : all_platforms(invocation)) known.push_back(platform.name);
    for (const std::string& option : config.reference_kernel) {
        const std::string name = split_reference(option).second;
        const std::string near = nearest(name, known, k_slip_of_the_pen);
        if (!near.empty() && near != name)
            throw Fatal(
                ExitCode::usage,
                fmt::format("--reference-kernel: there is no platform '{}'; did you mean '{}'?", name, near));
    }
}

void add_kernels_of_runs(RunConfig& config) {
    for (const std::string& run : config.reference_from) {
        const fs::path kernel = fs::absolute(run) / "best" / "candidate.py";
        std::error_code ignored;
        if (!fs::exists(kernel, ignored))
            throw Fatal(
                ExitCode::usage,
                fmt::format("--reference-from: {} is no run with a correct candidate (there is no {})", run,
                            kernel.string()));
        RunConfig other;
        const fs::path settings = fs::path(run) / "run.toml";
        require(apply_toml(other, require(read_file(settings)), settings.string(), {}));
        config.reference_kernel.push_back(kernel.string() + ":" + other.platform);
    }
    config.reference_from.clear();
}

std::vector<ReferenceKernelContext> read_reference_kernels(Invocation& invocation, const RunConfig& config,
                                                           const Platform& platform) {
    std::vector<ReferenceKernelContext> kernels;
    for (const std::string& option : config.reference_kernel) {
        const auto [file, name] = split_reference(option);
        const Result<std::string> source = read_file(file);
        if (!source.ok()) throw Fatal(ExitCode::usage, "--reference-kernel: " + source.error().message);
        kernels.push_back({name, *source});
        const Result<Platform> other = find_platform(invocation.data().platform_roots, name);
        if (!other.ok()) continue;  // a word of the user's own: the LLM is told it as it is
        kernels.back().note = translation_note(invocation.data().prompts / "translations", *other, platform);
    }
    return kernels;
}

bool has_refinements(const RunConfig& config) {
    const Strategy strategy(config);
    return strategy.total() > strategy.independent();
}

Llm generation_llm(const LlmRegistry& registry, const RunConfig& config) {
    if (config.llm.empty())
        throw Fatal(ExitCode::usage,
                    "no LLM is named: use --llm NAME (see kforge llms), --llm mailbox to answer prompts "
                    "yourself, or set "
                    "llm in kforge.toml");
    return require(registry.find(config.llm));
}

Llm analysis_llm(const LlmRegistry& registry, const RunConfig& config) {
    return config.analysis_llm.empty() ? generation_llm(registry, config)
                                       : require(registry.find(config.analysis_llm));
}

Result<std::string> ArenaRenderer::render(const std::string& name, const nlohmann::json& context) {
    return m_arena.render({m_folders, name, "", context});
}

Result<std::string> ArenaRenderer::render_text(const std::string& text, const nlohmann::json& context) {
    return m_arena.render({m_folders, "", text, context});
}

RunOrigin configured_run(Invocation& invocation) {
    const RunConfig& config = invocation.config();
    require(check_conflicts(config));
    return {config, read_problem(invocation, config, config.problem), configured_guard_rules(invocation),
            load_llms(invocation)};
}

RunHost alone_at_the_terminal(Invocation& invocation) {
    return {invocation.terminal(),
            [&](const RunConfig& config, const Platform& platform, const ProblemText& problem) {
                return open_arena(invocation, config, platform, problem);
            }};
}

std::unique_ptr<RunSession> RunSession::start(Invocation& invocation, RunOrigin origin) {
    RunConfig& config = origin.config;
    check_reference_kernels(invocation, config);
    add_kernels_of_runs(config);
    auto session = std::unique_ptr<RunSession>(new RunSession(invocation, frozen_settings(config)));
    session->m_problem = std::move(origin.problem);
    session->m_rules = std::move(origin.rules);
    const Platform platform = named_platform(invocation, config.platform);
    require_usable(invocation, config, platform);
    make_guard(invocation, config, platform, session->m_problem,
               session->m_rules);  // a bad pattern is found before anything is made
    require(Auxiliary::parse(session->m_config.aux));
    read_reference_kernels(invocation, session->m_config, platform);
    if (const std::string& folder = session->m_config.prompts; !folder.empty() && !fs::is_directory(folder))
        throw Fatal(ExitCode::usage, fmt::format("--prompts: there is no folder {}", folder));
    session->load_agents(origin.registry);

    session->m_config.problem = session->m_problem.name;
    std::string toml = kforge::to_toml(session->m_config);
    for (const GuardRule& rule : session->m_rules) toml += to_toml(rule);
    toml += "\n" + kforge::to_toml(session->m_generation_llm);
    if (session->m_analysis_llm.name != session->m_generation_llm.name)
        toml += "\n" + kforge::to_toml(session->m_analysis_llm);
    const fs::path folder =
        config.out.empty() ? fs::path("runs") / new_run_id(fs::path(session->m_problem.name).stem().string(),
                                                           config.platform)
                           : fs::path(config.out);
    for (const std::string& option : session->m_config.aux)
        require_outside(folder, require(parse_selected(option)).value, "--aux");
    if (!session->m_config.prompts.empty()) require_outside(folder, session->m_config.prompts, "--prompts");
    session->m_run = require(RunDirectory::create(folder, toml, session->m_problem.source));
    session->m_is_new = true;
    session->freeze();
    return session;
}

std::unique_ptr<RunSession> RunSession::reopen(Invocation& invocation, const fs::path& directory,
                                               Options options) {
    std::unique_ptr<RunDirectory> run = require(RunDirectory::open(directory));
    for (const char* name : {"run.toml", "problem.py"})
        if (!run->has(0, name))
            throw Fatal(ExitCode::usage,
                        fmt::format("{} is damaged: there is no {} in it", directory.string(), name));
    const std::string toml = require(run->read(0, "run.toml"));
    const std::string origin = (directory / "run.toml").string();
    RunConfig config;
    require(apply_toml(config, toml, origin, {}));
    RunConfig given = config;
    invocation.override_settings(given);
    if (options == Options::all)
        config = std::move(given);
    else
        config.python = given.python;
    auto session = std::unique_ptr<RunSession>(new RunSession(invocation, std::move(config)));
    session->m_problem = ProblemText{session->m_config.problem, require(run->read(0, "problem.py"))};
    session->m_run = std::move(run);
    session->m_rules = guard_rules_of(toml, origin);
    LlmRegistry registry = load_llms(invocation);
    require(registry.extend(toml, origin));
    session->load_agents(registry);
    session->freeze();
    return session;
}

// Idempotent: a run that was killed while it was set up is set up again from where its files came from.
void RunSession::freeze() {
    if (m_run->find("frozen", 0)) return;
    for (size_t i = 0; i < m_config.aux.size(); ++i) {
        const fs::path original = require(parse_selected(m_config.aux[i])).value;
        copy_into(original, frozen_aux(directory(), i, original));
    }
    for (size_t i = 0; i < m_config.reference_kernel.size(); ++i) {
        const fs::path original = split_reference(m_config.reference_kernel[i]).first;
        copy_into(original, frozen_reference(directory(), i, original));
    }
    if (!m_config.prompts.empty()) copy_into(m_config.prompts, directory() / "prompts");
    require(m_run->append("frozen", 0));
}

void RunSession::load_agents(const LlmRegistry& registry) {
    m_generation_llm = generation_llm(registry, m_config);
    m_analysis_llm = analysis_llm(registry, m_config);
    m_generation_provider = require(make_provider(m_generation_llm.provider));
    m_analysis_provider = require(make_provider(m_analysis_llm.provider));
    // Before anything is made or asked: a cap that cannot be counted is no cap.
    require(check_prices(budget_caps(m_config), m_generation_llm));
    if (has_refinements(m_config)) require(check_prices(budget_caps(m_config), m_analysis_llm));
}

// Nothing was paid for and nothing can be gone on with: the folder would only be in the way.
void RunSession::discard() {
    const fs::path folder = directory();
    m_run.reset();
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

RunSummary RunSession::go(const RunHost& host) {
    // From here on the run reads its own copies.
    RunConfig own = m_config;
    for (size_t i = 0; i < own.aux.size(); ++i) {
        const Selected selected = require(parse_selected(own.aux[i]));
        own.aux[i] = with_iterations(frozen_aux(directory(), i, selected.value), selected.iterations);
    }
    for (size_t i = 0; i < own.reference_kernel.size(); ++i) {
        const auto [file, platform] = split_reference(own.reference_kernel[i]);
        own.reference_kernel[i] =
            frozen_reference(directory(), i, file).string() + (platform.empty() ? "" : ":" + platform);
    }
    const Platform platform = named_platform(m_invocation, m_config.platform);
    if (const std::string absent = require_usable(m_invocation, m_config, platform); !absent.empty())
        host.observer.on_note(absent);
    const Guard guard = make_guard(m_invocation, m_config, platform, m_problem, m_rules);
    const PromptEdits edits = require(PromptEdits::parse(m_config.prompt_append, m_config.prompt_override));
    const Auxiliary auxiliary = require(Auxiliary::parse(own.aux));
    const std::unique_ptr<Arena> arena = host.open_arena(m_config, platform, m_problem);
    std::vector<fs::path> folders;
    if (!m_config.prompts.empty()) folders.push_back(fs::absolute(directory() / "prompts"));
    folders.push_back(m_invocation.data().prompts);
    ArenaRenderer renderer(*arena, folders);
    const GenerationAgent generation(m_generation_llm, *m_generation_provider, renderer);
    const AnalysisAgent analysis(m_analysis_llm, *m_analysis_provider, renderer);
    const ForgeParts parts{m_config,
                           *m_run,
                           *arena,
                           platform,
                           m_invocation.detections().device(platform, probing_python(m_invocation, m_config)),
                           guard,
                           edits,
                           auxiliary,
                           read_reference_kernels(m_invocation, own, platform),
                           m_problem.name,
                           m_problem.source,
                           generation,
                           analysis,
                           host.observer,
                           m_invocation.environment().temporary,
                           {},
                           host.campaign};
    Result<RunSummary> summary = run_forge(parts);
    if (!summary.ok()) {
        // Best effort: the run is resumable without this line.
        (void)m_run->append(summary.error().kind == ErrorKind::cancelled ? "interrupted" : "failed", 0,
                            {{"message", summary.error().message}});
        Error error = summary.error();
        if (error.kind != ErrorKind::usage)  // the problem itself: nothing to go on with
            error.message += fmt::format("\nNothing is lost: kforge resume {}",
                                         shown_path(directory(), m_invocation.directory()).string());
        else if (m_is_new && !m_run->find("vetted", 0))
            discard();
        give_up(error);
    }
    return std::move(summary).value();
}

}  // namespace kforge
