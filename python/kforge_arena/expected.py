"""What the referee keeps: inputs, with what the reference makes of them, as long as there is room."""

from . import compare, tensors


class Expected:
    """Inputs of one case and what the reference makes of them, once that has been asked for."""

    def __init__(self, inputs, weights, seed=None):
        self.inputs = inputs
        self.weights = weights
        self.seed = seed
        self.known = False
        self.eager = None  # what eager makes of them may be known before the rest is
        self.conditioned = False
        self.nbytes = sum(t.numel() * t.dtype.itemsize for t in tensors.tensors_of(inputs))

    def know(self, eager, exact, half):
        self.known = True
        self.eager = eager
        self.truths = [compare.Truth(e, x, h) for e, x, h in zip(eager, exact, half or [None] * len(eager))]
        self.nbytes += sum(t.numel() * t.dtype.itemsize for t in (*eager, *exact))

    def typical_errors(self):
        """(eager, half) of each output, for inputs of the same kind."""
        return [(truth.eager_error, truth.half_error) for truth in self.truths]

    def finite(self):
        return all(truth.finite for truth in self.truths)

    def well_posed(self):
        return self.finite() and all(truth.eager_error <= 0.05 for truth in self.truths)


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
