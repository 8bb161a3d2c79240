// Asks LLMs as a run would, without a run. One JSON object per line on standard input:
//   {"toml": "[llms.x] ...", "llm": "x", "request": {"system", "prompt", "stable_bytes", "images"},
//   "run_directory",
//    "pay_again": true}                          one call; its outcome, pieces and notes come back
//   {..., "count": 2000, "parallel": 50}         many calls; counts, times, memory and descriptors come back
//   {"sse_megabytes": 64}                        the speed of the parser of streams
// One JSON object per line on standard output.
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "kforge/llm/answer.hpp"
#include "kforge/llm/registry.hpp"
#include "kforge/net/sse.hpp"
#include "kforge/util/interrupt.hpp"
#include "kforge/util/process.hpp"

using namespace kforge;
using nlohmann::json;

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

long resident_kb(const char* field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(field)) return std::stol(line.substr(line.find_first_of("0123456789")));
    return 0;
}

int open_descriptors() {
    return static_cast<int>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

json usage_json(const Usage& usage) {
    LlmAnswer carrier;
    carrier.usage = usage;
    return to_json(carrier)["usage"];
}

json outcome_json(const Result<LlmOutcome>& outcome) {
    if (!outcome.ok())
        return {{"kind", "error"},
                {"error", static_cast<int>(outcome.error().kind)},
                {"message", outcome.error().message}};
    if (const LlmAnswer* answer = std::get_if<LlmAnswer>(&*outcome)) {
        json value = to_json(*answer);
        value["kind"] = "answer";
        return value;
    }
    if (const LlmPending* pending = std::get_if<LlmPending>(&*outcome))
        return {{"kind", "pending"}, {"message", pending->message}};
    const LlmFailure& failure = std::get<LlmFailure>(*outcome);
    return {{"kind", failure.reason}, {"message", failure.message}, {"usage", usage_json(failure.usage)}};
}

LlmRequest request_of(const json& order) {
    const json request = order.value("request", json::object());
    LlmRequest made;
    made.agent = request.value("agent", "generation");
    made.iteration = request.value("iteration", 1);
    made.system = request.value("system", "");
    made.prompt = request.value("prompt", "Write a kernel.");
    made.stable_bytes = request.value("stable_bytes", size_t{0});
    for (const json& path : request.value("images", json::array()))
        made.images.emplace_back(path.get<std::string>());
    return made;
}

json one_call(Provider& provider, const Llm& llm, const json& order) {
    std::string pieces;
    std::vector<std::string> notes;
    int restarts = 0;
    double first_piece_s = -1;
    const auto start = std::chrono::steady_clock::now();
    LlmCall call;
    call.run_directory = order.value("run_directory", "");
    call.on_text = [&](std::string_view text) {
        if (first_piece_s < 0) first_piece_s = seconds_since(start);
        pieces += text;
    };
    call.on_restart = [&] {
        ++restarts;
        pieces.clear();
    };
    call.on_note = [&](std::string_view note) { notes.emplace_back(note); };
    if (!order.value("pay_again", true)) call.may_pay_again = [](const Usage&) { return false; };
    json result = outcome_json(provider.complete(llm, request_of(order), call));
    result["seconds"] = seconds_since(start);
    result["first_piece_s"] = first_piece_s;
    result["pieces"] = pieces;
    result["notes"] = notes;
    result["restarts"] = restarts;
    result["peak_kb"] = resident_kb("VmHWM:");
    return result;
}

json many_calls(Provider& provider, const Llm& llm, const json& order) {
    const int count = order["count"];
    std::map<std::string, int> kinds;
    std::vector<double> seconds;
    Usage total;
    std::string complaint;
    std::mutex mutex;
    std::atomic<int> next{0};
    const long rss_before = resident_kb("VmRSS:");
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (int t = 0; t < order.value("parallel", 1); ++t)
        threads.emplace_back([&] {
            for (int number = ++next; number <= count; number = ++next) {
                const auto began = std::chrono::steady_clock::now();
                LlmRequest request = request_of(order);
                request.iteration = number;
                LlmCall call;
                call.run_directory = order.value("run_directory", "");
                const Result<LlmOutcome> outcome = provider.complete(llm, request, call);
                const double took = seconds_since(began);
                const json told = outcome_json(outcome);
                const std::lock_guard lock(mutex);
                ++kinds[told["kind"]];
                seconds.push_back(took);
                if (told["kind"] != "answer") complaint = told.value("message", "");
                if (told.contains("usage")) {
                    total.usd += told["usage"]["usd"].get<double>();
                    total.output_tokens += told["usage"]["output_tokens"].get<long>();
                }
            }
        });
    for (std::thread& thread : threads) thread.join();
    const double all = seconds_since(start);
    return {{"kinds", kinds},
            {"call_seconds", seconds},
            {"seconds", all},
            {"rss_before_kb", rss_before},
            {"rss_kb", resident_kb("VmRSS:")},
            {"descriptors", open_descriptors()},
            {"usd", total.usd},
            {"output_tokens", total.output_tokens},
            {"complaint", complaint}};
}

json measure_sse(size_t megabytes) {
    std::string stream;
    while (stream.size() < (megabytes << 20))
        stream +=
            "event: content_block_delta\ndata: "
            "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":"
            "\"text_delta\",\"text\":\"    x = tl.load(p + i)\"}}\n\n";
    SseParser parser;
    size_t events = 0;
    size_t bytes = 0;
    const auto start = std::chrono::steady_clock::now();
    for (size_t at = 0; at < stream.size(); at += 16 << 10)
        parser.feed(std::string_view(stream).substr(at, 16 << 10), [&](const SseEvent& event) {
            ++events;
            bytes += event.data.size();
        });
    const double seconds = seconds_since(start);
    return {{"megabytes_per_s", static_cast<double>(stream.size()) / 1e6 / seconds}, {"events", events}};
}

json obey(const json& order) {
    if (order.contains("sse_megabytes")) return measure_sse(order["sse_megabytes"]);
    LlmRegistry registry = LlmRegistry::builtin();
    const auto refuse = [](const Error& error) { return outcome_json(Result<LlmOutcome>(error)); };
    if (const auto read = registry.extend(order.value("toml", ""), fs::current_path() / "probe.toml");
        !read.ok())
        return refuse(read.error());
    const Result<Llm> llm = registry.find(order.value("llm", ""));
    if (!llm.ok()) return refuse(llm.error());
    // One provider for all orders, as in a run: what it remembers is tested too.
    static std::map<std::string, std::unique_ptr<Provider>> providers;
    std::unique_ptr<Provider>& provider = providers[llm->provider];
    if (!provider) provider = std::move(make_provider(llm->provider)).value();
    return order.contains("count") ? many_calls(*provider, *llm, order) : one_call(*provider, *llm, order);
}

}  // namespace

int main() {
    install_interrupt_handler();
    for (std::string line; std::getline(std::cin, line);)
        std::cout << obey(json::parse(line)).dump(-1, ' ', false, json::error_handler_t::replace)
                  << std::endl;
    return 0;
}
