// Renders through python/kforge_arena/render.py in a process of its own, and makes contexts, for tests.
#pragma once

#include <string>
#include <vector>

#include "kforge/prompt/context.hpp"
#include "kforge/prompt/renderer.hpp"

namespace kforge {

class ProcessRenderer : public Renderer {
  public:
    explicit ProcessRenderer(std::vector<std::string> folders);
    static ProcessRenderer with_built_in_templates();

    Result<std::string> render(const std::string& name, const nlohmann::json& context) override;
    Result<std::string> render_text(const std::string& text, const nlohmann::json& context) override;

  private:
    Result<std::string> run(const nlohmann::json& request);
    std::vector<std::string> m_folders;
};

// A first pass for a made-up problem on a made-up platform.
GenerationContext sample_generation();
// The same after an iteration that ended in `state` for `reason`.
GenerationContext sample_after(const std::string& state, const std::string& reason,
                               const std::string& evidence);
AnalysisContext sample_analysis();

}  // namespace kforge
