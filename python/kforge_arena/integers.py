"""Other whole numbers and truth values than a problem makes, in the same range: indices, masks, lengths, where parts begin."""

import torch

_WIDEST = 1 << 20  # range of numbers of which some can be left out


def vary(tensor, another, kind):
    """In place of one of two draws. `kind` is how far to go: nothing, where all may come that some problem could meet; `present`,
    where no number, row of a mask or part is missing; `spread`, where they are as even as the problem makes them."""
    if torch.equal(tensor, another):
        varied = _other(tensor, kind)
    else:
        varied = tensor if kind == "spread" else _crowded(tensor, another, kind)
    return _mixed_as(tensor, varied) if kind and tensor.dtype == torch.bool and tensor.dim() else varied


def _other(tensor, kind):
    if tensor.dtype == torch.bool:
        return _with_blank_rows(torch.rand(tensor.shape, device=tensor.device) < 0.5, kind)
    if tensor.dim() and tensor.numel() > 1 and (tensor == tensor.flatten()[0]).all():
        return _with_blank_rows(_fewer(tensor, int(tensor.flatten()[0])), kind)
    steps = tensor.diff().flatten() if tensor.dim() else tensor
    if tensor.dim() == 0:
        return tensor
    if len(steps) and (steps > 0).all() and (steps > 1).any():
        return tensor if kind == "spread" else _moved_parts(tensor, kind)
    return tensor[..., torch.randperm(tensor.shape[-1], device=tensor.device)].contiguous()


def _mixed_as(given, mask):
    """A mask that has no row of one kind only, where the given one has none."""
    uniform = [each.all(-1, keepdim=True) | ~each.any(-1, keepdim=True) for each in (given, mask)]
    return torch.where(uniform[1] & ~uniform[0], given, mask)


def _with_blank_rows(mask, kind):
    """One row in eight of a mask, and one at least, has nothing in it."""
    if kind or mask.dim() < 2 or not mask.numel() or not ((mask == 0) | (mask == 1)).all():
        return mask
    rows = torch.rand(mask.shape[:-1], device=mask.device)
    return mask.masked_fill((rows <= rows.min().clamp(min=0.125)).unsqueeze(-1), 0)


def _moved_parts(starts, kind):
    """Where parts begin, in ascending order: in another order that means nothing. Every second one moves between its neighbours,
    and to one of them where parts may be empty."""
    before, after = starts[..., :-2:2], starts[..., 2::2]
    room = torch.rand(after.shape, device=starts.device, dtype=torch.float64)
    apart = 1 if kind else 0
    moved = before + apart + (room * (after - before + 1 - 2 * apart)).long()
    starts = starts.clone()
    starts[..., 1:-1:2] = moved.to(starts.dtype)
    return starts


def _fewer(tensor, value):
    """In place of the same number everywhere: a mask of ones, the full length of each sequence, the first kind of token.
    The first one stays, and they are in order, as padding is."""
    if value < 0 or (value == 0 and tensor.device.type != "cpu"):  # on a GPU an index out of range cannot be caught
        return tensor
    low, high = (0, 1) if value == 0 else (min(value - 1, 1), value)
    others = torch.randint(low, high + 1, tensor.shape, device=tensor.device).to(tensor.dtype)
    others[..., 0] = value
    return others.sort(dim=-1, descending=value > 0).values


def with_some(tensor, integer):
    """An eighth of the elements are one that the reference treats in a way of its own (padding, what is to be ignored)."""
    if integer is None:
        return tensor
    return torch.where(torch.rand(tensor.shape, device=tensor.device) < 0.125, integer, tensor).to(tensor.dtype)


def _crowded(tensor, another, kind):
    """In place of integers that every draw spreads evenly: three quarters are the one that is the furthest from zero. What
    counts on its share (of tokens, of a range) is found out. Those that differ by construction still do, and so do orders."""
    draws, last = (tensor, another), tensor.dim() - 1
    distinct = [dim for dim, size in enumerate(tensor.shape) if size > 1 and all(_differ(each, dim) for each in draws)]
    if tensor.numel() < 4 or distinct not in ([], [last]) or distinct == [0]:
        return tensor
    if distinct:  # in each row, as the best few are: then rows are alike
        crowd, shape = tensor.reshape(-1, tensor.shape[-1])[0], (*tensor.shape[:-1], 1)
    else:
        crowd, shape = tensor.flatten()[tensor.flatten().long().abs().argmax()], tensor.shape
    crowded = torch.where(torch.rand(shape, device=tensor.device) < 0.75, crowd, tensor)
    if not distinct:
        crowded = _with_blank_rows(_without_some(crowded, tensor, crowd, kind), kind)
    in_order = all((each.long().diff() >= 0).all() for each in draws)
    return crowded.sort(dim=-1).values if in_order else crowded


def _without_some(crowded, tensor, crowd, kind):
    """Half of the numbers that there are never come, but for one of them, once: classes without samples, or with one only."""
    low, high = (int(end) for end in tensor.long().aminmax())
    if kind or not 2 <= high - low < _WIDEST:
        return crowded
    kept = torch.rand(high - low + 1, device=tensor.device) < 0.5
    kept[crowd.long() - low] = True
    left_out = (~kept[tensor.flatten().long() - low]).nonzero().flatten()
    crowded = torch.where(kept[crowded.long() - low], crowded, crowd).contiguous()
    if len(left_out):
        once = left_out[torch.randint(len(left_out), (1,), device=tensor.device)]
        crowded.view(-1)[once] = tensor.flatten()[once]
    return crowded


def _differ(tensor, dim):
    return bool((tensor.long().sort(dim=dim).values.diff(dim=dim) > 0).all())
