#include "kforge/llm/http_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/llm/answer.hpp"
#include "kforge/llm/api_error.hpp"
#include "kforge/llm/continuation.hpp"
#include "kforge/llm/json_reading.hpp"
#include "kforge/net/retry.hpp"
#include "kforge/net/waiting.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// A server that is only busy is asked until the deadline. What breaks on the way may have been paid for.
constexpr int k_tries_when_broken = 3;
constexpr Milliseconds k_longest_backoff{30'000};
constexpr Milliseconds k_worth_a_note{2'000};

std::string seconds_text(Milliseconds wait) {
    return fmt::format("{:.3g} s", static_cast<double>(wait.count()) / 1000);
}

class HttpCall {
  public:
    HttpCall(const Dialect& dialect, const Llm& llm, const LlmRequest& request, const LlmCall& call,
             RefusedParameters& refused, const Key& key)
        : m_dialect(dialect),
          m_llm(llm),
          m_request(request),
          m_call(call),
          m_refused(refused),
          m_key(key),
          m_deadline(Clock::now() + std::chrono::seconds(llm.timeout_s)),
          m_limiter(Limiter::shared(llm.base_url + llm.socket.string() + "\n" + llm.id, key.fingerprint())) {}

    Result<LlmOutcome> run() {
        TRY(prepare());
        TRY_ASSIGN(Answered answered, ask());
        if (LlmOutcome* early = std::get_if<LlmOutcome>(&answered)) return priced(std::move(*early));
        Reply reply = std::move(std::get<Reply>(answered));
        m_used = sum(m_used, usage_of(m_request, reply));
        if (reply.stop == StopKind::truncated && may_continue(reply)) TRY(continue_answer(reply));
        return priced(outcome_of(m_llm, m_key, std::move(reply)));
    }

    Result<LlmOutcome> go_on(LlmAnswer first) {
        TRY(prepare());
        m_paid = first.usage;
        Reply reply;
        reply.text = first.text;
        reply.reasoning = first.reasoning;
        reply.request_id = first.request_id;
        reply.stop = StopKind::truncated;
        if (!may_continue(reply)) return LlmOutcome(std::move(first));
        TRY(continue_answer(reply));
        return priced(outcome_of(m_llm, m_key, std::move(reply)));
    }

  private:
    using Answered = std::variant<Reply, LlmOutcome>;

    Result<void> prepare() {
        m_asking.stream = m_llm.stream;
        m_asking.dropped = m_refused.of(m_llm);
        TRY_ASSIGN(m_asking.images, images_in_base64(m_request));
        return {};
    }

    // --- One answer, however many requests it takes

    Result<Answered> ask() {
        int broken = 0;
        for (int attempt = 0;; ++attempt) {
            const nlohmann::json body = m_dialect.body(m_llm, m_request, m_asking);
            Result<Limiter::Turn> turn =
                m_limiter->enter(load(), {m_llm.requests_per_minute, m_llm.tokens_per_minute}, m_deadline);
            if (!turn.ok()) {
                if (turn.error().kind != ErrorKind::timeout) return turn.error();
                return Answered(LlmPending{fmt::format("{}: {}", server(), turn.error().message)});
            }
            TRY_ASSIGN(Exchange came, send(body, *turn));
            const Usage used = usage_of(m_request, came.reply);
            m_limiter->used(*turn, used.input_tokens + used.output_tokens);
            if (came.reply.stop != StopKind::none && !came.error) return Answered(std::move(came.reply));
            if (came.http.status >= 300 && came.http.status < 400) return redirect_error(came.http);
            if (came.foreign) return foreign_error(came);
            if (came.http.end == HttpEnd::too_large)
                return Answered(LlmFailure{"network", fmt::format("{}: {}", server(), came.http.problem),
                                           lost(came.reply)});

            const ApiError error = came.error.value_or(ApiError{});
            const Trouble trouble = came.error ? trouble_of(came.http.status == 200 ? 0 : came.http.status,
                                                            error, came.http.header("x-should-retry"))
                                               : Trouble::transient;
            if (trouble == Trouble::rejected && drop_parameter(came, error)) continue;
            if (trouble != Trouble::busy && trouble != Trouble::transient)
                return Error(refused_error(m_llm, m_key, came.http.status, error));

            const std::string why = m_key.mask(describe(came));
            if (came.body_bytes > 0 && came.http.status == 200) m_used = sum(m_used, lost(came.reply));
            if (trouble == Trouble::transient && ++broken >= k_tries_when_broken) return given_up(came, why);
            TRY_ASSIGN(const std::optional<LlmOutcome> no_time,
                       wait(came, error, trouble, attempt, *turn, why));
            if (no_time) return Answered(*no_time);
            // What was sent and never answered may cost something, too; how much, nobody says.
            const bool unanswered = came.http.status == 0 && came.http.end != HttpEnd::unreachable;
            if ((unanswered || (came.body_bytes > 0 && came.http.status == 200)) && !pay_again())
                return Answered(LlmFailure{"network", why + "; the budget allows no second try"});
            if (!came.reply.text.empty() && m_call.on_restart) m_call.on_restart();
        }
    }

    Result<Exchange> send(const nlohmann::json& body, const Limiter::Turn& turn) {
        HttpRequest request =
            http_request(m_dialect, m_llm, m_key, m_dialect.path(m_llm, m_asking.stream), m_deadline);
        request.body = dump_json(body);
        MaskedStream shown(m_key, m_call.on_text);
        bool heard = false;
        Result<Exchange> came = exchange(
            m_dialect, request, [&](std::string_view piece) { shown.feed(piece); },
            [&](const HttpResponse& http) {
                heard = true;
                note_limits(turn, http);
            });
        if (!came.ok()) {
            if (came.error().kind == ErrorKind::cancelled) return came.error();
            return Error{came.error().kind, m_key.mask(came.error().message)}.within(
                fmt::format("LLM '{}'", m_llm.name));
        }
        shown.finish();
        if (!heard) note_limits(turn, came->http);  // it had no body
        return came;
    }

    Load load() const {
        const long sent = estimate_tokens(m_request.system) + estimate_tokens(m_request.prompt) +
                          estimate_tokens(m_asking.partial);
        return {sent, sent + m_llm.max_output_tokens};
    }

    void note_limits(const Limiter::Turn& turn, const HttpResponse& http) {
        if (http.status != 0)
            m_limiter->heard(turn, read_rate_limits(http, Clock::now(), std::chrono::system_clock::now()),
                             http.status == 200);
    }

    // --- What came instead of an answer

    std::string describe(const Exchange& came) const {
        std::string what;
        if (came.error)
            what =
                fmt::format("{}{}{}", came.http.status == 200 ? "" : fmt::format("HTTP {}", came.http.status),
                            came.http.status == 200 || came.error->message.empty() ? "" : ": ",
                            came.error->message.empty() ? came.error->type : sanitize(came.error->message));
        else if (!came.malformed.empty())
            what = "what came is damaged: " + came.malformed;
        else if (came.http.end != HttpEnd::complete)
            what = came.http.problem;
        else
            what = "the answer ended before it was whole";
        return fmt::format("{}: {}", server(), what);
    }

    Result<Answered> given_up(const Exchange& came, const std::string& why) const {
        if (came.http.end == HttpEnd::unreachable)
            return Error{
                ErrorKind::environment,
                fmt::format("LLM '{}': {} cannot be reached: {}. Is the server running and base_url right?",
                            m_llm.name, m_llm.base_url, came.http.problem)};
        return Answered(LlmFailure{"network", fmt::format("{} ({} tries)", why, k_tries_when_broken)});
    }

    // Waits before the next try; an outcome when there is no time for one.
    Result<std::optional<LlmOutcome>> wait(const Exchange& came, const ApiError& error, Trouble trouble,
                                           int attempt, const Limiter::Turn& turn, const std::string& why) {
        std::optional<Milliseconds> told =
            retry_after(came.http.header("retry-after-ms"), came.http.header("retry-after"),
                        std::chrono::system_clock::now());
        if (!told) told = error.retry_after;
        // A little more than told, and not the same for everyone.
        const Milliseconds wait =
            told ? *told + Milliseconds(static_cast<long>(static_cast<double>(told->count()) * 0.1 *
                                                          random_fraction()))
                 : backoff(attempt, random_fraction(), k_longest_backoff);
        const Clock::time_point until = Clock::now() + wait;
        if (trouble == Trouble::busy) m_limiter->too_much(turn, until);
        if (until >= m_deadline) {
            if (told && trouble == Trouble::busy)
                return std::optional<LlmOutcome>(
                    LlmPending{fmt::format("{}; it asks to wait {}: resume then", why, seconds_text(*told))});
            return std::optional<LlmOutcome>(
                LlmFailure{"network", fmt::format("{}; {} s (timeout_s) are over", why, m_llm.timeout_s)});
        }
        if (m_call.on_note && (wait >= k_worth_a_note || !came.reply.text.empty()))
            m_call.on_note(fmt::format("{}; asking again in {}", why, seconds_text(wait)));
        TRY(wait_until(until));
        return std::optional<LlmOutcome>();
    }

    // A parameter that the server does not take is left out from now on.
    bool drop_parameter(const Exchange& came, const ApiError& error) {
        if (came.http.status != 400 && came.http.status != 422) return false;
        const std::optional<std::string> named =
            refused_parameter(m_dialect, m_llm, m_request, m_asking, error);
        if (!named) return false;
        m_asking.dropped.insert(*named);
        m_refused.add(m_llm, *named);
        if (m_call.on_note)
            m_call.on_note(m_key.mask(refusal_text(m_llm, *named, error) + ": asking again without"));
        return true;
    }

    Error redirect_error(const HttpResponse& http) const {
        return Error{ErrorKind::config,
                     m_key.mask(fmt::format(
                         "LLM '{}': {} redirects to {}: a key is not sent elsewhere; if that is "
                         "the right place, set base_url to it",
                         m_llm.name, m_llm.base_url, elide_middle(sanitize(http.header("location")), 200)))};
    }

    Error foreign_error(const Exchange& came) const {
        return Error{
            ErrorKind::config,
            m_key.mask(fmt::format("LLM '{}': {} answers with {} and not as this API does ({}): is base_url "
                                   "right, and is a proxy in between?",
                                   m_llm.name, m_llm.base_url,
                                   came.http.header("content-type").empty()
                                       ? "something"
                                       : sanitize(came.http.header("content-type")),
                                   came.malformed))};
    }

    // --- An answer that was cut off

    bool pay_again() const { return !m_call.may_pay_again || m_call.may_pay_again(priced(m_used)); }

    bool may_continue(const Reply& reply) const {
        return !trim(reply.text).empty() && !reply.context_full && pay_again();
    }

    // Going on in a second turn costs the rest only; asking anew with more room would cost all of it again,
    // and the entry's limit is often the server's own. What was said in reasoning is lost to the second turn.
    Result<void> continue_answer(Reply& reply) {
        m_asking.partial = reply.text;
        if (m_call.on_note)
            m_call.on_note(fmt::format("{}: the answer was cut off, asking for the rest", server()));
        TRY_ASSIGN(Answered more, ask());
        Reply* rest = std::get_if<Reply>(&more);
        if (rest == nullptr) {  // the first part is an answer all the same, and marked as cut off
            if (const LlmFailure* failure = std::get_if<LlmFailure>(&std::get<LlmOutcome>(more)))
                m_used = sum(m_used, failure->usage);
            return {};
        }
        LlmRequest second = m_request;
        second.prompt += reply.text;
        m_used = sum(m_used, usage_of(second, *rest));
        if (rest->stop != StopKind::refused) {
            reply.text = join_continuation(reply.text, rest->text);
            reply.stop = rest->stop;
        }
        reply.reasoning += rest->reasoning;
        return {};
    }

    // --- What it cost

    // A stream that broke was paid for as far as it came.
    Usage lost(const Reply& reply) const {
        Usage usage = usage_of(m_request, reply);
        usage.output_tokens =
            std::max(usage.output_tokens, estimate_tokens(reply.text) + estimate_tokens(reply.reasoning));
        usage.estimated = true;
        return usage;
    }

    Usage priced(Usage usage) const {
        usage.usd = cost_usd(m_llm, usage);
        return sum(m_paid, usage);
    }

    LlmOutcome priced(LlmOutcome outcome) const {
        if (LlmAnswer* answer = std::get_if<LlmAnswer>(&outcome)) answer->usage = priced(m_used);
        if (LlmFailure* failure = std::get_if<LlmFailure>(&outcome))
            failure->usage = priced(sum(m_used, failure->usage));
        return outcome;
    }

    std::string server() const { return m_llm.name.empty() ? m_llm.base_url : m_llm.name; }

    const Dialect& m_dialect;
    const Llm& m_llm;
    const LlmRequest& m_request;
    const LlmCall& m_call;
    RefusedParameters& m_refused;
    const Key& m_key;
    const Clock::time_point m_deadline;
    const std::shared_ptr<Limiter> m_limiter;
    Asking m_asking;
    Usage m_used;
    Usage m_paid;  // before this call, and priced
};

}  // namespace

Result<LlmOutcome> call_http_llm(const Dialect& dialect, const Llm& llm, const LlmRequest& request,
                                 const LlmCall& call, RefusedParameters& refused) {
    TRY_ASSIGN(const Key key, Key::find(llm));
    return HttpCall(dialect, llm, request, call, refused, key).run();
}

Result<LlmOutcome> continue_http_llm(const Dialect& dialect, const Llm& llm, const LlmRequest& request,
                                     const LlmCall& call, RefusedParameters& refused, LlmAnswer first) {
    TRY_ASSIGN(const Key key, Key::find(llm));
    return HttpCall(dialect, llm, request, call, refused, key).go_on(std::move(first));
}

}  // namespace kforge
