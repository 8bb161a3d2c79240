// LlmBatches over HTTP: bodies and answers are those of single requests, carried by the API's BatchDialect.
#include <fmt/format.h>

#include "kforge/llm/answer.hpp"
#include "kforge/llm/api_error.hpp"
#include "kforge/llm/batch_dialect.hpp"
#include "kforge/llm/http_call.hpp"
#include "kforge/llm/json_reading.hpp"
#include "kforge/net/retry.hpp"
#include "kforge/net/waiting.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr double k_batch_price = 0.5;  // of the usual one, with every API that has batches
constexpr int k_batch_tries = 4;
constexpr size_t k_batch_result_limit = size_t{512} << 20;

class HttpApiClient : public ApiClient {
  public:
    HttpApiClient(const Dialect& dialect, const Llm& llm, const Key& key)
        : m_dialect(dialect),
          m_llm(llm),
          m_key(key),
          m_deadline(Clock::now() + std::chrono::seconds(llm.timeout_s)) {}

    Result<std::string> get(const std::string& path) const override { return send("GET", path, "", ""); }
    Result<std::string> post(const std::string& path, const std::string& body,
                             const std::string& content_type) const override {
        return send("POST", path, body, content_type);
    }
    // What the server said of the last request that it refused as such.
    const std::optional<ApiError>& refusal() const { return m_refusal; }

  private:
    Result<std::string> send(const std::string& method, const std::string& path, const std::string& body,
                             const std::string& content_type) const {
        HttpRequest request = http_request(m_dialect, m_llm, m_key, path, m_deadline);
        request.method = method;
        request.body = body;
        request.response_limit = k_batch_result_limit;
        for (std::string& header : request.headers)
            if (header.starts_with("content-type:") && !content_type.empty())
                header = "content-type: " + content_type;
        for (int attempt = 0;; ++attempt) {
            Result<HttpResponse> came = send_http(request);
            if (!came.ok()) return came.error();
            if (came->end == HttpEnd::complete && came->status >= 200 && came->status < 300)
                return std::move(came->body);
            const ApiError error = read_api_error(parse_json(came->body)).value_or(ApiError{});
            const Trouble trouble = came->status == 0
                                        ? Trouble::transient
                                        : trouble_of(came->status, error, came->header("x-should-retry"));
            const std::string why = m_key.mask(fmt::format(
                "LLM '{}': {}{}: {}", m_llm.name, m_llm.base_url, path,
                came->status == 0
                    ? came->problem
                    : fmt::format("HTTP {} {}", came->status, elide_middle(sanitize(error.message), 300))));
            if (trouble == Trouble::rejected) m_refusal = error;
            if (trouble != Trouble::busy && trouble != Trouble::transient)
                return refused_error(m_llm, m_key, came->status, error);
            // What was sent and never answered may have been taken: a second batch would be paid, too.
            const bool may_have_been_taken =
                method == "POST" && came->end != HttpEnd::unreachable && came->status == 0;
            if (may_have_been_taken)
                return Error{
                    ErrorKind::environment,
                    why +
                        ": whether the batch was taken is not known; look at the provider's page before "
                        "you resume"};
            const Milliseconds wait = retry_after(came->header("retry-after-ms"), came->header("retry-after"),
                                                  std::chrono::system_clock::now())
                                          .value_or(backoff(attempt, random_fraction(), Milliseconds(8000)));
            if (attempt + 1 >= k_batch_tries || Clock::now() + wait >= m_deadline)
                return Error{ErrorKind::environment, why};
            TRY(wait_until(Clock::now() + wait));
        }
    }

    const Dialect& m_dialect;
    const Llm& m_llm;
    const Key& m_key;
    const Clock::time_point m_deadline;
    mutable std::optional<ApiError> m_refusal;  // a client serves one submission or one look
};

class HttpBatches : public LlmBatches {
  public:
    HttpBatches(const Dialect& dialect, RefusedParameters& refused)
        : m_dialect(dialect), m_refused(refused) {}

    Result<std::string> submit(const Llm& llm, const std::vector<BatchItem>& items,
                               const Note& on_note) override {
        TRY_ASSIGN(const Key key, Key::find(llm));
        std::optional<ApiError> refusal;
        Result<std::string> batch = submit_once(llm, key, items, refusal);
        while (!batch.ok() && drop_refused(llm, key, items.front().request, refusal, on_note))
            batch = submit_once(llm, key, items, refusal);
        if (!batch.ok()) return batch.error();
        if (batch->empty() || batch->find_first_of("/?#% ") != std::string::npos)
            return Error{
                ErrorKind::environment,
                fmt::format("LLM '{}': {} took the batch and gave it no name", llm.name, llm.base_url)};
        return batch;
    }

    Result<std::optional<BatchOutcomes>> collect(const Llm& llm, const std::string& batch,
                                                 const Note& on_note) override {
        TRY_ASSIGN(const Key key, Key::find(llm));
        const HttpApiClient client(m_dialect, llm, key);
        TRY_ASSIGN(const std::optional<std::vector<BatchResult>> results,
                   m_dialect.batch_dialect()->results(client, batch));
        if (!results) return std::optional<BatchOutcomes>();
        BatchOutcomes outcomes;
        for (const BatchResult& result : *results)
            outcomes.insert_or_assign(result.id, outcome(llm, key, result, on_note));
        return std::optional(std::move(outcomes));
    }

  private:
    Result<std::string> submit_once(const Llm& llm, const Key& key, const std::vector<BatchItem>& items,
                                    std::optional<ApiError>& refusal) const {
        std::vector<BatchBody> bodies;
        for (const BatchItem& item : items) {
            Asking asking = asking_for(llm);
            TRY_ASSIGN(asking.images, images_in_base64(item.request));
            bodies.push_back({item.id, m_dialect.body(llm, item.request, asking)});
        }
        const HttpApiClient client(m_dialect, llm, key);
        Result<std::string> batch = m_dialect.batch_dialect()->submit(client, bodies);
        refusal = client.refusal();
        return batch;
    }

    Asking asking_for(const Llm& llm) const {
        Asking asking;
        asking.stream = false;
        asking.dropped = m_refused.of(llm);
        return asking;
    }

    // Leaves the parameter out from now on, if the refusal names one that was sent.
    std::optional<std::string> drop_refused(const Llm& llm, const Key& key, const LlmRequest& request,
                                            const std::optional<ApiError>& error, const Note& on_note) {
        if (!error) return std::nullopt;
        const std::optional<std::string> named =
            refused_parameter(m_dialect, llm, request, asking_for(llm), *error);
        if (named && m_refused.add(llm, *named) && on_note)
            on_note(key.mask(refusal_text(llm, *named, *error) + ": handed in again without"));
        return named;
    }

    BatchOutcome outcome(const Llm& llm, const Key& key, const BatchResult& result, const Note& on_note) {
        if (result.answer.is_null()) {
            const LlmFailure failure{
                "network", key.mask(fmt::format("{} did not answer this request of a batch: {}", llm.name,
                                                elide_middle(trim(sanitize(result.problem)), 300)))};
            return {failure, refused_in(llm, key, result.error, on_note), false};
        }
        Reply reply;
        m_dialect.read_whole(result.answer, reply);
        Usage usage = usage_of({}, reply);
        usage.usd = k_batch_price * cost_usd(llm, usage);
        if (reply.stop == StopKind::none)
            return {LlmFailure{"network",
                               fmt::format("{} left this request of a batch half answered", llm.name), usage},
                    "", false};
        const bool may_continue = reply.stop == StopKind::truncated && !reply.context_full;
        LlmOutcome outcome = outcome_of(llm, key, std::move(reply));
        const bool is_answer = std::holds_alternative<LlmAnswer>(outcome);
        if (LlmAnswer* answer = std::get_if<LlmAnswer>(&outcome)) answer->usage = usage;
        if (LlmFailure* failure = std::get_if<LlmFailure>(&outcome)) failure->usage = usage;
        return {std::move(outcome), "", may_continue && is_answer};
    }

    // The requests of a batch differ in their texts alone: a short one shows what was sent with all of them.
    // Those that come after the first find their parameter dropped already.
    std::string refused_in(const Llm& llm, const Key& key, const std::optional<ApiError>& error,
                           const Note& on_note) {
        if (!error) return "";
        LlmRequest sample;
        sample.system = sample.prompt = "-";
        sample.stable_bytes = 1;
        if (const auto named = drop_refused(llm, key, sample, error, on_note)) return *named;
        Asking nothing_dropped;
        nothing_dropped.stream = false;
        const auto before = refused_parameter(m_dialect, llm, sample, nothing_dropped, *error);
        return before && m_refused.of(llm).contains(*before) ? *before : "";
    }

    const Dialect& m_dialect;
    RefusedParameters& m_refused;
};

}  // namespace

std::unique_ptr<LlmBatches> make_http_batches(const Dialect& dialect, RefusedParameters& refused) {
    return std::make_unique<HttpBatches>(dialect, refused);
}

}  // namespace kforge
