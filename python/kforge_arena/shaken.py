"""A reference whose results in between are all wrong by their last places, as those of every other implementation are: what comes of
that says how far results hang by rounding. Moved inputs do not tell where a unit has no weights, and is nothing but what was added to
it: a norm over the batch divides what rounding makes of that by nearly nothing."""

import re

import torch
from torch.overrides import TorchFunctionMode

from . import tensors

PLACES = 8  # units of the last place

# These round nothing: what is put back after a call must be what it was, and what has been made whole stays so.
_EXACT = re.compile(
    r"clone|contiguous|detach|to|type(_as)?|half|bfloat16|float|double|cat|concat(enate)?|stack|where|masked_(fill|select)|gather|pad|get|"
    r"getitem|index_select|take(_along_dim)?|scatter|flip|roll|repeat(_interleave)?|tile|round|floor|ceil|trunc|fix|sign|sgn|clamp(_min|_max)?|clip|relu6?|"
    r"hardtanh|abs(olute)?|neg(ative)?|f?(max|min)(imum)?|a(max|min)|sort|topk|zeros|ones|full|zeros_like|ones_like|full_like|arange|eye|tri[lu]|one_hot")


class Shaken(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        return _shake(function(*args, **(kwargs or {})), function)


def _shake(result, function):
    name = getattr(function, "__name__", "")
    if type(result) is not torch.Tensor or not result.dtype.is_floating_point or not result.numel() or _EXACT.fullmatch(name.strip("_")):
        return result
    if result._is_view() or name.endswith("_"):
        return result  # somebody else's memory too
    signs = torch.randint(0, 2, result.shape, device=result.device, dtype=torch.int8) * 2 - 1
    return result * (1 + PLACES * torch.finfo(result.dtype).eps * signs.to(result.dtype))


# These add up: in another order the result is that of terms which are wrong by their last places.
_ADDS_UP = re.compile(
    r"(nan)?(sum|mean|std|var)|(std|var)_mean|(vector_|matrix_)?norm|cov|corrcoef|(cum|log|logcum)\w*(sum|prod)\w*|prod|trace|r?matmul|mm|bmm|mv|dot|vdot|inner|"
    r"(b|add|badd|sparse_)?(mm|bmm|mv)|addr|baddbmm|addbmm|chain_matmul|multi_dot|tensordot|einsum|(bi)?linear|conv\w*|(log_)?softm(ax|in)|"
    r"(layer|group|batch|instance|rms|local_response)_norm|normalize|(adaptive_)?(avg|lp)_pool\w*|scaled_dot_product_attention|"
    r"\w*multi_head_attention\w*|(index|scatter|segment)_(add|reduce)|embedding_bag|cdist|pairwise_distance|cosine_similarity|\w+_loss|\w*cross_entropy|kl_div|"
    r"(linalg_)?(inv(_ex)?|pinv|det|slogdet|solve|lstsq|cholesky\w*|qr|svd\w*|eigh?|lu\w*|matrix_exp|matrix_power)|\w*i?r?fft[2n]?|gru\w*|lstm\w*|rnn\w*")


class Reordered(TorchFunctionMode):
    """The exact function, but what it adds up is wrong by a part of its size, as if it were added up in another order. What is computed
    from single values is not: a difference of two numbers that are near each other is exact."""

    def __init__(self, by, generator):
        super().__init__()
        self.by = by
        self.generator = generator

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if not _ADDS_UP.fullmatch(getattr(function, "__name__", "").strip("_")):
            return function(*args, **kwargs)
        args = tensors.map_tensors(args, self._move)
        return function(*args, **{name: tensors.map_tensors(value, self._move) for name, value in kwargs.items()})

    def _move(self, tensor):
        if type(tensor) not in (torch.Tensor, torch.nn.Parameter) or not tensors.is_inexact(tensor):
            return tensor
        signs = torch.randint(0, 2, tensor.shape, generator=self.generator, device=tensor.device, dtype=torch.int8) * 2 - 1
        return tensor * (1 + self.by * signs.double()).to(tensor.dtype)
