// Renderer: turns a Jinja2 template and a context into text. Sandboxed and strict: a variable that the
// context lacks is a config error that names the template, the line and the variables that exist.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kforge/util/result.hpp"

namespace kforge {

class Renderer {
  public:
    virtual ~Renderer() = default;
    // A template of the prompts folders, by name: "generation.md.j2". The user's folder comes first.
    virtual Result<std::string> render(const std::string& template_name, const nlohmann::json& context) = 0;
    // A template given as text; it may include those of the prompts folders.
    virtual Result<std::string> render_text(const std::string& text, const nlohmann::json& context) = 0;
};

}  // namespace kforge
