#include "kforge/llm/batch_desk.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/llm/answer.hpp"
#include "kforge/llm/dialect.hpp"
#include "kforge/llm/json_reading.hpp"
#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

using nlohmann::json;

// A run writes the prompts of its samples first and asks for them together: they arrive within moments.
constexpr std::chrono::milliseconds k_gathering{500};
constexpr std::chrono::seconds k_look_again{5};

// The same request of the same run has the same name on every machine.
std::string item_name(const LlmRequest& request) {
    LlmRequest whole = request;
    whole.stable_bytes = whole.prompt.size();
    return fmt::format("{}-{:03}-{}", request.agent, request.iteration, cache_key(whole));
}

json outcome_json(const LlmOutcome& outcome) {
    if (const LlmAnswer* answer = std::get_if<LlmAnswer>(&outcome)) return to_json(*answer);
    const LlmFailure& failure = std::get<LlmFailure>(outcome);
    LlmAnswer carrier;
    carrier.usage = failure.usage;
    return {{"failure", {{"reason", failure.reason}, {"message", failure.message}}},
            {"usage", to_json(carrier)["usage"]}};
}

// Nothing when it has to be asked singly.
Result<std::optional<BatchOutcome>> stored_outcome(const fs::path& path) {
    TRY_ASSIGN(const std::string text, read_file(path));
    const json value = parse_json(text);
    if (json_at(value, {"failure"}).is_null()) {
        TRY_ASSIGN(LlmAnswer answer, answer_from_json(value));
        const bool may_continue = json_at(value, {"may_continue"}) == true;
        return std::optional(BatchOutcome{std::move(answer), "", may_continue});
    }
    const std::string reason = text_at(value, {"failure", "reason"});
    if (reason == "network") return std::optional<BatchOutcome>();
    TRY_ASSIGN(const LlmAnswer carrier,
               answer_from_json({{"text", "-"}, {"usage", json_at(value, {"usage"})}}));
    return std::optional(
        BatchOutcome{LlmFailure{reason, text_at(value, {"failure", "message"}), carrier.usage}, "", false});
}

// The file that says which batch an item is in: ITEM.batch. Empty text when there is none.
std::string batch_of(const fs::path& folder, const std::string& item) {
    std::error_code ignored;
    const fs::path path = folder / (item + ".batch");
    if (!fs::exists(path, ignored)) return "";
    return text_at(parse_json(read_file(path).value_or("")), {"batch"});
}

}  // namespace

struct BatchDesk::Waiting {
    const BatchItem& item;
    const fs::path& folder;
    bool done = false;
    std::optional<Error> error;
};

Result<std::optional<BatchOutcome>> BatchDesk::ask(LlmBatches& batches, const Llm& llm,
                                                   const LlmRequest& request, const LlmCall& call) {
    const fs::path folder = call.run_directory / "batches";
    const std::string item = item_name(request);
    const fs::path answer = folder / (item + ".answer.json");
    std::error_code ignored;
    // One that comes back because of a parameter is handed in once more.
    for (int submissions = 0; submissions < 2; ++submissions) {
        if (fs::exists(answer, ignored)) return stored_outcome(answer);
        if (batch_of(folder, item).empty()) TRY(hand_in(batches, llm, folder, {item, request}, call));
        TRY(fetch(batches, llm, folder, item, call));
        if (!batch_of(folder, item).empty()) break;
    }
    if (fs::exists(answer, ignored)) return stored_outcome(answer);
    return std::optional(
        BatchOutcome{LlmPending{fmt::format("batch {} of {} is being worked on (up to a day): resume later",
                                            batch_of(folder, item), llm.name)},
                     "", false});
}

// The first to come waits for the others and hands in for all of the same run and LLM.
Result<void> BatchDesk::hand_in(LlmBatches& batches, const Llm& llm, const fs::path& folder,
                                const BatchItem& item, const LlmCall& call) {
    std::unique_lock lock(m_mutex);
    Waiting me{item, folder, false, std::nullopt};
    std::vector<Waiting*>& waiting = m_waiting[folder.string() + "\n" + llm.name];
    waiting.push_back(&me);
    const bool first = waiting.size() == 1;
    m_changed.notify_all();
    if (!first) {
        m_changed.wait(lock, [&] { return me.done; });
    } else {
        size_t seen = 0;
        while (seen != waiting.size() && !interrupted()) {
            seen = waiting.size();
            m_changed.wait_for(lock, k_gathering, [&] { return waiting.size() != seen; });
        }
        std::vector<Waiting*> together;
        std::swap(together, waiting);
        lock.unlock();
        std::vector<BatchItem> items;
        for (const Waiting* one : together) items.push_back(one->item);
        Result<std::string> batch = interrupted() ? Result<std::string>(interrupted_error())
                                                  : batches.submit(llm, items, call.on_note);
        std::optional<Error> error;
        if (!batch.ok()) error = batch.error();
        for (const Waiting* one : together)
            if (!error)
                if (Result<void> kept =
                        write_file_durable(one->folder / (one->item.id + ".batch"),
                                           dump_json({{"batch", *batch}, {"llm", llm.name}}) + "\n");
                    !kept.ok())
                    error = kept.error();
        lock.lock();
        for (Waiting* one : together) {
            one->error = error;
            one->done = true;
        }
        m_changed.notify_all();
    }
    if (me.error) return *me.error;
    return {};
}

// Brings the answers of the item's whole batch into the run directory, once they are there.
Result<void> BatchDesk::fetch(LlmBatches& batches, const Llm& llm, const fs::path& folder,
                              const std::string& item, const LlmCall& call) {
    const std::lock_guard lock(m_fetching);
    std::error_code ignored;
    if (fs::exists(folder / (item + ".answer.json"), ignored)) return {};
    const std::string batch = batch_of(folder, item);
    if (batch.empty()) return {};  // another request has seen meanwhile that this one is to go once more
    // Every request of a batch asks for it; one answer serves them all.
    const auto now = std::chrono::steady_clock::now();
    if (const auto looked = m_looked.find(batch);
        looked != m_looked.end() && now - looked->second < k_look_again)
        return {};
    m_looked[batch] = now;
    TRY_ASSIGN(auto outcomes, batches.collect(llm, batch, call.on_note));
    if (!outcomes) return {};
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().extension() != ".batch") continue;
        const std::string id = entry.path().stem().string();
        if (batch_of(folder, id) != batch) continue;
        // One that the provider has lost is to be asked singly, like one that failed.
        const auto found = outcomes->find(id);
        const BatchOutcome outcome =
            found != outcomes->end()
                ? found->second
                : BatchOutcome{LlmFailure{"network", "the batch came back without it"}, "", false};
        // Refused for a parameter: once more without it. The file of the first time remembers that.
        const fs::path again = folder / (id + ".again");
        if (!outcome.refused.empty() && !fs::exists(again, ignored)) {
            fs::rename(entry.path(), again, ignored);
            if (!ignored) continue;
        }
        json stored = outcome_json(outcome.outcome);
        if (outcome.may_continue) stored["may_continue"] = true;
        TRY(write_file_durable(folder / (id + ".answer.json"), stored.dump(1) + "\n"));
    }
    return {};
}

}  // namespace kforge
