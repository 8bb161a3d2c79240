"""What the results of a reference are as large as. Where twice the inputs give exactly so many times as much (products, sums, what is
largest), small inputs have small results, and nothing of these is next to zero by chance."""

import torch

from . import compare, problem as problems, tensors

_MOST = 8  # factors, each of them an input or made from one


class Degrees:
    """With how many factors each part of the outputs grows, by weights; zero where that cannot be said."""

    def __init__(self):
        self.known = {}

    def lower_usual(self, expected, given, exactly, parts):
        """Lowers what results usually are to what they usually would be for inputs that are as small as these, once. `given` are the
        problem's own, where no function is a straight line merely because inputs are small."""
        expected.usual_lowered = True
        if expected.weights not in self.known:
            self.known[expected.weights] = _degrees(given, exactly, parts)
        ratio = min(1.0, _size(expected.inputs) / max(_size(given), 1e-30))
        for truth, degree in zip(expected.truths, self.known[expected.weights]):
            truth.usual *= ratio**degree


def _degrees(given, exactly, parts):
    def times(factor):
        return parts.of(exactly(tensors.map_tensors(given, lambda t: factor * tensors.widened(t) if tensors.is_inexact(t) else t)))

    try:
        return [_degree(one, other) for one, other in zip(times(1), times(2))]
    except problems.ProblemError:
        return []  # twice as much is too much for it


def _degree(one, other):
    if not tensors.is_inexact(one) or one.shape != other.shape or not one.any():
        return 0
    return next((power for power in range(1, _MOST + 1) if torch.equal(other, one * 2.0**power)), 0)


def _size(inputs):
    return max(map(compare.largest, tensors.tensors_of(inputs)), default=0.0)
