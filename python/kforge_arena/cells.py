"""Whole numbers that name a cell together (a row of a tensor, or a number each of several tensors), where no cell comes twice in any draw.
Where a reference puts values into cells, nobody can say which of two in the same one stays."""

import itertools
import math
import random
import re

import torch

from . import rearranged, tensors

_WIDEST = 4  # numbers of one tensor for a cell: an item, and where in three dimensions
_MOST_TENSORS = 3
_MOST_WAYS = 8  # to take tensors of one shape for numbers of cells: of more, none are looked for

_A_LOOK = 4096  # cells, which tell nearly always, in no time
_OWNERS = "owners"
_CERTAINLY = 4  # cells that would be met by chance in each draw

_SPARSE = re.compile(r"sparse_\w+_tensor")


def is_put(name, args, kwargs):
    """Whether a call gives values to elements that whole numbers name, and one stays where two have the same."""
    if name == "setitem":
        index = args[1] if isinstance(args[1], tuple) else (args[1],)
        return isinstance(args[2], torch.Tensor) and any(isinstance(each, torch.Tensor) and _is_whole(each) for each in index)
    if name in ("index_put", "put"):
        return not kwargs.get("accumulate", len(args) > 3 and args[3])
    if name in ("scatter", "index_copy"):
        source = kwargs.get("src", kwargs.get("source", args[3] if len(args) > 3 else None))
        return isinstance(source, torch.Tensor) and "reduce" not in kwargs and len(args) < 5
    return _SPARSE.fullmatch(name) is not None


class Cells:
    """By two draws of all tensors, or None in place of some. `by_themselves`: the numbers of those tensors whose elements are drawn each by itself, and differ by chance only."""

    def __init__(self, one, another, by_themselves=()):
        self.found = []
        whole = [index for index, draws in enumerate(zip(one, another)) if index not in by_themselves and all(map(_is_whole, draws))]
        ways = {}  # (number of a tensor, the dimension along which a cell's numbers lie) by the shape of all cells
        for index in whole:
            dims = [[*_dimensions(draw[index], {len(draw[other]) for other in whole})] for draw in (one, another)]
            for dim in (each for each in dims[0] if each in dims[1]):
                ways.setdefault(_numbers(one, [(index, dim)])[0].shape, []).append((index, dim))
        for alike in ways.values():
            self._find(alike if len(alike) <= _MOST_WAYS else (), (one, another))

    def _find(self, ways, draws):
        """The fewest tensors together."""
        for count in range(1, _MOST_TENSORS + 1):
            for members in itertools.combinations(ways, count):
                known = any({*each} <= {*members} for each in self.found)
                if not known and len({index for index, _ in members}) == count and all(map(_may_be_cells, draws, [members] * 2)):
                    self.found.append(members)

    def kept(self, given, values):
        """Other values, but for the given ones where a cell would come twice."""
        values = list(values)
        concerned = [members for members in self.found if any(values[index] is not given[index] for index, _ in members) and _never_twice(given, members)]
        for members in concerned:
            _keep_apart(given, values, members)
        if not all(_never_twice(values, members, given) for members in concerned):  # they share a tensor
            for index in {index for members in concerned for index, _ in members}:
                values[index] = given[index]
        return values


def _is_whole(tensor):
    return tensor is not None and not tensors.is_inexact(tensor) and tensor.dtype != torch.bool and tensor.dim() > 0


def _dimensions(tensor, sizes):
    """Along which the numbers of a cell may lie; None: each is a cell's. `sizes`: of others, whose owners may begin here."""
    yield None
    if tensor.dim() == 1 and len(tensor) > 1 and tensor[0] == 0 and int(tensor[-1]) in sizes and (tensor.long().diff() >= 0).all():
        yield _OWNERS
    if tensor.dim() > 1:
        yield from (dim for dim in (0, -1) if 2 <= tensor.shape[dim] <= _WIDEST)


def _numbers(draw, members):
    """Of all cells the first number, the second, ..."""
    return [number for index, dim in members for number in _numbers_of(draw[index], dim)]


def _numbers_of(tensor, dim):
    if dim == _OWNERS:  # the rows of a compressed matrix
        return [torch.arange(len(tensor) - 1, device=tensor.device).repeat_interleave(tensor.long().diff().clamp(min=0))]
    return [tensor.long()] if dim is None else tensor.long().unbind(dim)


def _never_twice(draw, members, given=None):
    numbers = _numbers(draw, members)
    if numbers[0].numel() < 2 or any(number.shape != numbers[0].shape for number in numbers):
        return False
    again = _come_again(numbers, torch.zeros_like(numbers[0], dtype=torch.bool))
    return not (again & ~_marked(numbers, _numbers(given or draw, members))).any()


def _may_be_cells(draw, members):
    """Numbers that differ in each row (the best few, edges) are rows that differ by chance where there is room for many more of them."""
    numbers = _numbers(draw, members)
    if any(number.shape != numbers[0].shape for number in numbers):
        return False
    look = [number[(0,) * (number.dim() - 1)][:_A_LOOK] if number.numel() else number for number in numbers]
    if _come_again(look, torch.zeros_like(look[0], dtype=torch.bool)).any() or not _never_twice(draw, members):
        return False
    if not any(dim in (0, -1) and rearranged.differ(draw[index], dim).all() for index, dim in members):
        return True
    room = math.prod(int(number.max()) - int(number.min()) + 1 for number in numbers)
    return numbers[0].numel() * (numbers[0].shape[-1] - 1) / 2 >= _CERTAINLY * room


def _marked(numbers, given):
    """Numbers beyond the range of those given mark what is put nowhere."""
    outside = [(number < before.min()) | (number > before.max()) for number, before in zip(numbers, given)]
    return torch.stack(outside).any(0)


def _come_again(numbers, settled):
    """Which cells are the same as one before them in their line, or as one that is settled. By a sum with large factors, which is as good
    as never the same by chance."""
    factors = random.Random(len(numbers))
    sums = sum(number * factors.getrandbits(62) for number in numbers)
    lines = torch.arange(sums.shape[:-1].numel(), device=sums.device).view(*sums.shape[:-1], 1)
    sums = (sums + lines * factors.getrandbits(62)).flatten()
    order = (~settled).flatten().long().argsort(stable=True)
    order = order[sums[order].argsort(stable=True)]
    again = torch.zeros(len(sums), dtype=torch.bool, device=sums.device)
    again[order[1:]] = sums[order].diff() == 0
    return again.view(settled.shape)


def _keep_apart(given, values, members):
    before, numbers = _numbers(given, members), _numbers(values, members)
    if _never_twice(values, members, given):
        return
    if any((each.diff() >= 0).all() for each in before):  # they would not be in order any more
        for index, _ in members:
            values[index] = given[index]
        return
    settled = torch.zeros_like(numbers[0], dtype=torch.bool)
    again = _come_again(numbers, settled) & ~_marked(numbers, before)
    # All but one of the numbers first: crowds along a row of cells stay.
    left = torch.randint(len(numbers), again.shape, device=again.device)
    numbers = [torch.where(again & (left != each), *pair) for each, pair in enumerate(zip(before, numbers))]
    while (again := _come_again(numbers, settled) & ~_marked(numbers, before)).any():
        settled |= again
        numbers = [torch.where(settled, *pair) for pair in zip(before, numbers)]
    numbers = iter(numbers)
    for index, dim in members:
        other = next(numbers) if dim is None else torch.stack([next(numbers) for _ in range(values[index].shape[dim])], dim)
        values[index] = other.to(values[index].dtype)
