// Provider: one way to ask an LLM. One file per provider and one row in provider.cpp. A provider knows how to
// carry a prompt there and an answer back; it knows nothing of kernels, runs or budgets. complete() may be
// called by several threads at once.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

// One entry of the registry: what the user named, resolved.
struct Llm {
    std::string name;      // as the user says it
    std::string provider;  // row of the provider table
    std::string id;        // the provider's own name for it
    std::string base_url;
    std::string key_variable;           // environment variable that holds the key
    std::vector<std::string> command;   // provider command: argv
    fs::path directory;                 // providers mailbox and replay
    std::optional<double> temperature;  // sent only when set
    std::string effort;                 // sent only when set
    int max_output_tokens = 32'000;
    int context_tokens = 200'000;
    int timeout_s = 1200;
    double usd_per_million_input = 0;
    double usd_per_million_output = 0;
    bool sees_images = false;
    std::string origin;  // "built in", or the file that defines it
};

struct LlmRequest {
    std::string agent;  // "generation" or "analysis"
    int iteration = 0;
    std::string system;
    std::string prompt;
    std::vector<fs::path> images;  // PNG
};

struct Usage {
    long input_tokens = 0;
    long output_tokens = 0;
    bool estimated = false;  // the provider did not say: four characters a token
    double usd = 0;
};

struct LlmAnswer {
    std::string text;
    std::string reasoning;
    Usage usage;
    bool truncated = false;
    std::string request_id;
};

// No answer yet: the run suspends and asks again on resume.
struct LlmPending {
    std::string message;  // what the user must do, e.g. which file to write
};

// The LLM was asked and there is no answer to use. `reason` is a reason of generation_failure.
struct LlmFailure {
    std::string reason;  // network, refused, truncated, empty
    std::string message;
};

using LlmOutcome = std::variant<LlmAnswer, LlmPending, LlmFailure>;

// What a provider may use of the run it serves.
struct LlmCall {
    fs::path run_directory;                         // mailbox: the folder travels with the run
    std::function<void(std::string_view)> on_text;  // streaming; may be empty
};

class Provider {
  public:
    virtual ~Provider() = default;
    // An Error stops the run, resumable: a missing key, a program that cannot be started, an interrupt.
    virtual Result<LlmOutcome> complete(const Llm& llm, const LlmRequest& request, const LlmCall& call) = 0;
};

// The table: provider name to factory.
Result<std::unique_ptr<Provider>> make_provider(const std::string& name);
std::vector<std::string> provider_names();

}  // namespace kforge
