"""The reference: the problem's module with each set of weights, as it is, in double and in half precision. Knows no candidates and no cases."""

import contextlib
import copy
import itertools

import torch

from . import compare, drawn, infinities, jumps, problem as problems, shaken, tensors, widening
from . import weights as variants
from .expected import Cache

_EXACT_MODEL_BYTES = 256 << 20
_TIMED = 2  # the weight set with which candidates are timed
_NEARLY_THE_SAME = 3  # the weight set that differs from the one before it in one element of each parameter
_MODEST = 4  # the weight set in which nothing is far from what the problem makes
# What rounding does to nearly all values, of the largest one: where eager is further from what is exact, that may be another function.
_ROUNDED = {torch.float64: 1e-3, torch.float32: 1e-3, torch.float16: 2e-2, torch.bfloat16: 5e-2}
_ROUNDED_BETWEEN = 0.05  # in half precision, where that is asked for
_MOVES = 4  # of the last places of its inputs
_SHAKEN = 16  # times as far as results move that are wrong by their last places in between


class Reference:
    """`weights` is (index, kind) throughout: kind "seeded" is as constructed, "loaded" has its parameters moved."""

    def __init__(self, problem, precision, device, seeds):
        self.problem = problem
        self.precision = precision
        self.device = device
        self.asked = None  # what was heard while it ran; until then as constructed only
        self.ways = None  # to compute in double precision: all, until it is known which of them suit
        self.rounded = 0.0  # how wrong most of what it gives is for its own values, of the largest
        self.reseed(seeds)

    def reseed(self, seeds):
        self.seeds = seeds
        self.models = {}
        self.exact_models = Cache(_EXACT_MODEL_BYTES)

    def model(self, *weights):
        if weights not in self.models:
            self.models[weights] = self._make(*weights)
        return self.models[weights]

    def _make(self, index, kind):
        seed = self.seeds["weights"][index]
        model = self.problem.make_model(seed)
        if kind != "loaded":
            return model
        variants.share_what_is_not_loaded(model, self.problem)
        if index == _NEARLY_THE_SAME:
            model.load_state_dict(self.model(index - 1, kind).state_dict())
            variants.move_one_each(model, seed)
        elif index == _MODEST:
            variants.move_a_little(self.problem, model, self.problem.make_inputs(self.seeds["given"]), seed)
        elif index > 0:
            # Half precision lacks the range for what is far larger; which of what vanishes next to it comes first, nobody can tell.
            wide = self.precision != "mixed" and not (self.asked.hangs and self.asked.vanishes)
            variants.vary(self.problem, model, self.problem.make_inputs(self.seeds["given"]), seed, index == _TIMED, wide)
        return model

    def alike(self):
        """Parameters that are the same for every seed: one who makes them from a seed could take them for constants."""
        other = dict(self.problem.make_model(self.seeds["weights"][1]).named_parameters())
        return [name for name, value in self.model(0, "seeded").named_parameters() if name in other and torch.equal(value, other[name])]

    def exact_model(self, weights):
        model = self.exact_models.get(weights)
        if model is None:
            model = copy.deepcopy(self.model(*weights))._apply(tensors.widened)  # double() leaves complex ones as they are
            state = model.state_dict().values()
            self.exact_models.put(weights, model, sum(t.numel() * t.dtype.itemsize for t in state))
        return model

    @contextlib.contextmanager
    def with_others(self, weights, others):
        """Everything that it gives is with these tensors in place of its own, by name."""
        if not others:
            yield
            return
        self.exact_model(weights)  # where it is kept, it is made of its own
        kept = []
        try:
            for model in filter(None, (self.model(*weights), self.exact_models.get(weights))):
                own = {**dict(model.named_parameters(remove_duplicate=False)), **dict(model.named_buffers(remove_duplicate=False))}
                for name, value in others.items():
                    kept.append((own[name].data, own[name].detach().clone()))
                    own[name].data.copy_(value)
            yield
        finally:
            for tensor, before in reversed(kept):
                tensor.copy_(before)

    def forward(self, weights, inputs):
        """Outputs whose memory it may use again in its next call."""
        return self.problem.forward(self.model(*weights), inputs)

    def _all_ways(self):
        """To compute in double precision: as the reference is, or as if it named no type."""
        ways = [widening.Kept if self.asked.keeps_single else contextlib.nullcontext, widening.Widened]
        return ways[::-1] if self.asked.narrows else ways

    def exactly(self, weights, inputs):
        """What it gives in double precision, in the first way that it can do with."""
        failed = problems.ProblemError(f"{self.problem.name}: in double precision it is another function")
        for way in self._all_ways() if self.ways is None else self.ways:
            try:
                return self._exactly_by(way, weights, inputs)
            except problems.ProblemError as error:
                failed = error
        raise failed

    def _exactly_by(self, way, weights, inputs):
        with drawn.Again(self.asked.drawn), self.asked.limits.again(self.problem.module), way():
            return self.problem.forward(self.exact_model(weights), inputs)

    def find_ways(self, inputs, eager, parts):
        """Forgets ways in which the problem's own values give something else than in eager's precision: what is left of a number when it
        was rounded, a bound that is the least number of a type. Where none is left, eager is the truth."""
        eager, wide = tensors.resolved(eager), tensors.map_tensors(inputs, tensors.widened)
        self.ways = self._all_ways()
        while self.ways:
            with contextlib.suppress(problems.ProblemError, ValueError):
                exact = self._in_types_of(eager, self._exactly_by(self.ways[0], (0, "seeded"), wide))
                self.rounded = self._rounded(inputs, parts.of(eager), parts.of(exact), parts)
                if self.rounded is not None:
                    return
            self.ways = self.ways[1:]

    def _rounded(self, inputs, eager, exact, parts):
        """How wrong most of eager is, or None where that is not for rounding."""
        truths = [compare.Truth(*each) for each in zip(eager, exact)]
        off = [compare.mostly_apart(truth.eager, truth.exact) for truth in truths]
        far = [index for index, truth in enumerate(truths) if off[index] > self._least_noticed(truth.eager.dtype)]
        if far:
            with shaken.Shaken():
                moved = [tensors.real(output) for output in parts.of(tensors.resolved(self.forward((0, "seeded"), inputs)))]
        for index in far:
            truth = truths[index]
            if off[index] > _SHAKEN * compare.mostly_apart(truth.eager, truth.defined(moved[index])):
                return None
        return max(off)

    def _least_noticed(self, dtype):
        return max(_ROUNDED.get(dtype, 0.0), _ROUNDED_BETWEEN if self.asked.narrows else 0.0)

    def _in_types_of(self, eager, exact):
        """As far as these go."""
        exact = [tensors.widened(compare.within_range(x, e) if tensors.is_inexact(x) == tensors.is_inexact(e) else e)
                 for x, e in zip(exact, eager, strict=True)]
        if any(x.shape != e.shape for x, e in zip(exact, eager)):
            raise ValueError("results of another form")
        return exact

    def truth(self, weights, inputs, eager):
        """What it gives exactly, as far as the types of `eager` go; that itself where there is nothing better."""
        try:
            return self._in_types_of(eager, self.exactly(weights, tensors.map_tensors(inputs, tensors.widened)))
        except (problems.ProblemError, ValueError):
            return [tensors.widened(e) for e in eager]  # it fixes its dtype

    def stays_finite(self, weights, inputs):
        """Whether it gives numbers whatever the last places of its inputs are."""
        kinds = [t.dtype for t in tensors.tensors_of(inputs)]
        for moved in itertools.islice(jumps.moves(inputs, self.device), 1, 1 + _MOVES):
            narrow = [t.to(kind) for t, kind in zip(tensors.tensors_of(moved), kinds)]
            try:
                outputs = self.forward(weights, self.asked.with_marks(inputs, tensors.with_values(moved, narrow)))
            except problems.ProblemError:
                return False
            if not all(tensors.real(output).isfinite().all() for output in outputs):
                return False
        return True

    def meant_infinities(self, inputs, eager):
        if all(torch.isfinite(e).all() for e in eager):
            return infinities.Meant()
        return infinities.meant(eager, self.truth((0, "seeded"), inputs, eager))

    def in_half(self, weights, inputs):
        """In the first of these types that has the range for it, and whether that is the first one."""
        for dtype in (torch.float16, torch.bfloat16):
            try:
                with drawn.Again(self.asked.drawn), torch.autocast(self.device, dtype=dtype):
                    outputs = [o.float() for o in self.forward(weights, inputs)]
            except problems.ProblemError:
                continue
            if self.problem.infinities.are_finite(outputs):
                return outputs, dtype == torch.float16
        return None, False
