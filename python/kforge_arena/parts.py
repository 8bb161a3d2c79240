"""Outputs that a reference puts together of several results (several heads, features of other scales): each is judged by itself, or
those that are small could be computed in a lower precision, or not at all. Which value is of which result is told by numbers that are
put together and rearranged as the results are."""

import contextlib
import math
import re

import torch
from torch.utils.weak import WeakTensorKeyDictionary

from . import tensors
from .infinities import Meant

_MOST = 8  # results that are judged by themselves; of more (steps of a sequence) those that are about as large are taken together
_ALIKE = 4  # one is no more times as large as another
_AT_ONCE = 1 << 22  # values

_JOINS = re.compile(r"cat|concat|concatenate|stack")
_REARRANGES = re.compile(
    r"(view|reshape)(_as)?|(un)?flatten|ravel|(un)?squeeze|permute|transpose|t|swap(axes|dims)|move(axis|dim)|get|getitem|narrow|select")
_KEEPS = re.compile(r"contiguous|clone|detach|to|type(_as)?|float|double|half|bfloat16")


def _is_place(index):
    """Whether an index says no more than where, and nothing that other inputs could change."""
    return all(each is None or each is Ellipsis or type(each) in (slice, int) for each in (index if isinstance(index, tuple) else (index,)))


class Joined:
    """Listens to calls: the numbers of the results that a tensor is put together of, and how many of them there are, as long as it lives."""

    def __init__(self):
        self.numbers = WeakTensorKeyDictionary()

    def note(self, name, function, args, kwargs, result):
        if not isinstance(result, torch.Tensor):
            return
        found = None
        if _JOINS.fullmatch(name):
            found = self._of_pieces(function, args, kwargs, result)
        elif args and isinstance(args[0], torch.Tensor) and args[0] in self.numbers:
            numbers, count = self.numbers[args[0]]
            if _KEEPS.fullmatch(name):
                found = numbers, count
            elif _REARRANGES.fullmatch(name) and (name != "getitem" or _is_place(args[1])):
                with contextlib.suppress(RuntimeError):  # what no whole number has: an imaginary part
                    found = function(numbers, *args[1:], **kwargs), count
        if found and found[0].shape == result.shape and found[0].dtype == torch.int32:  # bytes as other numbers are something else
            self.numbers[result] = found

    def _of_pieces(self, function, args, kwargs, result):
        """Those that are put together themselves keep their numbers. Single values make no parts."""
        pieces = args[0] if args else kwargs["tensors"]
        if result.dim() < 2 and any(piece.numel() < 2 for piece in pieces):
            return None
        numbered, count = [], 0
        for piece in pieces:
            numbers, more = self.numbers.get(piece, (None, 1))
            if numbers is None:  # one number takes no memory
                numbers = torch.zeros((), dtype=torch.int32, device=piece.device)
            numbered.append((numbers + count).expand(piece.shape))
            count += more if piece.numel() else 0
        others = {key: value for key, value in kwargs.items() if key not in ("tensors", "out")}
        return (function(numbered, *args[1:], **others), count) if count > 1 else None

    def parts_of(self, outputs, infinities=Meant()):
        """Once: what has been heard is forgotten then."""
        found = [_layout_of(output, *self.numbers[output]) if output in self.numbers else None for output in outputs]
        self.numbers.clear()
        return Parts(found, infinities)


def _layout_of(output, numbers, count):
    """None where it is one result after all."""
    if not tensors.is_inexact(output):
        return None  # these are equal or not
    if count > _MOST:
        group_of, count = _grouped(_sizes(output, numbers, count))
        numbers = torch.tensor(group_of, dtype=torch.int32, device=numbers.device)[numbers]
    places = [_place(numbers == number) for number in range(count)] if count > 1 else []
    places = [place for place in places if place is not None]
    return _Layout(output.shape, places) if len(places) > 1 else None


def _sizes(output, numbers, count):
    """The largest value of each result, -1 where nothing is left of it."""
    largest = torch.full((count,), -1.0, dtype=torch.float64, device=output.device)
    for values, places in zip(output.reshape(-1).split(_AT_ONCE), numbers.reshape(-1).split(_AT_ONCE)):
        largest.scatter_reduce_(0, places.long(), values.abs().double().nan_to_num_(0, 0, 0), "amax")
    return largest.tolist()


def _grouped(sizes):
    """A group of those that are about as large for each, from the largest on, and how many there are."""
    order = sorted(range(len(sizes)), key=lambda number: -sizes[number])
    apart = _ALIKE
    while True:
        group_of, group, largest = [0] * len(sizes), 0, sizes[order[0]]
        for number in order:
            if 0 < sizes[number] < largest / apart:  # what is nothing here is no group of its own
                group, largest = group + 1, sizes[number]
            group_of[number] = group
        if group < _MOST:
            return group_of, group + 1
        apart *= 2


def _place(mask):
    """Where a part is: a slice or indices of each dimension if it keeps these, places of all values in a row if it does not, None if
    it is nowhere."""
    along = [mask.any([d for d in range(mask.dim()) if d != dim]) if mask.dim() > 1 else mask for dim in range(mask.dim())]
    along = [each.nonzero().flatten() for each in along]
    if not all(map(len, along)):
        return None
    if math.prod(map(len, along)) != int(mask.sum()):
        return mask.flatten().nonzero().flatten()
    return [_as_slice(index, size) for index, size in zip(along, mask.shape)]


def _as_slice(index, size):
    """A slice takes no copy."""
    if len(index) == size:
        return slice(None)
    first, last = int(index[0]), int(index[-1])
    step = int(index[1]) - first if len(index) > 1 else 1
    return slice(first, last + 1, step) if bool((index.diff() == step).all()) else index


class _Layout:
    """Where the parts of one output are. It may have another size in dimensions that all of them have in full."""

    def __init__(self, shape, places):
        self.places = places
        keeps = all(isinstance(place, list) for place in places)
        self.sizes = [None if keeps and all(_is_whole(place[dim]) for place in places) else size for dim, size in enumerate(shape)]

    def fits(self, output):
        return output.dim() == len(self.sizes) and all(size in (None, own) for size, own in zip(self.sizes, output.shape))

    def of(self, output):
        return [_taken(output, place) for place in self.places]


def _is_whole(index):
    return isinstance(index, slice) and index == slice(None)


def _taken(output, place):
    if not isinstance(place, list):
        return output.reshape(-1)[place]
    output = output[tuple(index if isinstance(index, slice) else slice(None) for index in place)]
    for dim, index in enumerate(place):
        if not isinstance(index, slice):
            output = output.index_select(dim, index)
    return output


class Parts:
    """Of each output a layout, or None where it is one result, and which infinities are meant: where they are is one more result."""

    def __init__(self, of_each=(), infinities=Meant()):
        self.of_each = of_each
        self.infinities = infinities

    def names(self, outputs):
        return [name for name, _ in self.named(outputs)]

    def of(self, outputs):
        return [piece for _, piece in self.named(outputs)]

    def named(self, outputs):
        """As a whole where it has another size for once."""
        layouts = self.of_each if len(outputs) == len(self.of_each) else [None] * len(outputs)
        for index, ((output, *places), layout) in enumerate(zip(self.infinities.apart(outputs), layouts)):
            pieces = layout.of(output) if layout and layout.fits(output) else [output]
            for number, piece in enumerate(pieces):
                yield f"output {index}" + (f", part {number}" if len(pieces) > 1 else ""), piece
            for piece in places:
                yield f"output {index}, where it is infinite", piece
