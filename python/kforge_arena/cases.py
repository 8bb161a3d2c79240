"""Inputs that a candidate is checked on: value distributions, other leading sizes, other strides."""

import torch

from . import tensors

# Value distributions at the given shape. "given" is the problem's own; the others replace floating-point inputs.
DISTRIBUTIONS = ("given", "normal", "large", "offset", "tiny", "negative", "zeros", "rows", "ties")

# Here values are equal, and which of them comes first is for nobody to say: no test of indices.
TIED_DISTRIBUTIONS = ("zeros", "rows", "ties")

BATCH_VARIATIONS = ("batch 1", "batch half", "batch less one", "batch few")
STRIDE_VARIATIONS = ("strides transposed", "strides sliced")


def _redistribute(tensor, kind):
    if not tensor.dtype.is_floating_point:
        return tensor
    normal = torch.randn(tensor.shape, dtype=torch.float32, device=tensor.device)
    if kind == "normal":
        value = normal
    elif kind == "large":
        value = normal * 50
    elif kind == "offset":
        # Far enough that a variance from sums of squares goes wrong for certain, near enough for half precision's range.
        value = tensor.float() + (1000 if tensor.dtype.itemsize >= 4 else 100)
    elif kind == "tiny":
        value = normal * 1e-3
    elif kind == "negative":
        value = -normal.abs()
    elif kind == "zeros":
        value = torch.zeros_like(normal)
    elif kind == "rows":
        value = normal[..., :1].expand(normal.shape) if normal.dim() else normal
    elif kind == "ties":
        value = (normal * 2).round()
    else:
        raise ValueError(kind)
    return value.to(tensor.dtype).contiguous()


def leading_size(inputs):
    """The leading size that at least one tensor has and all multi-dimensional tensors could share."""
    sizes = [t.shape[0] for t in tensors.tensors_of(inputs) if t.dim() >= 1 and t.shape[0] > 1]
    return sizes[0] if sizes else None


def _rebatch(inputs, variation):
    size = leading_size(inputs)
    if size is None:
        return None
    wanted = {"batch 1": 1, "batch half": size // 2, "batch less one": size - 1, "batch few": 3}[variation]
    if wanted < 1 or wanted >= size or (variation == "batch half" and wanted == 1):
        return None
    return tensors.map_tensors(
        inputs, lambda t: t[:wanted].contiguous() if t.dim() >= 1 and t.shape[0] == size else t)


def _restride(inputs, variation):
    changed = False

    def change(tensor):
        nonlocal changed
        if tensor.dim() < 2 or tensor.numel() < 2:
            return tensor
        if variation == "strides transposed":
            other = tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
        else:
            wide = torch.empty(*tensor.shape[:-1], 2 * tensor.shape[-1], dtype=tensor.dtype, device=tensor.device)
            other = wide[..., ::2]
            other.copy_(tensor)
        changed = changed or not other.is_contiguous()
        return other

    varied = tensors.map_tensors(inputs, change)
    return varied if changed else None


def make_inputs(problem, name, seed):
    """The inputs of a case, or None where the variation does not apply to this problem."""
    inputs = problem.make_inputs(seed)
    if name == "given":
        return inputs
    if name in DISTRIBUTIONS:
        if not any(t.dtype.is_floating_point for t in tensors.tensors_of(inputs)):
            return None
        return tensors.map_tensors(inputs, lambda t: _redistribute(t, name))
    if name in BATCH_VARIATIONS:
        return _rebatch(inputs, name)
    return _restride(inputs, name)


def move_one_each(model, seed):
    """Moves one element of every parameter: what tells weights by a few of them is found out."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            if not parameter.dtype.is_floating_point or parameter.numel() == 0:
                continue
            where = int(torch.randint(parameter.numel(), (1,), generator=generator))
            index = [int(i) for i in torch.unravel_index(torch.tensor(where), parameter.shape)]
            parameter[tuple(index)] += 2 * (parameter.double().pow(2).mean().sqrt().item() or 1.0)


def perturb(model, seed):
    """Moves every parameter a little, so that ones, zeros and scalars cannot be taken for constants."""
    generators = {}
    with torch.no_grad():
        for parameter in model.parameters():
            if not parameter.dtype.is_floating_point:
                continue
            device = parameter.device
            generator = generators.setdefault(device, torch.Generator(device).manual_seed(seed))
            scale = parameter.double().pow(2).mean().sqrt().item() if parameter.numel() else 0.0
            factor = 1 + 0.1 * torch.randn(parameter.shape, generator=generator, device=device)
            shift = 0.05 * (scale or 1.0) * torch.randn(parameter.shape, generator=generator, device=device)
            parameter.mul_(factor.to(parameter.dtype)).add_(shift.to(parameter.dtype))
