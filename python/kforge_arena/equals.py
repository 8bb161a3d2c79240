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
    first = InTurn(0)
    answers = under(first)
    if answers is None or first.most == 1:
        return actual
    places = [_Places(tensors.real(a), truth, tensors.real(answer), first.sorted, precision) for a, truth, answer in zip(actual, truths, answers)]
    for turn in (_BACKWARD, *range(1, min(first.most, _MOST))):
        for each, answer in zip(places, under(InTurn(turn)) or answers):
            each.note(tensors.real(answer))
    return [each.explained() for each in places]


class _Places:
    """Those of one output which rest on the order, and those where it is what some order gives."""

    def __init__(self, actual, truth, first, are_sorted, precision):
        self.actual, self.truth, self.first, self.precision = actual, truth, first, precision
        self.dims = [dim for dim, dims in are_sorted if dims == actual.dim()]
        self.depth = max(dims for _, dims in are_sorted)
        self.hangs = torch.zeros_like(actual, dtype=torch.bool)
        self.is_one = self.hangs.clone()
        self.note(first)

    def note(self, answer):
        if answer.shape != self.actual.shape:
            return
        self.hangs |= answer != self.first
        is_like = ~jumps.differ(self.actual, self.truth, answer, self.precision)
        if is_like.dim() > self.depth:  # a row of what was chosen is one as a whole
            is_like = is_like.flatten(self.depth).all(-1).view(*is_like.shape[:self.depth], *[1] * (is_like.dim() - self.depth))
        self.is_one |= is_like

    def explained(self):
        is_right = self.hangs & self.is_one
        if not self.actual.dtype.is_floating_point:
            for dim in self.dims:
                is_right &= ~(_comes_twice(self.actual, dim) & ~_comes_twice(self.first, dim))
        return torch.where(is_right, self.truth.exact.to(self.actual.dtype), self.actual)


def _comes_twice(index, dim):
    """In which lines some number does."""
    ordered = index.movedim(dim, -1).sort(-1).values
    return (ordered[..., 1:] == ordered[..., :-1]).any(-1, keepdim=True).movedim(-1, dim)
