"""The faults that are told in words: errors and their rules, how answers end, and keys."""

import email.utils
import json
import time

from faults import PIECES, TEXT, answered, busy, failed, fault, good, stopped, whole
from server import Answer

# --- Errors and their rules --------------------------------------------------------------------------------------


@fault
def an_error_inside_a_stream(case):
    events = case.d.stream(PIECES)
    got = case.ask(Answer([*events[:2], case.d.error_event("busy", "Overloaded.")]), good(case))
    answered(case, got, requests=2)
    failed(case, case.ask(Answer([*events[:2], case.d.error_event("server", "It broke.")])), "network", 3, "It broke.")


@fault
def an_error_as_the_body_of_a_200(case):
    answered(case, case.ask(whole(case.d.error("busy", "Overloaded.")), good(case)), requests=2)


@fault
def retry_after_seconds(case):
    got = case.ask(busy(case, retry_after="1"), good(case))
    answered(case, got, requests=2)
    case.true(got["seconds"] >= 1, f"it waited as told: {got['seconds']}")


@fault
def retry_after_milliseconds(case):
    got = case.ask(busy(case, retry_after_ms="700", retry_after="60"), good(case))
    answered(case, got, requests=2)
    case.true(0.7 <= got["seconds"] < 30, f"it waited as told: {got['seconds']}")


@fault
def retry_after_a_date(case):
    """Answers are made when they are asked for: a date is a moment."""
    def play(request, number):
        return good(case) if number else busy(case, retry_after=email.utils.formatdate(time.time() + 2, usegmt=True))
    got = case.ask(play)
    answered(case, got, requests=2)
    case.true(got["seconds"] >= 0.9, f"it waited as told: {got['seconds']}")


@fault
def too_many_requests_without_advice(case):
    answered(case, case.ask(busy(case), busy(case), good(case)), requests=3)


@fault
def a_wait_longer_than_the_call_suspends(case):
    got = case.ask(busy(case, retry_after="7200"))
    failed(case, got, "pending", 1, "7.2e+03 s" if "e+" in got["message"] else "7200 s")
    case.true(got["seconds"] < 2, "at once")


@fault
def overloaded_and_unavailable(case):
    answered(case, case.ask(busy(case, 529, retry_after_ms="10"), busy(case, 503, retry_after_ms="10"), good(case)), requests=3)


@fault
def passing_troubles(case):
    for status in (408, 409, 500, 502, 504):
        answered(case, case.ask(whole(case.d.error("server", "Oops."), status, retry_after_ms="5"), good(case)), requests=2)


@fault
def a_server_that_stays_broken(case):
    failed(case, case.ask(whole(case.d.error("server", "Oops."), 500, retry_after_ms="5")), "network", 3, "HTTP 500", "Oops.")


@fault
def the_server_says_whether_to_retry(case):
    stopped(case, case.ask(whole(case.d.error("server", "Never."), 500, x_should_retry="false")), 1, "Never.")
    answered(case, case.ask(whole(case.d.error("bad", "Once more."), 400, x_should_retry="true", retry_after_ms="5"),
                            good(case)), requests=2)


@fault
def a_bad_key(case):
    for status in (401, 403):
        stopped(case, case.ask(whole(case.d.error("key", f"Bad key {case.key}."), status)), 1, "PROBE_KEY", "does not accept the key")
    stopped(case, case.ask(whole(case.d.error("key", "Bad key."), 400 if case.d.name == "gemini" else 401)), 1, "PROBE_KEY")


@fault
def a_spent_quota(case):
    stopped(case, case.ask(whole(case.d.error("quota", "You exceeded your current quota."), 429, retry_after="1")), 1, "spent", "PROBE_KEY")
    stopped(case, case.ask(whole(case.d.error("bad", "Pay first."), 402)), 1, "spent")


@fault
def an_unknown_llm(case):
    stopped(case, case.ask(whole(case.d.error("unknown", "No such model."), 404)), 1, "probe-llm", "No such model.")


@fault
def a_refused_request(case):
    stopped(case, case.ask(whole(case.d.error("bad", "The prompt is too long."), 400)), 1, "The prompt is too long.")


@fault
def a_parameter_it_does_not_take(case):
    got = case.ask(whole(case.d.temperature_error, 400), good(case), temperature=0.5)
    answered(case, got, requests=2)
    case.true(any("temperature" in note for note in got["notes"]), f"a note: {got['notes']}")
    bodies = [json.dumps(request.json) for request in case.script.requests]
    case.true('"temperature": 0.5' in bodies[0] and "temperature" not in bodies[1], "dropped")
    got = case.again(temperature=0.5)  # the next call knows
    case.same(len(case.script.requests), 3, "requests the server saw")
    case.true("temperature" not in json.dumps(case.script.requests[2].json), "remembered")


@fault
def redirects_are_not_followed(case):
    for status in (301, 302, 307, 308):
        case.elsewhere.requests.clear()
        got = case.ask(Answer([b""], status=status, framing="length", headers={"location": case.elsewhere_url}))
        stopped(case, got, 1, "redirects to", "base_url")
        case.same(len(case.elsewhere.requests), 0, "requests elsewhere")


# --- How answers end ---------------------------------------------------------------------------------------------


@fault
def a_refusal(case):
    failed(case, case.ask(Answer(case.d.stream(["I cannot help with that."], stop="refused"))), "refused", 1)


@fault
def an_empty_answer(case):
    failed(case, case.ask(Answer(case.d.stream([" ", "\n"]))), "empty", 1)


@fault
def a_cut_off_answer_is_continued(case):
    half = TEXT[:20]

    def play(request, number):
        return Answer(case.d.stream([half], stop="length") if number == 0 else case.d.stream([TEXT[20:]]))
    got = case.ask(play)
    answered(case, got, requests=2)
    case.same(case.d.partial_of(case.script.requests[1]), half, "the second request shows what came")
    case.same(got["usage"]["output_tokens"], 14)


@fault
def a_cut_off_answer_without_leave_to_pay_twice(case):
    got = case.ask(Answer(case.d.stream(PIECES[:3], stop="length")), pay_again=False)
    case.same((got["kind"], got["truncated"], len(case.script.requests)), ("answer", True, 1))


@fault
def an_answer_cut_off_twice(case):
    got = case.ask(Answer(case.d.stream(["0123456789 "], stop="length")))
    case.same((got["kind"], got["truncated"], len(case.script.requests)), ("answer", True, 2))
    case.same(got["text"], "0123456789 0123456789 ")


@fault
def cut_off_before_the_first_word(case):
    failed(case, case.ask(Answer(case.d.stream([], stop="length", reasoning="Hm."))), "truncated", 1, "max_output_tokens")


# --- Keys ------------------------------------------------------------------------------------------------


@fault
def a_key_that_is_not_there(case):
    stopped(case, case.ask(good(case), key_variable="PROBE_NO_SUCH_KEY"), 0, "PROBE_NO_SUCH_KEY")


@fault
def a_key_from_a_command(case):
    answered(case, case.ask(good(case), key_variable=None, key_command=["printf", "%s\\n", case.key]))
    header, form = case.d.key_header
    case.same(case.script.requests[0].headers[header], form.format(key=case.key))
    got = case.ask(good(case), key_variable=None, key_command=["sh", "-c", f"echo {case.key} >&2; exit 1"])
    stopped(case, got, 0, "key_command")


@fault
def a_key_in_a_header_of_ones_own(case):
    answered(case, case.ask(good(case), headers=["api-key: {key}", "X-Title: a b"]))
    headers = case.script.requests[0].headers
    case.same((headers["api-key"], headers["x-title"]), (case.key, "a b"))
    case.true(case.d.key_header[0] not in headers, "the key is sent once")


@fault
def a_server_that_repeats_the_key(case):
    """Nothing that is kept may hold it: run.py looks through all output of the probe."""
    middle = len(case.key) // 2
    got = case.ask(Answer(case.d.stream(["Your key: ", case.key[:middle], case.key[middle:], "."])))
    case.same(got["text"], "Your key: [PROBE_KEY].")
    case.same(got["pieces"], got["text"])


@fault
def plain_http_goes_to_this_machine_only(case):
    stopped(case, case.ask(good(case), base_url="http://llm.example/v1"), 0, "allow_plain_http")
