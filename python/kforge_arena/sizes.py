"""Another leading size of a problem's inputs: fewer of their rows, or the rows of more draws. `kforge sweep` appends a call of this
to the problem, so that everybody who loads it sees the same one."""

import torch

from . import cases, memory, tensors


class SizeError(Exception):
    """The inputs have no leading size that could be another."""


def _joined(draws, size, wanted):
    """What has the leading size gets the wanted one; weights, scalars and the like stay as the first draw has them."""
    alike = zip(*(tensors.tensors_of(draw) for draw in draws))

    def resize(tensor):
        parts = next(alike)
        if tensor.dim() == 0 or tensor.shape[0] != size:
            return tensor
        return torch.cat(parts)[:wanted].contiguous()

    return tensors.map_tensors(draws[0], resize)


def with_leading_size(get_inputs, wanted):
    def get_resized_inputs():
        draws = [list(get_inputs())]
        size = cases.leading_size(draws[0])
        if size is None:
            raise SizeError("no input has a leading size above 1: name a constant of the problem with --constant")
        sized = [tensor for tensor in tensors.tensors_of(draws[0]) if tensor.dim() > 0 and tensor.shape[0] == size]
        memory.require(sum(tensor.numel() * tensor.dtype.itemsize for tensor in sized) * (wanted // size))
        while size * len(draws) < wanted:
            draws.append(list(get_inputs()))
        return _joined(draws, size, wanted)

    return get_resized_inputs
