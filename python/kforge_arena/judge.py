"""Judges outputs where it is known what is expected: by numbers (compare.py), and by what takes more exact runs of the reference only where
something depends on it. Knows no candidates and no cases."""

import contextlib
import functools

import torch

from . import compare, equals, jumps, problem as problems, scaling, shaken, tensors, ties

_SHAKEN = 8  # of two results that are next to each other either is met in half of the times
_SHARES = (compare.A_PART, 1)  # of their last place, by which inputs are moved
_ORDERS = ((compare.A_PART, 0), (1, 0), (1, 1), (1, 2))  # by what share of its last place each term is moved, and which of them up or down


class Judge:
    def __init__(self, problem, reference, parts, precision, device, given_seed):
        self.problem = problem
        self.reference = reference
        self.asked = reference.asked
        self.parts = parts
        self.precision = precision
        self.device = device
        self.given_seed = given_seed
        self.degrees = scaling.Degrees()
        self.hanging = None  # see _which_hang()

    def __call__(self, expected, outputs):
        """The report of outputs of the right form."""
        actual = self.parts.of(outputs)
        truths, how = expected.truths, (self.precision, expected.repetitive)
        for index, truth in enumerate(truths):
            if truth.left_out and (not truth.finite or _is_finite(actual[index]) and not self._is_wrong_too_often(expected, index, actual[index])):
                actual[index] = truth.given.clone()
        report = compare.compare(actual, truths, *how)
        if report.get("next_to_zero") and not expected.usual_lowered:
            exactly = functools.partial(self.reference.exactly, expected.weights)
            self.degrees.lower_usual(expected, self.problem.make_inputs(self.given_seed), exactly, self.parts)
            report = compare.compare(actual, truths, *how)
        unclear = _is_refused(report) or (self.precision != "mixed" and compare.may_be_luck(report, self.precision))
        if unclear and not expected.conditioned:
            self._condition(expected)
            report = compare.compare(actual, truths, *how)
        if jumps.is_called_for(report, self.precision):
            actual = jumps.excused(actual, truths, map(self.parts.of, self._next_to_it(expected)), self.precision)
            report = compare.compare(actual, truths, *how)
        if not _is_refused(report):
            return report
        actual = equals.explained(actual, truths, functools.partial(self._parts_under, expected), self.precision)
        if expected.unclear:
            actual = ties.excused_one_by_one(actual, truths, map(self.parts.of, self._next_to_it(expected)), self.asked.places)
        if self.asked.hangs and not expected.own:
            answers = map(self.parts.of, self._with_ties_broken(expected))
            crowded = (self._parts_under(expected, ties.Otherwise(ties.is_in_a_crowd, far)) for far in (False, True))
            in_crowds = [outputs or self.parts.of(expected.eager) for outputs in crowded]
            excused = ties.excused(actual, truths, answers, in_crowds, self.asked.places)
            actual = [e if hanging else a for e, a, hanging in zip(excused, actual, self._which_hang(actual))]
        return compare.compare(actual, truths, *how)

    def _is_wrong_too_often(self, expected, index, actual):
        """Where eager is far from the truth in some rows, whether an output is in many more than it, or than what the reference makes of
        inputs that differ in their last places. Of rows that are alike all are, or none."""
        truth = expected.truths[index]
        if truth.uniform or expected.unclear:
            return False
        count = jumps.rows_far_off(actual, truth)
        most = lambda of_reference: compare.OFTEN * (of_reference + 1)
        if count <= most(max(jumps.rows_far_off(output, truth) for output in (truth.eager, truth.rounded))):
            return False
        answers = (self.parts.of(outputs)[index] for outputs in self._next_to_it(expected))
        return all(tensors.real(answer).shape == truth.exact.shape and count > most(jumps.rows_far_off(answer, truth)) for answer in answers)

    def _next_to_it(self, expected):
        """What the reference makes of inputs and weights next to these."""
        weights = expected.weights
        return jumps.answers(self.problem, functools.partial(self.reference.exactly, weights), self.reference.exact_model(weights),
                             self.reference.model(*weights), expected.inputs, self.device, self.asked.with_marks)

    def _with_ties_broken(self, expected):
        if expected.unclear:
            yield expected.eager
            yield self._under(ties.Otherwise(), expected.weights, expected.inputs) or expected.eager
        with contextlib.suppress(problems.ProblemError):  # a reference that fixes its dtype
            for moved in ties.broken(expected.inputs):
                yield self.reference.exactly(expected.weights, self.asked.with_marks(expected.inputs, moved))
        # The largest of many that are equal only becomes larger when they move.
        for _ in range(_SHAKEN):
            yield self._under(shaken.Shaken(), expected.weights, expected.inputs) or expected.eager

    def _under(self, mode, weights, inputs):
        """What the reference gives under it; None where it cannot do with that: other places, or numbers drawn inside of vmap."""
        try:
            with mode:
                return [output.clone() for output in self.reference.forward(weights, inputs)]
        except problems.ProblemError:
            return None

    def _parts_under(self, expected, mode):
        outputs = self._under(mode, expected.weights, expected.inputs)
        return outputs and self.parts.of(outputs)

    def _which_hang(self, actual):
        """For each part of the outputs, whether it follows from whole numbers that follow from values: it is another one with others."""
        if self.hanging is None:
            weights, inputs = (0, "seeded"), self.problem.make_inputs(self.given_seed)
            others = [self._under(ties.Elsewhere(far), weights, inputs) for far in (False, True)]
            outputs = self.reference.forward(weights, inputs)
            if any(other is None or any(o.shape != e.shape for o, e in zip(other, outputs)) for other in others):
                self.hanging = [True] * len(actual)  # it has to do with them, and more cannot be told
            else:
                others, outputs = [*map(self.parts.of, others)], self.parts.of(outputs)
                self.hanging = [any(not torch.equal(each[number].nan_to_num(), one.nan_to_num()) for each in others) for number, one in enumerate(outputs)]
        return self.hanging

    def _condition(self, expected):
        """Finds out how much the exact result depends on the last place of the inputs, and on the order of its sums."""
        expected.conditioned = True
        numbers = [(index, truth) for index, truth in enumerate(expected.truths) if truth.eager.dtype.is_floating_point]
        with contextlib.suppress(problems.ProblemError):  # a reference that fixes its dtype
            moved = [self._moved(expected, share) for share in _SHARES]
            for index, truth in numbers:
                truth.condition(*(outputs[index] for outputs in moved))
            # What one output may be wrong by, another one that is rounded less may not. Inside of vmap nothing can be drawn.
            types = {truth.eager.dtype for _, truth in numbers}
            orders = {kind: [self._reordered(expected, kind, *order) for order in _ORDERS] for kind in types}
            for index, truth in numbers:
                truth.reorder(*(outputs[index] for outputs in orders[truth.eager.dtype]))

    def _moved(self, expected, share):
        """The exact result of inputs that were moved by a share of their last place."""
        generator = torch.Generator(self.device).manual_seed(0)

        def move(tensor):
            if not tensors.is_inexact(tensor):
                return tensor
            signs = torch.randint(0, 2, tensor.shape, generator=generator, device=tensor.device) * 2 - 1
            size = torch.where(tensor == 0, 1, tensor) if expected.uniform else tensor  # next to nothing, others are rounded too
            return tensors.widened(tensor) + share * compare.step(tensor.dtype, self.precision) * signs * tensors.widened(size)

        return self._exactly(expected, self.asked.with_marks(expected.inputs, tensors.map_tensors(expected.inputs, move)))

    def _reordered(self, expected, kind, share, seed):
        """The exact result with terms of its sums that were moved by a share of their last place in a type."""
        with shaken.Reordered(share * compare.step(kind, self.precision), torch.Generator(self.device).manual_seed(seed)):
            return self._exactly(expected, tensors.map_tensors(expected.inputs, tensors.widened))

    def _exactly(self, expected, inputs):
        """Copies: the reference may use its memory again in the next call."""
        return self.parts.of([output.clone() for output in self.reference.exactly(expected.weights, inputs)])


def _is_finite(output):
    return bool(torch.isfinite(tensors.real(output)).all())


def _is_refused(report):
    return report["outcome"] == "values" or not report.get("stable", True)
