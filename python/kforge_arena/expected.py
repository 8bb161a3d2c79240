"""What the referee keeps: inputs, with what the reference makes of them, as long as there is room."""

from itertools import zip_longest

from . import cases, chosen, compare, tensors
from .parts import Parts


class Expected:
    """Inputs of one case and what the reference makes of them, once that has been asked for."""

    def __init__(self, inputs, weights, kind="", unusual=False, others=None):
        self.inputs = inputs
        self.others = others or {}  # in place of the model's own tensors, in this call alone
        self.weights = weights
        self.unusual = unusual  # of another distribution than the problem's own, by surprise
        distribution = (kind or "given").split(" ")[0]
        self.repetitive = distribution in cases.REPETITIVE_DISTRIBUTIONS
        self.uniform = distribution in cases.UNIFORM_DISTRIBUTIONS
        self.alike = distribution == cases.TAILS
        self.together = distribution == cases.COMPOSED
        self.known = False
        self.eager = self.strides = None  # what eager makes of them may be known before the rest is
        self.kind = kind
        self.own = kind in ("", "given") and not unusual  # values such as the problem itself makes
        self.conditioned = False
        self.unclear = False  # whether whole numbers may hang by which of equal values comes first, or by the last place of one: see ties.py
        self.usual_lowered = False  # see scaling.py
        self.fits_half = True
        self.nbytes = sum(t.numel() * t.dtype.itemsize for t in tensors.tensors_of(inputs))

    def know(self, eager, exact, half, rounded=None, usual=(), parts=Parts(), weights=()):
        """`usual` are the largest values of each part of the outputs on the problem's own inputs, `weights` all tensors of the model."""
        self.known = True
        self.eager = eager
        of_eager = parts.of(eager)
        # An output that is not put together for once; and where what is large cancels out, that a result is usually larger is no excuse.
        usual = usual if len(usual) == len(of_eager) and not self.together else ()
        of_each = zip_longest(of_eager, parts.of(exact), parts.of(half or []), parts.of(rounded or eager), usual)
        self.truths = [compare.Truth(*each) for each in of_each]
        for truth, name in zip(self.truths, parts.names(eager)):
            truth.name = name
            truth.uniform, truth.own = self.uniform, self.own
            if self.alike:
                truth.terms = max(t.numel() for t in tensors.tensors_of(self.inputs)) // max(1, truth.eager.numel())
                truth.ignore_spread()
            truth.chosen = chosen.is_chosen(truth.eager, truth.exact, [*tensors.tensors_of(self.inputs), *weights])
        self.nbytes += sum(t.numel() * t.dtype.itemsize for t in (*eager, *exact))

    def typical_errors(self):
        """Of each part of the outputs, for inputs of the same kind."""
        return [truth.errors() for truth in self.truths]

    def finite(self):
        return all(truth.finite for truth in self.truths)

    def leave_out_unsettled(self):
        """Leaves out what eager itself is far from the truth of: it hangs by a thread. Whether something is left."""
        numbers = [truth for truth in self.truths if truth.eager.dtype.is_floating_point]
        for truth in numbers:
            truth.left_out = truth.left_out or not (truth.finite and truth.eager_error <= compare.WELL_POSED)
        return not numbers or not all(truth.left_out for truth in numbers)


class Typical:
    """The least errors of the reference that were met on the problem's own inputs, by weights.

    The least: where eager is more wrong than that, more is allowed too. A candidate sees the inputs, and could be as wrong
    everywhere as eager was on the worst of them.
    """

    def __init__(self):
        self.least, self.counts = {}, {}
        self.chosen = {}  # see chosen.py

    def note(self, expected):
        if not expected.finite():
            return
        key, errors = expected.weights, expected.typical_errors()
        before = self.least.get(key, errors)
        if len(before) != len(errors):
            before = errors
        self.least[key] = [tuple(map(min, one, other)) for one, other in zip(before, errors)]
        self.counts[key] = self.counts.get(key, 0) + 1
        self.chosen[key] = [truth.chosen for truth in expected.truths]

    def get(self, weights):
        """One could be an exception: None until there are two."""
        return self.least[weights] if self.counts.get(weights, 0) > 1 else None


class Cache:
    """Keeps what it is given as long as there is room for it."""

    def __init__(self, limit_bytes):
        self.entries = {}
        self.room = limit_bytes

    def get(self, key):
        return self.entries.get(key, (None, 0))[0]

    def put(self, key, value, nbytes):
        more = nbytes - self.entries.get(key, (None, 0))[1]
        if more <= self.room:
            self.entries[key] = (value, nbytes)
            self.room -= more
