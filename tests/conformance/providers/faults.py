"""What a server may do to a client, on each API: answers in every wrapping, and what breaks on the way. A fault is a
function of a Case; it raises when a promise is broken."""

import json

from server import CUT, HANG, Answer

TEXT = "Here it is:\n```python\nx = 'größer – 速い 🚀'\n```\n"
PIECES = [TEXT[i:i + 5] for i in range(0, len(TEXT), 5)]
FAULTS = []


def fault(function):
    FAULTS.append(function)
    return function


def whole(value, status=200, **headers):
    headers = {"content-type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
    return Answer([json.dumps(value, ensure_ascii=False).encode()], status=status, headers=headers, framing="length")


def good(case):
    return Answer(case.d.stream(PIECES))


def answered(case, got, requests=1):
    case.same(got["kind"], "answer", got.get("message"))
    case.same(got["text"], TEXT)
    case.same(got["pieces"], TEXT, "the pieces are the answer")
    case.same(got["truncated"], False)
    case.same(len(case.script.requests), requests, "requests the server saw")


def failed(case, got, reason, requests, *words):
    case.same(got["kind"], reason, got.get("message"))
    for word in words:
        case.true(word in got["message"], f"'{word}' is not in: {got['message']}")
    case.same(len(case.script.requests), requests, "requests the server saw")


def stopped(case, got, requests, *words):
    failed(case, got, "error", requests, *words)


def busy(case, status=429, **headers):
    return whole(case.d.error("busy", "Too fast."), status, **headers)


# --- Answers in every wrapping -----------------------------------------------------------------------------------


@fault
def a_streamed_answer(case):
    got = case.ask(good(case))
    answered(case, got)
    case.same(got["usage"]["input_tokens"], 11)
    case.same(got["usage"]["output_tokens"], 7)
    case.same(got["usage"]["estimated"], False)
    case.near(got["usage"]["usd"], 11 * 3e-6 + 7 * 15e-6)
    case.true(got["request_id"], "a request id")
    header, form = case.d.key_header
    case.same(case.script.requests[0].headers[header], form.format(key=case.key))


@fault
def an_answer_that_is_not_streamed(case):
    got = case.ask(whole(case.d.whole(TEXT)), stream="false")
    answered(case, got)
    case.true("stream" not in case.script.requests[0].json and "stream" not in case.script.requests[0].path, "not asked to")


@fault
def a_whole_answer_where_a_stream_was_asked_for(case):
    answered(case, case.ask(whole(case.d.whole(TEXT))))


@fault
def reasoning_stays_apart(case):
    got = case.ask(Answer(case.d.stream(PIECES, reasoning="Let me think.")))
    answered(case, got)
    case.same(got["reasoning"], "Let me think.")


@fault
def cached_tokens_are_counted_and_priced(case):
    got = case.ask(Answer(case.d.stream(PIECES, tokens=(1000, 7), cached=600)))
    case.same(got["usage"]["input_tokens"], 1000)
    case.same(got["usage"]["cached_input_tokens"], 600)
    case.near(got["usage"]["usd"], 400 * 3e-6 + 600 * 0.3e-6 + 7 * 15e-6)


@fault
def a_slow_first_byte(case):
    answered(case, case.ask(Answer([0.6, *case.d.stream(PIECES)])))


@fault
def one_byte_at_a_time(case):
    stream = b"".join(case.d.stream(PIECES))
    answered(case, case.ask(Answer([stream[i:i + 1] for i in range(len(stream))])))


@fault
def chunk_boundaries_inside_events_and_characters(case):
    stream = b"".join(case.d.stream(PIECES))
    for size in (3, 7, 64):
        got = case.ask(Answer([stream[i:i + size] for i in range(0, len(stream), size)]))
        answered(case, got)


@fault
def other_line_ends(case):
    for end in (b"\r\n", b"\r"):
        answered(case, case.ask(Answer([event.replace(b"\n", end) for event in case.d.stream(PIECES)])))


@fault
def a_byte_order_mark_comments_and_blank_lines(case):
    events = [b"\xef\xbb\xbf: first a comment\n\n"]
    for event in case.d.stream(PIECES):
        events += [event, b": still here\n\n", b"\n\n"]
    answered(case, case.ask(Answer(events)))


@fault
def a_data_field_over_several_lines(case):
    event = case.d.stream(PIECES)
    split = [e.replace(b'{"', b'{\ndata: "', 1) if e.startswith(b"data: {") or b"\ndata: {" in e else e for e in event]
    case.true(split != event, "the stream was changed")
    answered(case, case.ask(Answer(split)))


@fault
def unknown_events_are_ignored(case):
    events = []
    for event in case.d.stream(PIECES):
        events += [case.d.unknown_event(), event]
    answered(case, case.ask(Answer(events)))


@fault
def events_that_come_twice_count_once(case):
    events = []
    for number, event in enumerate(case.d.stream(PIECES)):
        events += [b"id: %d\n" % number + event] * 2
    answered(case, case.ask(Answer(events)))


@fault
def a_stream_without_its_last_blank_line(case):
    events = case.d.stream(PIECES)
    answered(case, case.ask(Answer([*events[:-1], events[-1].rstrip(b"\n")], framing="close")))


@fault
def gzip_streamed_and_whole(case):
    answered(case, case.ask(Answer(case.d.stream(PIECES), gzip=True)))
    got = case.ask(Answer([json.dumps(case.d.whole(TEXT)).encode()], gzip=True, framing="length",
                          headers={"content-type": "application/json"}))
    answered(case, got)


@fault
def a_careless_content_type(case):
    answered(case, case.ask(Answer(case.d.stream(PIECES), headers={"content-type": "text/plain"})))


@fault
def interim_responses(case):
    answered(case, case.ask(Answer(case.d.stream(PIECES), before=b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n")))


# --- What breaks on the way --------------------------------------------------------------------------------------


@fault
def a_stream_cut_in_the_middle_is_asked_for_again(case):
    events = case.d.stream(PIECES)
    got = case.ask(Answer([*events[:len(events) // 2], CUT]), good(case))
    answered(case, got, requests=2)
    case.same(got["restarts"], 1)
    case.true(got["usage"]["input_tokens"] > 11, "the part that broke was paid for, too")
    case.same(got["usage"]["estimated"], True)


@fault
def a_stream_that_ends_too_early_in_good_order(case):
    events = case.d.stream(PIECES)
    got = case.ask(Answer(events[:len(events) // 2]), good(case))
    answered(case, got, requests=2)


@fault
def a_stream_cut_inside_a_character(case):
    stream = b"".join(case.d.stream(PIECES))
    at = stream.index("速".encode()) + 1
    answered(case, case.ask(Answer([stream[:at], CUT]), good(case)), requests=2)


@fault
def a_stream_cut_every_time(case):
    events = case.d.stream(PIECES)
    got = case.ask(Answer([*events[:len(events) // 2], CUT]))
    failed(case, got, "network", 3)
    case.true(got["usage"]["input_tokens"] > 0, "what came was paid for")


@fault
def a_cut_behind_the_last_word_costs_nothing(case):
    """The answer is whole: asking again would pay twice."""
    events = case.d.stream(PIECES)
    last = max(i for i, event in enumerate(events)
               if any(word in event for word in (b"stop_reason\": \"end", b"response.completed", b'"finish_reason": "stop"', b"STOP")))
    answered(case, case.ask(Answer([*events[:last + 1], CUT])))


@fault
def without_leave_to_pay_twice_a_broken_stream_is_final(case):
    events = case.d.stream(PIECES)
    failed(case, case.ask(Answer([*events[:-3], CUT]), good(case), pay_again=False), "network", 1)
    failed(case, case.ask(Answer([CUT], framing="raw"), good(case), pay_again=False), "network", 1)
    answered(case, case.ask(busy(case, retry_after_ms="5"), good(case), pay_again=False), requests=2)  # costs nothing


@fault
def malformed_json_in_a_stream(case):
    events = case.d.stream(PIECES)
    broken = [*events[:2], b'data: {"choices": [{"delta\n\n', *events[2:]]
    answered(case, case.ask(Answer(broken), good(case)), requests=2)
    failed(case, case.ask(Answer(broken)), "network", 3)


@fault
def a_whole_answer_that_is_no_json(case):
    text = json.dumps(case.d.whole(TEXT)).encode()
    answered(case, case.ask(Answer([text[:-9]], framing="length"), good(case)), requests=2)


@fault
def bytes_that_are_no_utf8(case):
    events = [event.replace("速い".encode(), b"\xff\xfe") for event in case.d.stream(PIECES)]
    got = case.ask(Answer(events))
    case.same(got["kind"], "answer", got.get("message"))
    case.true("\ufffd" in got["text"], "they are marked")


@fault
def an_empty_body(case):
    failed(case, case.ask(Answer([], framing="length")), "network", 3)


@fault
def a_connection_closed_without_a_word(case):
    answered(case, case.ask(Answer([CUT], framing="raw"), good(case)), requests=2)


@fault
def what_is_no_http(case):
    failed(case, case.ask(Answer([b"SSH-2.0-OpenSSH_9.2\r\n"], framing="raw")), "network", 3)


@fault
def damaged_gzip(case):
    answered(case, case.ask(Answer([b"\x1f\x8bnot gzip at all"], headers={"content-encoding": "gzip"}), good(case)), requests=2)


@fault
def an_oversized_answer(case):
    flood = b": " + b"x" * (1 << 20) + b"\n"
    failed(case, case.ask(Answer([flood] * 80)), "network", 1, "larger than")


@fault
def a_web_page_instead(case):
    got = case.ask(Answer([b"<!doctype html><title>Sign in to the network</title>"], headers={"content-type": "text/html"}))
    stopped(case, got, 1, "text/html", "base_url")


@fault
def a_hang_before_the_answer(case):
    got = case.ask(Answer([HANG], framing="raw"), timeout_s=1)
    failed(case, got, "network", 1)
    case.true(got["seconds"] < 4, f"within its deadline: {got['seconds']}")


@fault
def a_hang_in_the_answer(case):
    got = case.ask(Answer([*case.d.stream(PIECES)[:3], HANG]), timeout_s=1)
    failed(case, got, "network", 1)
    case.true(got["seconds"] < 4, f"within its deadline: {got['seconds']}")


@fault
def nothing_listens(case):
    got = case.ask(good(case), base_url="http://127.0.0.1:1/v1")
    stopped(case, got, 0, "cannot be reached", "base_url")
