#include "kforge/llm/provider.hpp"

#include <fmt/format.h>

#include "kforge/util/text.hpp"

namespace kforge {

// Each is defined in the file of its provider.
std::unique_ptr<Provider> make_anthropic_provider();
std::unique_ptr<Provider> make_command_provider();
std::unique_ptr<Provider> make_gemini_provider();
std::unique_ptr<Provider> make_mailbox_provider();
std::unique_ptr<Provider> make_openai_chat_provider();
std::unique_ptr<Provider> make_openai_responses_provider();
std::unique_ptr<Provider> make_replay_provider();

const std::vector<ProviderRow>& provider_table() {
    static const std::vector<ProviderRow> rows = {
        {"anthropic", "Messages: Anthropic, llama.cpp, and servers that speak like it",
         make_anthropic_provider},
        {"openai-responses", "Responses: OpenAI, Azure, llama.cpp", make_openai_responses_provider},
        {"gemini", "generateContent: Google Gemini", make_gemini_provider},
        {"openai-chat",
         "Chat Completions: OpenAI, vLLM, SGLang, llama.cpp, Ollama, LM Studio, OpenRouter, ...",
         make_openai_chat_provider},
        {"command", "any program: prompt on standard input, answer on standard output",
         make_command_provider},
        {"mailbox", "prompts and answers as files in a folder: a person, an agent, an air-gapped machine",
         make_mailbox_provider},
        {"replay", "the answers of a recorded run", make_replay_provider},
    };
    return rows;
}

std::vector<std::string> provider_names() {
    std::vector<std::string> names;
    for (const ProviderRow& row : provider_table()) names.push_back(row.name);
    return names;
}

Result<std::unique_ptr<Provider>> make_provider(const std::string& name) {
    for (const ProviderRow& row : provider_table())
        if (row.name == name) return row.make();
    return Error{ErrorKind::config, fmt::format("there is no provider '{}'; the providers are {}", name,
                                                join(provider_names(), ", "))};
}

}  // namespace kforge
