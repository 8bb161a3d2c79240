"""What a batch brings back and can be mended: a parameter that is refused, an answer that is cut off."""

from batches import Desk, same
from dialects import DIALECTS
from faults import whole
from probing import Probe, entry
from server import Answer

PRICE = 11 * 3e-6 + 7 * 15e-6  # of an answer that is asked for singly


def sends_temperature(items):
    return any("temperature" in body for _, body in items)


class RefusesInResults(Desk):
    """Takes a batch and refuses each of its requests."""

    def refused(self, body):
        return self.d.temperature_error if "temperature" in body else None


class RefusesAtOnce(Desk):
    def refusal(self):
        return whole(self.d.temperature_error, 400) if sends_temperature(self.items) else None


class RefusesAlways(Desk):
    def refused(self, body):
        return self.d.temperature_error


class CutsOff(Desk):
    def answer(self, number):
        return self.d.whole("The first half, ", stop="length")

    def single(self, path, request):
        self.singles += 1
        self.partial = self.d.partial_of(request)
        return Answer(self.d.stream(["the second."]))


def ask(suite, desk, **more):
    """One call of a run whose batches are ready as soon as they are handed in."""
    desk.done = True
    name = f"{type(desk).__name__}-{desk.d.name}-{len(more)}"
    url, _ = suite.server.play(name, desk.play)
    with Probe(suite.options.probe, suite.folder) as probe:
        return probe.ask({"toml": entry(desk.d.name, url, batch=True, temperature=0.5), "llm": "x",
                          "run_directory": str(suite.folder / f"run-{name}"), **more})


def a_refused_parameter_is_left_out_and_handed_in_again(suite, dialect):
    desk = RefusesInResults(dialect)
    got = ask(suite, desk)
    same((got["kind"], got.get("text")), ("answer", "Answer 1."), got)
    same((desk.batches, desk.singles, sends_temperature(desk.items)), (2, 0, False), "batches, singles, temperature")
    same(sum("temperature" in note for note in got["notes"]), 1, f"one note: {got['notes']}")
    same(round(got["usage"]["usd"], 9), round(PRICE / 2, 9), "half the price")


def all_of_a_refused_batch_go_again_together(suite, dialect):
    desk = RefusesInResults(dialect)
    got = ask(suite, desk, count=4, parallel=4)
    same(got["kinds"], {"answer": 4}, got["complaint"])
    same(desk.singles, 0, "asked singly")


def a_batch_refused_as_a_whole_is_handed_in_again(suite, dialect):
    desk = RefusesAtOnce(dialect)
    got = ask(suite, desk)
    same((got["kind"], desk.batches, desk.singles), ("answer", 1, 0), got)
    same(sum("temperature" in note for note in got["notes"]), 1, f"one note: {got['notes']}")


def it_is_handed_in_again_once(suite, dialect):
    desk = RefusesAlways(dialect)
    got = ask(suite, desk)
    same((got["kind"], got.get("text")), ("answer", "Asked singly."), got)
    same((desk.batches, desk.singles), (2, 1), "batches, singles")


def an_answer_that_was_cut_off_is_continued_singly(suite, dialect):
    desk = CutsOff(dialect)
    got = ask(suite, desk)
    same((got["kind"], got.get("text"), got.get("truncated")), ("answer", "The first half, the second.", False), got)
    same((desk.batches, desk.singles, desk.partial), (1, 1, "The first half, "), "batches, singles, what it goes on from")
    same(round(got["usage"]["usd"], 9), round(PRICE / 2 + PRICE, 9), "half the price and a whole one")
    desk = CutsOff(dialect)
    got = ask(suite, desk, pay_again=False)
    same((got["kind"], got.get("truncated"), desk.singles), ("answer", True, 0), "the budget says no")


TESTS = {f"{dialect.name}/batches/{function.__name__}": (function, dialect)
         for dialect in DIALECTS if dialect.name != "gemini"
         for function in (a_refused_parameter_is_left_out_and_handed_in_again, all_of_a_refused_batch_go_again_together,
                          a_batch_refused_as_a_whole_is_handed_in_again, it_is_handed_in_again_once,
                          an_answer_that_was_cut_off_is_continued_singly)}
