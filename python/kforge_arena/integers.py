"""Other whole numbers and truth values than a problem makes, in the same range: indices, masks, lengths, where parts begin."""

import itertools

import torch

from . import rearranged, structures

_WIDEST = 1 << 20  # range of numbers of which some can be left out
_A_FEW = 8


# How far to go, the furthest first: all that some problem could meet, with the ends of ranges, or without; no row of a mask that is full, or none that is blank; no
# number, row of a mask or part that is missing; as even as the problem makes them.
KINDS = ("ends", "", "blank", "full", "present", "spread")
COMPLETE = ("present", "spread")
ENDS = "ends"  # of the range that they are drawn from, where that was heard and they come seldom
COLUMNS = "columns"  # of truth values: lines along the first dimension, which may be time, in place of rows

# What is the same in every draw may mean something only as it is: then single numbers stay (they may be sizes), or all that has not
# the same number throughout is merely put into another order along its last dimension.
SINGLE_KEPT, KEPT = "single kept", "kept"
RETREATS = ("", SINGLE_KEPT, KEPT)


def vary(tensor, another, kind, sizes=(), retreat="", ends=None):
    """In place of one of two draws; `kind` is one of KINDS, `retreat` of RETREATS, `sizes` are those of all inputs: lengths may add up
    to one. `ends` are the least and the largest number where each is drawn by itself."""
    if torch.equal(tensor, another):
        varied = _other(tensor, kind, retreat)
    elif kind == "spread":
        varied = tensor
    elif tensor.dim() and all(_adds_up(each, sizes) for each in (tensor, another)):
        varied = _exchanged(tensor)
    else:
        varied = _crowded(tensor, another, kind, ends is not None)
        if ends and kind in (ENDS, COLUMNS) and not all(_meets(each, *ends) for each in (tensor, another)):
            varied = _with_ends(varied, *ends)
    return _mixed_as(tensor, varied) if kind in COMPLETE and tensor.dtype == torch.bool and tensor.dim() else varied


def put_in_order(varied, one, another):
    """Of several tensors, as of two draws of them: where one has been less than another everywhere (beginnings and ends), it still is."""
    varied = list(varied)
    for low, high in itertools.permutations(range(len(varied)), 2):
        draws = [(draw[low].long(), draw[high].long()) for draw in (one, another)]
        if all(structures.are_in_order(*draw) for draw in draws):
            least = varied[low] + int(all((a < b).all() for a, b in draws))
            varied[high] = torch.maximum(varied[high], least.to(varied[high].dtype))
    return varied


def _adds_up(tensor, sizes):
    if tensor.dtype == torch.bool or tensor.shape[-1] < 2 or (tensor < 0).any():
        return False
    return set(tensor.long().sum(-1).flatten().tolist()) <= {*sizes} - {0}


def _exchanged(lengths):
    """Lengths with the same sum: of every two that are next to each other one gives the other all that the range has room for."""
    low, high = lengths.aminmax()
    pairs = lengths[..., :lengths.shape[-1] // 2 * 2].unflatten(-1, (-1, 2))
    given = torch.minimum(pairs[..., 1] - low, high - pairs[..., 0])
    lengths = lengths.clone()
    lengths[..., 0:pairs.shape[-2] * 2:2] += given
    lengths[..., 1:pairs.shape[-2] * 2:2] -= given
    return lengths


def _other(tensor, kind, retreat):
    if tensor.numel() == 1 and not retreat:
        return _another_number(tensor, kind)
    if tensor.dtype == torch.bool:
        return _with_rows_of_one_kind(torch.rand(tensor.shape, device=tensor.device) < 0.5, kind)
    if tensor.dim() == 0 or tensor.numel() < 2:
        return tensor
    if (tensor == tensor.flatten()[0]).all():
        return _with_rows_of_one_kind(_fewer(tensor, int(tensor.flatten()[0]), kind), kind)
    steps = tensor.diff().flatten()
    if len(steps) and (steps > 0).all() and (steps > 1).any():
        if tensor.shape[-1] == 2 and retreat != KEPT:
            return _with_less(tensor)
        return tensor if kind == "spread" else _moved_parts(tensor, kind)
    shuffled = tensor[..., torch.randperm(tensor.shape[-1], device=tensor.device)].contiguous()
    if retreat == KEPT:
        return shuffled
    others = (rearranged.rearranged(tensor), shuffled)
    return next((other for other in others if not torch.equal(other, tensor)), _with_less(tensor))


def _another_number(tensor, kind):
    """In place of a single one (a position, a length): a smaller one, or a larger one than zero."""
    value = int(tensor)
    if tensor.dtype == torch.bool:
        return ~tensor
    if value < 0 or (value == 0 and tensor.device.type != "cpu"):  # see _fewer
        return tensor
    if value == 0:
        low, high = (1, 1) if kind in COMPLETE else (2, _A_FEW)
    else:
        low, high = min(value - 1, value - value // 4 if kind == "spread" else 1), value - 1
    return torch.full_like(tensor, int(torch.randint(low, high + 1, ())))


def _with_less(tensor):
    """Numbers that are the same in each row (heights and widths): all are less, by a quarter at most, and still in order where they
    were. What begins at zero stays what it is: it would end too soon."""
    if (tensor[..., 0] == 0).all():
        return tensor
    most = (tensor // 4).clamp(min=1)
    less = tensor - 1 - (torch.rand(tensor.shape, device=tensor.device) * most).to(tensor.dtype)
    less = torch.where(tensor > 1, less, tensor)
    return less.sort(dim=-1).values if (tensor.diff() >= 0).all() else less


def _mixed_as(given, mask):
    """A mask that has no row of one kind only, where the given one has none."""
    uniform = [each.all(-1, keepdim=True) | ~each.any(-1, keepdim=True) for each in (given, mask)]
    return torch.where(uniform[1] & ~uniform[0], given, mask)


def _with_rows_of_one_kind(mask, kind):
    """One row in eight of a mask, and one at least, has nothing in it; as many have everything."""
    if kind in COMPLETE or mask.dim() < 2 or not mask.numel() or not ((mask == 0) | (mask == 1)).all():
        return mask
    if mask.dtype == torch.bool and mask.dim() > 2 and kind != "full":
        mask = _with_one_place(mask)
    dim = 0 if kind == COLUMNS and mask.dtype == torch.bool else mask.dim() - 1
    lines = torch.rand([1 if each == dim else size for each, size in enumerate(mask.shape)], device=mask.device)
    if kind != "blank":
        mask = mask.masked_fill(lines >= lines.max().clamp(max=0.875), 1)
    if kind != "full":
        mask = mask.masked_fill(lines <= lines.min().clamp(min=0.125), 0)
    return mask


def _with_one_place(mask):
    """One in four of the items, and one at least, has nothing but in one place, as an object in a picture is, a quarter as wide."""
    mask = mask.clone()
    for item in range(0, len(mask), 4):
        place = torch.zeros_like(mask[item])
        block = [slice(start := int(torch.randint(size - size // 4 or 1, ())), start + (size // 4 or 1)) for size in place.shape]
        place[tuple(block)] = True
        mask[item] &= place
    return mask


def _moved_parts(starts, kind):
    """Where parts begin, in ascending order: in another order that means nothing. Every second one moves between its neighbours,
    and to one of them where parts may be empty."""
    before, after = starts[..., :-2:2], starts[..., 2::2]
    room = torch.rand(after.shape, device=starts.device, dtype=torch.float64)
    apart = 1 if kind in COMPLETE else 0
    moved = before + apart + (room * (after - before + 1 - 2 * apart)).long()
    starts = starts.clone()
    starts[..., 1:-1:2] = moved.to(starts.dtype)
    return starts


def _fewer(tensor, value, kind):
    """In place of the same number everywhere: a mask of ones, the full length of each sequence, the first kind of token.
    The first one stays, and they are in order, as padding is. At the least a length is a quarter shorter: there may have to be
    room for something."""
    if value < 0 or (value == 0 and tensor.device.type != "cpu"):  # on a GPU an index out of range cannot be caught
        return tensor
    low, high = (0, 1) if value == 0 else (min(value - 1, value - value // 4 if kind == "spread" else 1), value)
    others = torch.randint(low, high + 1, tensor.shape, device=tensor.device).to(tensor.dtype)
    others[..., 0] = value
    padded = others.sort(dim=-1, descending=value > 0).values
    if kind in COMPLETE or value != 1 or tensor.dim() < 2:
        return padded
    # A mask may be padded in front as well, or have holes.
    lot = torch.rand((*tensor.shape[:-1], 1), device=tensor.device)
    return torch.where(lot < 0.5, padded, torch.where(lot < 0.75, padded.flip(-1), others))


def with_some(tensor, numbers, rows):
    """An eighth of the elements are some that the reference treats in a way of its own (padding, what is to be ignored), and with
    `rows` all are the same one of these in one row in eight, and one at least."""
    numbers = torch.tensor(numbers, dtype=tensor.dtype, device=tensor.device)
    some = torch.rand(tensor.shape, device=tensor.device) < 0.125
    tensor = torch.where(some, numbers[torch.randint(len(numbers), tensor.shape, device=tensor.device)], tensor)
    if rows and tensor.dim() > 1 and tensor.numel():
        lot = torch.rand(tensor.shape[:-1], device=tensor.device)
        whole = numbers[torch.randint(len(numbers), lot.shape, device=tensor.device)]
        tensor = torch.where((lot <= lot.min().clamp(min=0.125)).unsqueeze(-1), whole.unsqueeze(-1), tensor)
    return tensor


def in_order_again(one, another, before, marked):
    """A tensor with some other numbers, that was in order `before`, as two draws of it are (where parts begin, to which one what belongs)."""
    if all(tensor.dim() and tensor.numel() and (tensor.long().diff() >= 0).all() and (tensor != tensor.flatten()[0]).any() for tensor in (one, another, before)):
        ordered = marked.long().sort(dim=-1).values.to(marked.dtype)
        between = _between_ends(ordered.clone(), one, another)
        return between if (between.long().diff() >= 0).all() else ordered  # what belongs to none may be before the first one
    return marked


def _meets(tensor, low, high):
    return bool((tensor == low).any() and (tensor == high).any())


def _with_ends(tensor, low, high):
    """Of a range: some of its least and its largest two, and each end for certain."""
    varied = with_some(tensor, [*{low, low + 1, high - 1, high}], rows=True).contiguous()
    first, second = torch.randperm(varied.numel())[:2].tolist()
    varied.view(-1)[first], varied.view(-1)[second] = low, high
    return varied


def _crowded(tensor, another, kind, by_themselves):
    """In place of integers that every draw spreads evenly: three quarters are the one that is the furthest from zero. What
    counts on its share (of tokens, of a range) is found out. Those that differ by construction still do, and so do orders:
    not those that are drawn each by itself."""
    draws, last = (tensor, another), tensor.dim() - 1
    distinct = [dim for dim, size in enumerate(tensor.shape)
                if not by_themselves and size > 1 and all(_differ(each, dim) for each in draws)]
    if tensor.numel() < 4 or distinct not in ([], [last]) or distinct == [0]:
        return tensor
    if distinct:  # in each row, as the best few are: then rows are alike
        crowd, shape = tensor.reshape(-1, tensor.shape[-1])[0], (*tensor.shape[:-1], 1)
    else:
        crowd, shape = tensor.flatten()[tensor.flatten().long().abs().argmax()], tensor.shape
    crowded = torch.where(torch.rand(shape, device=tensor.device) < 0.75, crowd, tensor)
    if not distinct:
        crowded = _without_some(_with_whole_lines(crowded, crowd, kind), tensor, crowd, kind)
        crowded = _with_rows_of_one_kind(crowded, kind)
    in_order = all((each.long().diff() >= 0).all() for each in draws)
    return _between_ends(crowded.sort(dim=-1).values, *draws) if in_order else crowded


def _with_whole_lines(crowded, crowd, kind):
    """One line in eight, and one at least, is the same number throughout: no sum is larger. What has one dimension is one line itself, as
    which it comes in place of columns."""
    if kind in COMPLETE or crowded.dtype == torch.bool or (crowded.dim() == 1 and kind != COLUMNS):
        return crowded
    dim = 0 if kind == COLUMNS else crowded.dim() - 1
    lines = torch.rand([1 if each == dim else size for each, size in enumerate(crowded.shape)], device=crowded.device)
    return torch.where(lines <= lines.min().clamp(min=0.125), crowd, crowded)


def _between_ends(ordered, one, another):
    """Where parts begin, the first is where all begin in each draw, and the last where they end."""
    for end in (0, -1):
        if torch.equal(one[..., end], another[..., end]):
            ordered[..., end] = one[..., end]
    return ordered


def _without_some(crowded, tensor, crowd, kind):
    """Half of the numbers that there are never come, and one at least, but for one of them, once: classes without samples, or with
    one only."""
    low, high = (int(end) for end in tensor.long().aminmax())
    if kind in COMPLETE or not 2 <= high - low < _WIDEST:
        return crowded
    lot = torch.rand(high - low + 1, device=tensor.device)
    lot[crowd.long() - low] = 0
    kept = lot < lot[tensor.long() - low].max().clamp(max=0.5)
    kept[crowd.long() - low] = True
    left_out = (~kept[tensor.flatten().long() - low]).nonzero().flatten()
    crowded = torch.where(kept[crowded.long() - low], crowded, crowd).contiguous()
    if len(left_out):
        once = left_out[torch.randint(len(left_out), (1,), device=tensor.device)]
        crowded.view(-1)[once] = tensor.flatten()[once]
    return crowded


def _differ(tensor, dim):
    return bool(rearranged.differ(tensor, dim).all())
