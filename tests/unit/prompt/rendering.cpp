#include "rendering.hpp"

#include <nlohmann/json.hpp>

#include "kforge/util/fs.hpp"
#include "kforge/util/process.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

const fs::path k_root = KFORGE_SOURCE_DIR;

std::string python() {
    const fs::path own = k_root / ".venv/bin/python";
    return fs::exists(own) ? own.string() : "python3";
}

const std::string k_problem = R"(import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        return torch.relu(self.linear(x)) * 2.0

def get_inputs():
    return [torch.rand(64, 512)]

def get_init_inputs():
    return [512]
)";

const std::string k_candidate = R"(import torch
import torch.nn as nn

class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        return self.linear(x).relu_().mul_(2.0)
)";

}  // namespace

ProcessRenderer::ProcessRenderer(std::vector<std::string> folders) : m_folders(std::move(folders)) {}

ProcessRenderer ProcessRenderer::with_built_in_templates() {
    return ProcessRenderer({(k_root / "prompts").string()});
}

Result<std::string> ProcessRenderer::render(const std::string& name, const nlohmann::json& context) {
    return run({{"folders", m_folders}, {"name", name}, {"context", context}});
}

Result<std::string> ProcessRenderer::render_text(const std::string& text, const nlohmann::json& context) {
    return run({{"folders", m_folders}, {"text", text}, {"context", context}});
}

Result<std::string> ProcessRenderer::run(const nlohmann::json& request) {
    ProcessSpec spec;
    spec.argv = {python(), (k_root / "python/kforge_arena/render.py").string()};
    spec.environment = inherit_environment({"PATH", "HOME", "LD_LIBRARY_PATH", "VIRTUAL_ENV"});
    spec.input = request.dump();
    TRY_ASSIGN(const ProcessOutcome outcome, run_process(spec));
    if (!outcome.status.success()) return Error{ErrorKind::config, std::string(trim(outcome.err))};
    return outcome.out;
}

GenerationContext sample_generation() {
    GenerationContext context;
    context.platform = {"toy-c",
                        "C kernels on a toy",
                        "C",
                        "cpu",
                        "# The toy\n\nIt has two cores.\n\n```c\n# not a heading\n```\n",
                        "class Model: ...\n",
                        "class NewModel: ...\n"};
    context.rules = {{"no-fast-math", "-ffast-math", "it changes results", false},
                     {"own-kernel", "ctypes", "", true}};
    context.problem = {"linear-relu",
                       k_problem,
                       {"x: float32 [64, 512]"},
                       {"float32 [64, 512]"},
                       {"linear.weight: float32 [512, 512]", "linear.bias: float32 [512]"}};
    context.iterations = 5;
    return context;
}

GenerationContext sample_after(const std::string& state, const std::string& reason,
                               const std::string& evidence) {
    GenerationContext context = sample_generation();
    context.pass_kind = PassKind::functional;
    context.iteration = 2;
    context.history = {{1, state, reason, std::nullopt, ""}};
    context.previous = AttemptContext{1, k_candidate, {state, reason, evidence, {}, {}, {}}};
    return context;
}

AnalysisContext sample_analysis() {
    const GenerationContext generation = sample_generation();
    AnalysisContext context;
    context.platform = generation.platform;
    context.problem = generation.problem;
    context.candidate.iteration = 2;
    context.candidate.source = k_candidate;
    context.candidate.result.state = "correct";
    context.candidate.result.speedup = SpeedupContext{1.25, 1.2, 1.31};
    context.candidate.result.timings = {{"candidate", 0.8}, {"eager", 1.0}, {"compile", 1.1}};
    context.profiles = {{"torch.profiler", "aten::addmm  80 %\naten::relu_  15 %\n"}};
    context.iteration = 2;
    context.iterations = 5;
    context.history = {{1, "mismatch", "values", std::nullopt, ""},
                       {2, "correct", "", SpeedupContext{1.25, 1.2, 1.31}, ""}};
    return context;
}

}  // namespace kforge
