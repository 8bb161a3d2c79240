"""The problem's own values, brought together in a way that is drawn by lot. See cases.COMPOSED.

Every value is moved towards one that there is already, or to between two of them, so ranges, signs and what the parts of a row are to
each other (the corners of a box) stay what they are. Which ones these are makes the difference:
    smooth     between lines that are far apart: each is nearly the one before, and they go far, now and then at once
    clusters   one of a few lines, or the same one for all; the same few for all inputs of one kind
    weights    a row of the model's own weights, for points of as many places
Parts of what is in clusters may be of all magnitudes besides.
"""

import math

import torch

from . import ordered

SMOOTH, CLUSTERS, WEIGHTS = "smooth", "clusters", "weights"
MODERATE = "moderate"
NUMBERS = (1, 2)  # of cases: what is smooth, and what is close

_SHORT = 1 / 16  # of the longest dimension: as long it is not time, nor that of points, but of what each of them consists of
_MOST = 8  # clusters
# What is left of the distance, by powers of ten. Nearer than a thousandth of it nothing but the difference tells two points apart; nearer
# than the last places, nothing does.
_CLOSE, _LOOSE, _MODERATE = (-4.5, -3.0), (-3.0, -1.0), (-2.0, -0.5)
_LAST_PLACES = 16
_QUIETEST = 15  # powers of ten, in single precision: squares are numbers still
_MONOTONE = 3 / 4  # of what is one line
_TO_WEIGHTS = 1 / 2  # of the cases in which that can be
_QUIET = 1 / 4  # of the others
_INCLUDED = 2 / 3  # of the dimensions along which values may follow each other


def bring_together(values, number, how, weights=()):
    """`values` are tensors, of which those of floating-point numbers change, `number` one of NUMBERS, `how` is MODERATE or empty, and
    `weights` are those of the model. A complex one is two numbers."""
    moved = _bring_together([_plain(tensor) for tensor in values], number, how, [each for each in weights if not each.is_complex()])
    return [torch.view_as_complex(after.reshape(*tensor.shape, 2)) if tensor.is_complex() else after for tensor, after in zip(values, moved)]


def _plain(tensor):
    if not tensor.is_complex():
        return tensor
    pairs = torch.view_as_real(tensor.resolve_conj())
    return pairs.flatten(-2) if tensor.dim() > 1 else pairs


def _bring_together(values, number, how, weights):
    moderate, kind = how == MODERATE, SMOOTH if number == 1 else CLUSTERS
    rows = [_rows_like(tensor, weights) for tensor in values]
    other = float(torch.rand(())) if kind == CLUSTERS and not moderate else 1.0
    if other < _TO_WEIGHTS and any(each is not None for each in rows):
        kind = WEIGHTS
    quiet = kind == CLUSTERS and other < _QUIET
    near = 10 ** _between(*(_MODERATE if moderate else _LOOSE if kind == SMOOTH else _CLOSE))
    count, lot = 1 + int(torch.randint(_MOST, ())), float(torch.rand(()))

    def bring(index, tensor):
        if not tensor.dtype.is_floating_point or not tensor.dim() or not tensor.numel():
            return tensor
        if kind == SMOOTH:
            centre = _one_after_the_other(tensor)
        elif kind == CLUSTERS:
            centre = _around(values[:index + 1], lot, count)
        else:
            centre = _beside(tensor, rows[index])
        moved = tensor if centre is None else _moved(tensor, centre, near)
        return _of_all_magnitudes(moved) if quiet else moved

    return [bring(*each) for each in enumerate(values)]


def _between(low, high):
    return low + (high - low) * float(torch.rand(()))


def _one_of(several):
    return several[int(torch.randint(len(several), ()))]


def _long(tensor):
    longest = max(tensor.shape, default=0)
    return [dim for dim, size in enumerate(tensor.shape) if size > 2 and size >= _SHORT * longest]


def _are_whole(tensor):
    return torch.equal(tensor, tensor.round())


def _moved(tensor, centre, near):
    if _are_whole(tensor):
        return centre.to(tensor.dtype) if _are_whole(centre) else tensor
    near = max(near, _LAST_PLACES * torch.finfo(tensor.dtype).eps)
    return torch.lerp(centre, _wide(tensor), near).to(tensor.dtype)


def _wide(tensor):
    return tensor if tensor.dtype.itemsize >= 4 else tensor.float()


def _one_after_the_other(tensor):
    """Along some of the dimensions, and one at least. A single line may also rise or fall throughout."""
    dims, value = _long(tensor), _wide(tensor)
    if not dims:
        return None
    if tensor.dim() == 1 and torch.rand(()) < _MONOTONE:
        return value.sort(descending=bool(torch.rand(()) < 0.5)).values
    for dim in [dim for dim in dims if torch.rand(()) < _INCLUDED] or [_one_of(dims)]:
        value = _along(value, dim, _are_whole(tensor))
    return value


def _along(tensor, dim, whole):
    """From one line to another, in each item at a pace of its own: evenly, or standing still for long. `whole`: there is nothing in
    between."""
    size, device = tensor.shape[dim], tensor.device
    count = int(2 * (max(2, size / 4) / 2) ** float(torch.rand(())))  # from two lines to one in four
    lines = tensor.index_select(dim, torch.randint(size, (count,), device=device))
    shape = [length if each in (0, dim) else 1 for each, length in enumerate(tensor.shape)]
    pace = torch.rand([1 if each == dim else length for each, length in enumerate(shape)], device=device)
    steps = torch.rand(shape, device=device).clamp_(min=1e-3) ** -pace
    place = (count - 1) * (steps.cumsum(dim) - steps) / steps.sum(dim, keepdim=True)
    if whole:
        return _at(lines, dim, place.round(), count)
    before = place.floor().clamp_(0, count - 2)
    return torch.lerp(_at(lines, dim, before, count), _at(lines, dim, before + 1, count), (place - before).to(tensor.dtype))


def _at(lines, dim, place, count):
    return torch.take_along_dim(lines, place.long().clamp_(0, count - 1), dim)


def _around(values, lot, count):
    """One of a few lines of the first of several inputs that is of one kind with the last, of which each is a point."""
    tensor = values[-1]
    points = [dim for dim in _long(tensor) if dim < tensor.dim() - 1 or dim == 0]
    if not points:
        return None
    dim = points[int(lot * len(points))]
    source = next(each for each in values if each is tensor or _of_one_kind(each, tensor, dim))
    source = _wide(source).movedim(dim, 0)
    chosen = torch.arange(count, device=tensor.device) * len(source) // count  # the same ones each time
    chosen[0] = source.flatten(1).abs().amax(1).argmax() if source.dim() > 1 else source.abs().argmax()  # far from zero
    return source[chosen[torch.randint(count, (tensor.shape[dim],), device=tensor.device)]].movedim(0, dim)


def _of_one_kind(one, another, dim):
    """Whether lines of one could be lines of the other."""
    if one.dim() != another.dim():
        return False
    count = min(one.shape[dim], another.shape[dim])
    return ordered.are_similar(one.narrow(dim, 0, count), another.narrow(dim, 0, count))


def _rows_like(tensor, weights):
    """Rows of weights with as many places as a point has, in the last dimension or in the second one (of images), and which that is."""
    if not tensor.dtype.is_floating_point or tensor.dim() < 2 or not tensor.numel():
        return None
    fitting = ((each.detach().reshape(-1, each.shape[-1]), dim) for dim in (tensor.dim() - 1, 1) for each in weights
               if each.dim() > 1 and each.numel() and each.dtype == tensor.dtype and each.shape[-1] == tensor.shape[dim])
    return next(fitting, None)


def _beside(tensor, found):
    if found is None:
        return None
    rows, dim = found
    points = tensor.movedim(dim, -1).shape[:-1]
    return _wide(rows[torch.randint(len(rows), points, device=tensor.device)].movedim(-1, dim))


def _of_all_magnitudes(tensor):
    """Whatever is divided by a norm: by some of the leading dimensions, or by the last one, from what it was to next to nothing."""
    depth = int(torch.randint(tensor.dim(), ()))
    shape = [*tensor.shape[:depth], *[1] * (tensor.dim() - depth)] if depth else [*[1] * (tensor.dim() - 1), tensor.shape[-1]]
    most = min(_QUIETEST, -math.log10(torch.finfo(tensor.dtype).tiny) / 2.5)
    share = torch.rand(shape, device=tensor.device)
    return tensor * (10.0 ** (most * (share.min() - share))).to(tensor.dtype)
