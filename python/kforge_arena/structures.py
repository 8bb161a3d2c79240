"""What inputs are by construction, in every draw (triangular, in order, positive definite, shares of one), and a problem may rest on."""

import itertools

import torch

from . import tensors

_FEW = 8  # values may be in order, or add up to one, by chance
_RIDGE = 0.02  # of the mean on the diagonal: a matrix that is solved well enough in single precision


def _in_order(rows):
    return rows.sort(dim=-1).values


def _shares(rows):
    """Probabilities, of which each row has one in all. What is zero stays so, but in a row of zeros."""
    positive = rows.abs()
    positive = torch.where(positive.sum(-1, keepdim=True) > torch.finfo(rows.dtype).tiny, positive, 1)
    return positive / positive.sum(-1, keepdim=True)


def _twice(rows):
    """The second half is the first one again: tables of angles, of which each turns two values."""
    half = rows[..., :rows.shape[-1] // 2]
    return torch.cat((half, half), dim=-1)


def _in_twos(rows):
    """The same, but for the two being next to each other."""
    return rows[..., ::2].repeat_interleave(2, dim=-1)


def _symmetric(matrix):
    return ((matrix + matrix.mT) / 2).contiguous()


def _hermitian(matrix):
    return ((matrix + matrix.mH) / 2).contiguous()


def _definite(matrix):
    wide = tensors.widened(matrix)
    product = wide @ wide.mH / matrix.shape[-1]
    mean = product.diagonal(dim1=-2, dim2=-1).real.mean(-1)[..., None, None]
    ridge = (_RIDGE * mean + 1e-6) * torch.eye(matrix.shape[-1], dtype=wide.dtype, device=wide.device)
    return _hermitian((product + ridge).to(matrix.dtype))


def _is_definite(matrix):
    return torch.allclose(matrix, matrix.mH) and not torch.linalg.cholesky_ex(tensors.widened(matrix)).info.any()


_OF_MATRICES = (torch.triu, torch.tril, _symmetric, _hermitian)


def are_in_order(low, high):
    """Whether one tensor is nowhere above another, though its range is not below the other's."""
    return low.shape == high.shape and low.numel() >= _FEW and bool((low <= high).all() and (low.max() > high.min()))


def as_it_is(tensor, *_):
    return tensor


def _with_zeros(places, structure):
    """What is zero in every draw (beside a band, outside of blocks) stays so."""
    return lambda tensor: structure(tensor.masked_fill(places, 0) if tensor.shape == places.shape else tensor)


def _same_zeros(one, another):
    """Where both are zero, if these are the same places and more than there could be by chance."""
    places = one == 0
    return places if _FEW <= int(places.sum()) < one.numel() and torch.equal(places, another == 0) else None


def find(tensor, another):
    """What gives other values the structure that two draws have."""
    if not tensors.is_inexact(tensor) or tensor.dim() == 0 or tensor.numel() < _FEW or tensor.shape != another.shape:
        return as_it_is
    structure = _of_values(tensor, another)
    # What is in order, or a product, has its zeros elsewhere.
    if structure in (_in_order, _definite) or torch.equal(tensor, another):
        return structure
    places = _same_zeros(tensor, another)
    return structure if places is None else _with_zeros(places, structure)


def _of_values(tensor, another):
    draws = (tensor, another)
    if tensor.shape[-1] >= _FEW and not tensor.is_complex():
        if all((each[..., 0] < each[..., -1]).all() and _holds(torch.equal, _in_order, each) for each in draws):
            return _in_order
        if not torch.equal(*draws) and all(_holds(torch.allclose, _shares, each) for each in draws):
            return _shares
    if found := next((repeated for repeated in (_twice, _in_twos) if all(_is_repeated(repeated, each) for each in draws)), None):
        return found
    if tensor.dim() < 2 or tensor.shape[-1] != tensor.shape[-2] or torch.equal(*draws):
        return as_it_is
    if all(map(_is_definite, draws)):
        return _definite
    return next((structure for structure in _OF_MATRICES
                 if all(torch.equal(each, structure(each)) for each in draws)), as_it_is)


def _holds(same, structure, tensor):
    """The first row tells nearly always, in no time."""
    rows = tensor.reshape(-1, tensor.shape[-1])
    return all(same(each, structure(each)) for each in (rows[:1], rows))


def _is_repeated(structure, tensor):
    """And not the same number in a row: that may be any."""
    if tensor.shape[-1] % 2 or not _holds(torch.equal, structure, tensor):
        return False
    rows = tensor.reshape(-1, tensor.shape[-1])
    return bool((rows != rows[:, :1]).any(-1).sum() * 2 >= len(rows))


class Structures:
    """Of several tensors, by two draws of them: what each of them is, and which two are in order (bounds)."""

    def __init__(self, one, another):
        self.cells = None  # see Fresh.hear
        self.of_each = [find(*draws) for draws in zip(one, another)]
        real = [index for index, draws in enumerate(zip(one, another)) if draws[0].dtype.is_floating_point]
        self.orders = [(low, high) for low, high in itertools.permutations(real, 2)
                       if all(are_in_order(draw[low], draw[high]) for draw in (one, another))]

    def with_cells_of(self, given, values):
        return self.cells.kept(given, values) if self.cells else values

    def given_to(self, values, changed):
        """Other values, of which some are changed."""
        values = [structure(value) if other else value for value, other, structure in zip(values, changed, self.of_each, strict=True)]
        for low, high in self.orders:
            if changed[low] or changed[high]:
                pair = values[low], values[high]
                values[low], values[high] = torch.minimum(*pair), torch.maximum(*pair)
        return values
