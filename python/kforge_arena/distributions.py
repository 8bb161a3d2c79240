"""Value distributions: other floating-point values for one tensor, of its shape and type. Knows nothing of problems, or of other inputs."""

import math

import torch

from . import ordered, within

# Value distributions at the given shape. "given" is the problem's own; the others replace floating-point inputs.
DISTRIBUTIONS = ("given", "normal", "large", "offset", "tiny", "negative", "zeros", "rows", "ties", "outliers", "uneven")

# One more, in half precision only: what is more precise shows with outliers what it would show here.
PREVAILING = "prevailing"

# In the range of the problem's own values, but elsewhere in it: what looks at the ends of the range only, or counts on how values are
# spread (memory that fades, room for an even share), is found out.
WITHIN = "within"

# The problem's own values, but a few lines of them, whole: what is padding (zeros), or stays at one end of the range for long, is
# something else than single values.
LINES = "lines"

# The problem's own values in another order, and where two inputs are of one kind, one of them nearly the other: what counts on values
# that have nothing to do with each other (the best are not all in one place, no two points are close) is found out.
ORDERED = "ordered"

# Of what is tiny, nothing is near the bounds that are usual.
APART = "apart"

# Of what is tiny, the parts lie along another dimension than the first one.
ACROSS = "across"

_TIMES = 8
_MANY = 4096  # values, among which a few that are far from all others make no difference


def redistribute(tensor, name):
    """`name`: of a distribution, and which of its kinds."""
    kind, _, how = name.partition(" ")
    if tensor.is_complex():
        return torch.complex(*(redistribute(part.contiguous(), name) for part in (tensor.real, tensor.imag)))
    if not tensor.dtype.is_floating_point or not tensor.numel():
        return tensor
    if kind == "outliers":
        return _with_outliers(tensor, name)
    if kind == PREVAILING:
        return _with_one_above_all(tensor, moderate=how == "moderate")
    if kind == WITHIN:
        return within.crowded(tensor)
    if kind == LINES:
        return within.with_other_lines(tensor)
    if kind == ORDERED:
        return ordered.lines(tensor)
    normal = torch.randn(tensor.shape, dtype=torch.float32, device=tensor.device)
    if kind == "normal":
        value = normal
    elif kind == "large":
        value = normal * (10 if how == "moderate" else _beyond(tensor, 50))
    elif kind == "offset":
        # Far enough that a variance from sums of squares goes wrong for certain, near enough for half precision's range.
        far = 10 if how == "moderate" else _beyond(tensor, 1000 if tensor.dtype.itemsize >= 4 else 100)
        value = tensor.float() + (-far if how == "below" else far)
    elif kind == "tiny":
        value = normal * 1e-3 if "moderate" in how else _tiny(normal, APART in how, ACROSS in how)
    elif kind == "negative":
        value = _negative(normal, moderate=how == "moderate")
    elif kind == "zeros":
        value = torch.zeros_like(normal)
    elif kind == "rows":
        value = normal[..., :1].expand(normal.shape) if normal.dim() else normal
    elif kind == "uneven":
        value = _uneven(normal)
    elif kind == "ties":
        value = (normal * 2).round()
        if "ends" in how:
            value = _with_far_ends(value)
        elif how:  # of a logarithm, for one
            value = value.abs().clamp(min=1e-6)
    else:
        raise ValueError(kind)
    if how == "near one":
        value = 1 + 1e-3 * torch.tanh(value)
    if "positive" in how or "fraction" in how:
        value = value.abs()
    if "fraction" in how:
        value = value / (1 + value)
    return value.to(tensor.dtype)


def _beyond(tensor, usual):
    """Some times as far as the problem's own values, where these are large: as far as its type goes."""
    largest = tensor.float().abs().nan_to_num(0, 0, 0).max().item()
    return max(usual, min(_TIMES * largest, torch.finfo(tensor.dtype).max / 64))


def _tiny(normal, apart, across):
    """From small parts to such as are less than any bound by which a division by zero is avoided, evenly by their magnitude: what leaves
    that out, or has another, is found out. Squares are numbers still. `apart`: none in between, where the bounds themselves are."""
    several = [dim for dim, size in enumerate(normal.shape) if size > 1]
    if not several:
        return normal * 1e-3
    # Whatever is divided by a norm is one of the first dimension, or else nobody knows along which.
    others = several[1:] if across and len(several) > 1 else several
    dim = 0 if others[0] == 0 else others[int(torch.randint(len(others), (1,)))]
    count = normal.shape[dim]
    step = torch.randperm(count, device=normal.device) + torch.rand(count, device=normal.device) - 0.5
    share = (step / (count - 1)).clamp(0, 1)  # both ends are met
    scale = 10.0 ** -(torch.where(share < 0.5, 3 + 4 * share, 15.0) if apart else 3 + 12 * share)
    return normal * scale.view([-1 if each == dim else 1 for each in range(normal.dim())])


def _negative(normal, moderate):
    """On one side for long, near and far: gates that stay open, and in one part of four exponentials that are next to nothing."""
    value = -normal.abs()
    if value.dim() > 1:
        factor = (2.0 ** (torch.arange(len(value), device=value.device) % 4)).view(-1, *[1] * (value.dim() - 1))
        # From where an exponential is still added to one to where it is next to nothing.
        far = 64.0 ** torch.rand(factor.shape, device=value.device)
        far = torch.where(torch.rand(factor.shape, device=value.device) < 0.5, 64.0, far)
        value = factor * value if moderate else torch.where(factor == 8, far * (value - 1), factor * value)
    return value


def _uneven(normal):
    """Loud, then quiet, in half of the parts; in the others the other way round, whichever of the first two dimensions is time.
    And one part has one sign: what forgets its beginning, or counts on the one or the other, is found out."""
    if normal.dim() < 2:
        return normal
    first, second = (torch.arange(size, device=normal.device) < size // 2 for size in normal.shape[:2])
    loud = (first[:, None] ^ second).view(*normal.shape[:2], *[1] * (normal.dim() - 2))
    # Not so quiet that one after the other is lost in the sum of what was loud: that would happen to honest sums as well.
    value = normal * torch.where(loud, 8.0, 0.25)
    part = torch.randint(len(value), (1,), device=normal.device)
    value[part] = -value[part].abs()
    return value


def _with_far_ends(tensor):
    """Where loops begin and end, and where two of them meet, values are large: one of many that is left out there, or added twice,
    shows in no sum otherwise. What judges by a sample may meet them, so these are no outliers of the other kind."""
    size = tensor.numel()
    if size >= _MANY:
        ends = torch.tensor([0, size // 2 - 1, size // 2, size - 1], device=tensor.device)
        tensor.view(-1)[ends] = (200 + 1800 * torch.rand(4, device=tensor.device)).round() * tensor.view(-1)[ends].sign().add(0.5).sign()
    return tensor


def _with_outliers(tensor, name):
    """A few values, wherever, are far from all others, and one row is small: what judges by a sample of the inputs is found out."""
    value, device = tensor.contiguous().clone(), tensor.device
    count = min(16, max(1, value.numel() // 64))
    places = _in_pairs(value, count)
    if value.dim() > 1:
        rows = value.view(-1, value.shape[-1])
        some = torch.randint(len(rows), (64,), device=device)
        # One without outliers, if there is one: what is added to their sum would be rounded to the same side each time.
        rows[some[(~torch.isin(some, places // value.shape[-1])).int().argmax()]] *= 1e-3
    size = _beyond(tensor, 100) * (1 + torch.rand(count, device=device))
    if "below" in name:
        size = -size
    elif "fraction" in name:
        within = torch.randint(2, (count,), device=device) if "ends" in name else 1
        size = (torch.randint(2, (count,), device=device) - 1e-3 * within * torch.rand(count, device=device)).abs()
    elif "above" not in name:
        size *= 2 * torch.randint(2, (-(-count // 2),), device=device).repeat_interleave(2)[:count] - 1
    if "far" in name:
        size[::2] *= float(name.split("far ")[1].split(" ")[0])
    if "nan" in name:
        size[::3] = math.nan
        if "alone" not in name:
            size[1::3] *= math.inf
    value.view(-1)[places] = size.to(value.dtype)
    return value


def is_half(tensor):
    return tensor.dtype.is_floating_point and tensor.dtype.itemsize < 4


def _with_one_above_all(tensor, moderate):
    """One value, wherever, is more than all others together (moderate: squared). In half precision a few that are merely far are lost
    in a long sum, and so is the difference between all values and a part of them."""
    value = tensor.contiguous().clone()
    flat, wide = value.view(-1), tensor.float()
    place = torch.randint(len(flat), (1,), device=tensor.device)
    size = 8 * wide.norm() if moderate else 4 * wide.abs().sum()
    size = size.clamp(max=torch.finfo(tensor.dtype).max / 4)
    flat[place] = torch.where(flat[place] < 0, -size, size).to(tensor.dtype)
    return value


def _in_pairs(tensor, count):
    """Places in a tensor, two each in one line along a dimension, mostly the last: there one is measured by the other."""
    places = torch.randint(tensor.numel(), (count,), device=tensor.device)
    for second in range(1, count, 2):
        dim = int(torch.randint(tensor.dim(), (1,))) if second % 4 == 3 else tensor.dim() - 1
        size, stride = tensor.shape[dim], tensor.stride(dim)
        first = places[second - 1]
        places[second] = first + (torch.randint(size, (1,), device=tensor.device)[0] - first // stride % size) * stride
    return places
