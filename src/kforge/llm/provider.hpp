// Provider: one way to ask an LLM. One file per provider and one row in provider.cpp. A provider knows how to
// carry a prompt there and an answer back; it knows nothing of kernels, runs or budgets. complete() may be
// called by several threads at once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
    std::string key_variable;              // environment variable that holds the key
    std::vector<std::string> key_command;  // argv of a program that prints the key, where no variable does
    std::vector<std::string> headers;      // HTTP: more "Name: value" lines
    fs::path ca_file;                      // HTTP: certificates to trust instead of the system's
    fs::path socket;                       // HTTP: a unix socket to connect to
    bool allow_plain_http = false;         // HTTP: without TLS to a machine that is not this one
    std::vector<std::string> command;      // provider command: argv
    fs::path directory;                    // providers mailbox and replay
    std::optional<double> temperature;     // sent only when set
    std::string effort;                    // sent only when set
    std::string thinking;                  // "", "adaptive" or a number of tokens; sent only when set
    int max_output_tokens = 32'000;
    int context_tokens = 200'000;
    int timeout_s = 1200;  // one whole call, retries included
    int requests_per_minute =
        0;  // HTTP: what the server allows this key, where its headers do not say; 0: unknown
    int tokens_per_minute = 0;
    // Prices: not set is not known, which is something else than 0 (see has_prices() and cost_usd()).
    std::optional<double> usd_per_million_input;
    std::optional<double> usd_per_million_cached_input;
    std::optional<double> usd_per_million_cache_write;
    std::optional<double> usd_per_million_output;
    int priced_to_tokens = 0;  // a longer prompt costs more than these prices; 0: they hold for all
    bool sees_images = false;
    bool takes_effort = false;
    bool caches_prompts = false;  // worth marking the stable part of a prompt for
    bool takes_batches = false;
    bool batch = false;      // HTTP: ask in batches, for half the price; a run suspends until they are done
    bool stream = true;      // HTTP: take the answer as it is written
    std::string facts_date;  // of limits, prices and abilities: "2026-11-15"
    std::string origin;      // "built in", or the file that defines it
};

struct LlmRequest {
    std::string agent;  // "generation" or "analysis"
    int iteration = 0;
    std::string system;
    std::string prompt;
    size_t stable_bytes = 0;       // of the prompt: what the next requests of the run begin with too
    std::vector<fs::path> images;  // PNG
};

struct Usage {
    long input_tokens = 0;         // all of them: read from and written to a cache too
    long cached_input_tokens = 0;  // of these: read from the provider's prompt cache
    long cache_write_tokens = 0;   // of these: written to it
    long output_tokens = 0;        // all of them: reasoning too
    long reasoning_tokens = 0;     // of these
    bool estimated = false;        // the provider did not say: four characters a token
    double usd = 0;
};

struct LlmAnswer {
    std::string text;       // never blank, valid UTF-8, lines end in '\n'
    std::string reasoning;  // kept apart from the answer
    Usage usage;
    bool truncated = false;  // cut off by a limit; what came may still hold a whole candidate
    std::string request_id;  // the provider's, for its support desk
};

// No answer yet: the run suspends and asks again on resume.
struct LlmPending {
    std::string message;  // what the user must do, e.g. which file to write
};

// The LLM was asked and there is no answer to use. `reason` is a reason of generation_failure.
struct LlmFailure {
    std::string reason;  // network, refused, truncated, empty
    std::string message;
    Usage usage;  // what it cost all the same
};

using LlmOutcome = std::variant<LlmAnswer, LlmPending, LlmFailure>;

// What a provider may use of the run it serves.
struct LlmCall {
    // A provider that must remember something until resume (mailbox, batches) keeps it in a folder of its own
    // name here, so that it travels with the run.
    fs::path run_directory;
    // Takes pieces of the answer as they arrive, on the calling thread; may be empty. Only for streaming.
    std::function<void(std::string_view)> on_text;
    // What on_text has taken is void: the stream broke and the answer begins anew.
    std::function<void()> on_restart;
    // Something worth a line: a parameter that was dropped, a wait for a rate limit, a stream that broke.
    std::function<void(std::string_view)> on_note;
    // Asked before a call sends a second request that costs money: to continue an answer that was cut off, or
    // after a stream that broke. `so_far` is what the call has used. Empty means yes; a no ends the call with
    // what there is.
    std::function<bool(const Usage& so_far)> may_pay_again;
};

// One request of a batch, under a name of the caller's: at most 64 letters, digits, '-' and '_'.
struct BatchItem {
    std::string id;
    LlmRequest request;
};

// What became of one request of a batch.
struct BatchOutcome {
    LlmOutcome outcome;
    std::string refused;        // the parameter for which it was not taken: to be handed in again without
    bool may_continue = false;  // an answer that was cut off, and has room to go on
};
using BatchOutcomes = std::map<std::string, BatchOutcome>;

// Many requests at once, for half the price and an answer within a day. The caller keeps the batch's name.
class LlmBatches {
  public:
    virtual ~LlmBatches() = default;
    using Note = std::function<void(std::string_view)>;
    // Hands them in; the provider's name for the batch. A parameter that it does not take is left out, with a
    // note.
    virtual Result<std::string> submit(const Llm& llm, const std::vector<BatchItem>& items,
                                       const Note& on_note) = 0;
    // Nothing while it is being worked on; then the outcomes by the items' ids. An item that failed, expired
    // or was lost has an LlmFailure (network) or is missing: it cost nothing and can be asked singly.
    virtual Result<std::optional<BatchOutcomes>> collect(const Llm& llm, const std::string& batch,
                                                         const Note& on_note) = 0;
};

class Provider {
  public:
    virtual ~Provider() = default;
    // Sets this provider's defaults and, when not empty, what ARGUMENT of "provider:ARGUMENT" means to it.
    virtual Result<void> configure(Llm& llm, const std::string& argument) const = 0;
    // Fills in what follows from an entry as a whole, once its table has been read: the variable of its key.
    virtual void settle(Llm&) const {}
    // What an entry lacks for this provider: a config error. Looks at the entry only, not at the machine.
    virtual Result<void> check(const Llm& llm) const = 0;
    // An Error stops the run, resumable: a missing or refused key, a spent quota, a program that cannot be
    // started, an interrupt.
    virtual Result<LlmOutcome> complete(const Llm& llm, const LlmRequest& request, const LlmCall& call) = 0;
    // Nothing where the provider has no batches.
    virtual LlmBatches* batches() { return nullptr; }
};

struct ProviderRow {
    std::string name;
    std::string help;  // one line
    std::unique_ptr<Provider> (*make)();
};

const std::vector<ProviderRow>& provider_table();
// An unknown name is a config error that lists the table.
Result<std::unique_ptr<Provider>> make_provider(const std::string& name);
std::vector<std::string> provider_names();

}  // namespace kforge
