"""Results that rest on which of values that are equal a sort meets first. That is nobody's to say, on the problem's own inputs too: whole
numbers are often equal, and so are values of half precision. But it must be one of these."""

import torch
from torch.overrides import TorchFunctionMode

from . import jumps, tensors

_MOST = 64  # equal values of which each has its turn
_BACKWARD = -1
_ARGUMENTS = {"sort": ("dim", "descending", "stable"), "argsort": ("dim", "descending", "stable"), "topk": ("k", "dim", "largest", "sorted")}
_DEFAULTS = {"dim": -1, "descending": False, "stable": False, "largest": True, "sorted": True}


class InTurn(TorchFunctionMode):
    """Equal values are met in the order in which they are, but from another one on: by as many turns as there are, each has every place.
    Where the order is asked for (`stable`) it is what it is."""

    def __init__(self, turn):
        super().__init__()
        self.turn = turn
        self.most = 1  # equal values
        self.sorted = set()  # dimensions and the number of them

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name, kwargs = getattr(function, "__name__", ""), kwargs or {}
        result = function(*args, **kwargs)
        if name not in _ARGUMENTS or not args or not isinstance(args[0], torch.Tensor) or not args[0].numel() or not args[0].dim() or "out" in kwargs:
            return result
        asked = {**_DEFAULTS, **dict(zip(_ARGUMENTS[name], args[1:])), **kwargs}
        if asked["stable"] or not asked["sorted"]:
            return result
        index = self._index(args[0], asked["dim"], asked["largest"] if name == "topk" else asked["descending"], asked.get("k"))
        return index if isinstance(result, torch.Tensor) else type(result)((result[0], index))

    def _index(self, values, dim, descending, count):
        ordered, index = (each.movedim(dim, -1) for each in values.sort(dim=dim, descending=descending, stable=True))
        place = torch.arange(ordered.shape[-1], device=ordered.device).expand(ordered.shape)
        is_other = ordered[..., 1:] != ordered[..., :-1]
        first = torch.nn.functional.pad(is_other, (1, 0), value=True)
        last = torch.nn.functional.pad(is_other, (0, 1), value=True)
        start = place.masked_fill(~first, 0).cummax(-1).values
        end = place.masked_fill(~last, ordered.shape[-1]).flip(-1).cummin(-1).values.flip(-1)
        source = end + start - place if self.turn == _BACKWARD else start + (place - start + self.turn) % (end - start + 1)
        self.most = max(self.most, int((end - start)[..., :count].max()) + 1)
        self.sorted.add((dim % values.dim(), values.dim()))
        return index.gather(-1, source)[..., :count].movedim(-1, dim)


def explained(actual, truths, under, precision):
    """The outputs, with what is expected where they are what some order of equal values gives. `under`: what the reference gives under a
    mode, by parts, or None."""
    answers, first = [], InTurn(0)
    for mode in _turns(first):
        answers.append(under(mode))
        if answers[-1] is None or first.most == 1:
            return actual
    return [_explained(tensors.real(a), truth, [tensors.real(answer[number]) for answer in answers], first.sorted, precision)
            for number, (a, truth) in enumerate(zip(actual, truths))]


def _turns(first):
    yield first
    yield InTurn(_BACKWARD)
    yield from map(InTurn, range(1, min(first.most, _MOST)))


def _explained(actual, truth, answers, are_sorted, precision):
    if any(answer.shape != actual.shape for answer in answers):
        return actual
    hangs, is_one = torch.zeros_like(actual, dtype=torch.bool), torch.zeros_like(actual, dtype=torch.bool)
    depth = max(dims for _, dims in are_sorted)
    for answer in answers:
        hangs |= answer != answers[0]
        is_like = ~jumps.differ(actual, truth, answer, precision)
        if actual.dim() > depth:  # a row of what was chosen is one as a whole
            is_like = is_like.flatten(depth).all(-1).view(*actual.shape[:depth], *[1] * (actual.dim() - depth))
        is_one |= is_like
    if not actual.dtype.is_floating_point:
        for dim in (dim for dim, dims in are_sorted if dims == actual.dim()):
            is_one &= ~(_comes_twice(actual, dim) & ~_comes_twice(answers[0], dim))
    return torch.where(hangs & is_one, truth.exact.to(actual.dtype), actual)


def _comes_twice(index, dim):
    """In which lines some number does."""
    ordered = index.movedim(dim, -1).sort(-1).values
    return (ordered[..., 1:] == ordered[..., :-1]).any(-1, keepdim=True).movedim(-1, dim)
