"""Which results rest on the order of equal values (an index, what is scattered to it): that order is nobody's to say."""

import re

import torch
from torch.overrides import TorchFunctionMode

from . import cases, tensors

_APART = 1e-6  # of the usual value: equal ones are not, then, and nothing else shows
_TRIES = 12  # of two equal values one is first by chance in half of them
_NOTICEABLE = 1e-3  # of the largest value: far more than what the move itself makes of a result
_BEYOND = 2  # times as far as some answers are from each other, others may be from these
_CROWD = 4  # equal values in one line: some tries do not show every order of as many

PLACES = {"argmax": 1, "argmin": 1, "max": 1, "min": 1, "sort": 1, "argsort": 1, "topk": 2}
_LAST_BY_DEFAULT = ("sort", "argsort", "topk")
_LAST_PLACES = 16  # in which two values differ that others may find equal, or in another order
_ONLY_MADE = re.compile(r"new_\w+|\w+_like")  # next to values, and not of them


def follow(name, args, result):
    """Whether whole numbers come out of a call that follow from values which are none."""
    return (any(map(cases.is_integer, tensors.tensors_of(result))) and any(map(tensors.is_inexact, tensors.tensors_of(args)))
            and not _ONLY_MADE.fullmatch(name.strip("_")))


class Otherwise(TorchFunctionMode):
    """Where a value has its like in its line, its index is another one: all that rests on it shows. In single precision most of what has
    become zero, or one, is alike. `where`: of values and a dimension, which ones have another index: the next one, or (`far`) one half of
    all away, as what follows from an index `i` may be `i // 100`."""

    def __init__(self, where=None, far=False):
        super().__init__()
        self.where = where or has_its_like
        self.far = far

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name, kwargs = getattr(function, "__name__", ""), kwargs or {}
        result, place = function(*args, **kwargs), PLACES.get(name)
        if place is None or not args or not isinstance(args[0], torch.Tensor) or not args[0].dtype.is_floating_point or not args[0].dim():
            return self._unplaced(name, args, result)
        dim = kwargs.get("dim", args[place] if len(args) > place else -1 if name in _LAST_BY_DEFAULT else None)
        if dim is None and name in ("argmax", "argmin"):
            return self._another(result.flatten(), args[0].flatten(), 0).view(result.shape)
        if type(dim) is not int:
            return result
        if isinstance(result, torch.Tensor):
            return self._another(result, args[0], dim)
        return type(result)((result[0], self._another(result[1], args[0], dim)))

    def _another(self, index, values, dim):
        is_reduced = index.dim() < values.dim()
        places = index.unsqueeze(dim) if is_reduced else index
        size = values.shape[dim]
        other = torch.where(self.where(values, dim).gather(dim, places), (places + (max(1, size // 2) if self.far else 1)) % size, places)
        return other.squeeze(dim) if is_reduced else other

    def _unplaced(self, name, args, result):
        return result


class Elsewhere(Otherwise):
    """All whole numbers that follow from values are others, among those that there are."""

    def __init__(self, far):
        super().__init__(anywhere, far)

    def _unplaced(self, name, args, result):
        if not follow(name, args, result):
            return result
        return self._moved(result) if isinstance(result, torch.Tensor) else type(result)([self._moved(each) for each in result])

    def _moved(self, result):
        if not isinstance(result, torch.Tensor) or not cases.is_integer(result) or not result.numel():
            return result
        least, most = result.aminmax()
        if self.far and least < most:
            return result.flatten().roll(max(1, result.numel() // 2)).view(result.shape)
        bound = most if least < most else torch.iinfo(result.dtype).max
        return torch.where(result < bound, result + 1, result - 1)


def anywhere(values, dim):
    return torch.ones_like(values, dtype=torch.bool)


def is_in_a_crowd(values, dim):
    ordered, places = values.sort(dim=dim)
    group = torch.cat((torch.zeros_like(places.narrow(dim, 0, 1)), (ordered.diff(dim=dim) != 0).long().cumsum(dim)), dim)
    sizes = torch.zeros_like(places).scatter_add_(dim, group, torch.ones_like(places))
    return torch.zeros_like(places).scatter_(dim, places, sizes.gather(dim, group)) >= _CROWD


def has_its_like(values, dim):
    ordered, places = values.sort(dim=dim)
    near = ordered.diff(dim=dim) <= _LAST_PLACES * torch.finfo(values.dtype).eps * ordered.abs().narrow(dim, 1, values.shape[dim] - 1)
    none = torch.zeros_like(ordered.narrow(dim, 0, 1), dtype=torch.bool)
    alike = torch.cat((none, near), dim) | torch.cat((near, none), dim)
    return torch.zeros_like(alike).scatter_(dim, places, alike)


def broken(inputs):
    """Inputs, in double precision, in which values that were equal are so no longer, by lot; some times over."""
    return (_with_noise(inputs, seed) for seed in range(_TRIES))


def _with_noise(inputs, seed):
    def move(tensor):
        if not tensor.dtype.is_floating_point:
            return tensor
        wide = tensor.double()
        size = wide.abs().nan_to_num(0, 0, 0)
        usual = size.mean(-1, keepdim=True) if size.dim() > 1 else size.mean()  # next to nothing, all of the noise would be nothing else
        generator = torch.Generator(wide.device).manual_seed(seed)
        noise = torch.randn(wide.shape, generator=generator, device=wide.device, dtype=wide.dtype)
        return wide + _APART * torch.where(usual > 0, usual, size.mean() or 1) * noise

    return tensors.map_tensors(inputs, move)


def excused(actual, truths, answers, in_crowds, are_places):
    """The outputs, with what is expected where the answers do not agree and an output is among them, and in all lines in which one of
    `in_crowds` is another answer than eager. `are_places`: whether whole numbers are places, of which one is as good as another."""
    answers = list(answers)
    return [_excused(a, truth, [answer[number] for answer in answers], [answer[number] for answer in in_crowds], are_places)
            for number, (a, truth) in enumerate(zip(actual, truths))]


def excused_one_by_one(actual, truths, answers, are_places):
    """The same for single whole numbers, whatever the others are: such as have been rounded, or tell on which side of a bound one is."""
    answers = list(answers)
    return [a if truth.exact.dtype.is_floating_point else _with_what_is_expected(a, truth, [answer[number] for answer in answers], are_places)
            for number, (a, truth) in enumerate(zip(actual, truths))]


def _with_what_is_expected(actual, truth, answers, are_places):
    answers = [answer for answer in (truth.eager, *answers) if answer.shape == truth.exact.shape]
    return torch.where(_settled_whole(actual, truth.exact, answers, are_places), actual, truth.exact.to(actual.dtype))


def _settled_whole(actual, exact, answers, are_places):
    """Where all answers agree, or what is given is not between them."""
    all_answers = torch.stack([exact.long(), *(answer.long() for answer in answers)])
    low, high = all_answers.amin(0), all_answers.amax(0)
    return (low == high) if are_places else (low == high) | (actual < low) | (actual > high)


def _excused(actual, truth, answers, in_crowds, are_places):
    exact = truth.exact
    if actual.is_complex() or not exact.dim() or any(answer.shape != exact.shape for answer in (*answers, *in_crowds)):
        return actual
    if exact.dtype.is_floating_point:
        low, high = exact, exact
        for answer in map(truth.defined, answers):
            low, high = torch.minimum(low, answer), torch.maximum(high, answer)
        room = _BEYOND * (high - low)
        settled = ~((actual >= low - room) & (actual <= high + room))  # what is no number is not between them
        least = _NOTICEABLE * exact.abs().max()
        crowds = [(truth.defined(answer) - truth.eager).abs() > least for answer in in_crowds]
    else:
        settled = _settled_whole(actual, exact, answers, are_places)
        crowds = [answer != truth.eager for answer in in_crowds]
    crowds = torch.stack(crowds).any(0)
    if exact.dim() > 1:
        crowds = crowds.any(-1, keepdim=True)
    return torch.where(settled & ~crowds, actual, exact.to(actual.dtype))
