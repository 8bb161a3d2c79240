"""Honest rewrites of a reference: each hands some operations to other arithmetic that is as good. The text of this file is pasted into
candidates (see candidates.py), so it knows nothing but PyTorch.

A handler takes (func, args, kwargs) of an operation of ATen and returns its result."""

import functools
import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode

aten = torch.ops.aten


class Handled(TorchDispatchMode):
    """Gives the operations of a call to `handle`; inside of it they are what they are."""

    def __init__(self, handle):
        super().__init__()
        self.handle = handle

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return self.handle(func, args, kwargs or {})


def by_table(table):
    def handle(func, args, kwargs):
        handler = table.get(func)
        return func(*args, **kwargs) if handler is None else handler(func, args, kwargs)
    return handle


def named(func, args, kwargs):
    """All arguments of an operation by name, defaults included."""
    schema = func._schema.arguments
    values = {argument.name: argument.default_value for argument in schema if argument.has_default_value()}
    values.update(zip((argument.name for argument in schema if not argument.kwarg_only), args))
    values.update(kwargs)
    return values


# --- Matrix products: the inner dimension in parts ---------------------------------------------------------

_PARTS = 4


def _product(one, other):
    """A matrix product, or a batch of them, as a sum of products of parts."""
    size = -(-one.shape[-1] // _PARTS)
    if size < 2:
        return one @ other
    return functools.reduce(torch.add, (a @ b for a, b in zip(one.split(size, -1), other.split(size, -2))))


def _mm_in_parts(func, args, kwargs):
    return _product(*args)


def _addmm_in_parts(func, args, kwargs):
    given = named(func, args, kwargs)
    return given["beta"] * given["self"] + given["alpha"] * _product(given.get("mat1", given.get("batch1")), given.get("mat2", given.get("batch2")))


# --- Sums in another order ---------------------------------------------------------------------------------

def _reversed_sum(func, args, kwargs):
    given = named(func, args, kwargs)
    tensor = given["self"]
    if not tensor.dtype.is_floating_point or not tensor.dim():
        return func(*args, **kwargs)
    dims = given.get("dim") or list(range(tensor.dim()))
    tensor = tensor.flip([dim % tensor.dim() for dim in dims])
    total = tensor.sum(dims, keepdim=given.get("keepdim", False))
    if "mean" not in func._schema.name:
        return total
    return total / math.prod(tensor.shape[dim] for dim in dims)


# --- Functions by their formulas ---------------------------------------------------------------------------

def _softmax(func, args, kwargs):
    tensor, dim = args[0], args[1]
    exponentials = (tensor - tensor.amax(dim, keepdim=True)).exp()
    return exponentials * (1 / exponentials.sum(dim, keepdim=True))


def _log_softmax(func, args, kwargs):
    tensor, dim = args[0], args[1]
    shifted = tensor - tensor.amax(dim, keepdim=True)
    return shifted - shifted.exp().sum(dim, keepdim=True).log()


def _gelu(func, args, kwargs):
    given = named(func, args, kwargs)
    x = given["self"]
    if given["approximate"] == "tanh":
        return x * torch.sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))
    return 0.5 * x * torch.erfc(-x * math.sqrt(0.5))


def _sigmoid(func, args, kwargs):
    return 1 / (1 + (-args[0]).exp())


def _silu(func, args, kwargs):
    return args[0] / (1 + (-args[0]).exp())


def _logsumexp(func, args, kwargs):
    given = named(func, args, kwargs)
    tensor, dim = given["self"], given["dim"]
    most = tensor.amax(dim, keepdim=True)
    total = (tensor - most).exp().sum(dim, keepdim=True).log() + most
    return total if given["keepdim"] else total.squeeze(dim)


# --- Norms in two passes -----------------------------------------------------------------------------------

def _variance(tensor, dims, mean):
    return (tensor - mean).square().mean(dims, keepdim=True)


def _normalized(tensor, dims, eps, variance):
    mean = tensor.mean(dims, keepdim=True)
    rstd = 1 / (variance(tensor, dims, mean) + eps).sqrt()
    return (tensor - mean) * rstd, mean, rstd


def _layer_norm(func, args, kwargs, variance=_variance):
    tensor, shape, weight, bias, eps = args
    result, mean, rstd = _normalized(tensor, list(range(-len(shape), 0)), eps, variance)
    result = result if weight is None else result * weight
    return result if bias is None else result + bias, mean, rstd


def _group_norm(func, args, kwargs, variance=_variance):
    tensor, weight, bias, batch, channels, inner, groups, eps = args
    result, mean, rstd = _normalized(tensor.reshape(batch, groups, -1), [2], eps, variance)
    result = result.view(batch, channels, inner)
    result = result if weight is None else result * weight.view(-1, 1)
    result = result if bias is None else result + bias.view(-1, 1)
    return result.view(tensor.shape), mean.view(batch, groups), rstd.view(batch, groups)


def _batch_norm(func, args, kwargs, variance=_variance):
    """By the statistics of the batch or by those gathered, which are left as they are: nobody looks at them."""
    given = named(func, args, kwargs)
    tensor, weight, bias, eps = given["input"], given["weight"], given["bias"], given["eps"]
    shape = [-1 if dim == 1 else 1 for dim in range(tensor.dim())]
    if given["training"]:
        result, mean, rstd = _normalized(tensor, [dim for dim in range(tensor.dim()) if dim != 1], eps, variance)
    else:
        mean, rstd = given["running_mean"].view(shape), 1 / (given["running_var"].view(shape) + eps).sqrt()
        result = (tensor - mean) * rstd
    result = result if weight is None else result * weight.view(shape)
    result = result if bias is None else result + bias.view(shape)
    return result, mean.flatten(), rstd.flatten()


# --- Convolutions tap by tap -------------------------------------------------------------------------------

def _taps(shape):
    if not shape:
        yield ()
        return
    for first in range(shape[0]):
        for rest in _taps(shape[1:]):
            yield (first, *rest)


def _mixed(weight, tensor, groups):
    """A matrix (out, in) for each group, applied to the channels."""
    batch, channels, *sizes = tensor.shape
    parts = tensor.reshape(batch, groups, channels // groups, -1)
    return torch.einsum("goi,bgis->bgos", weight.reshape(groups, -1, channels // groups), parts).reshape(batch, -1, *sizes)


def _convolution(func, args, kwargs):
    tensor, weight, bias, stride, padding, dilation, transposed, output_padding, groups = args
    count = tensor.dim() - 2
    stride, padding, dilation, more = (list(value) * (count // len(value)) for value in (stride, padding, dilation, output_padding))
    kernel = weight.shape[2:]
    if transposed:
        result = _scattered(tensor, weight, kernel, stride, padding, dilation, more, groups)
    else:
        wide = torch.nn.functional.pad(tensor, [side for size in reversed(padding) for side in (size, size)])
        sizes = [(size - d * (k - 1) - 1) // s + 1 for size, k, s, d in zip(wide.shape[2:], kernel, stride, dilation)]
        result = 0
        for tap in _taps(kernel):
            window = tuple(slice(t * d, t * d + (n - 1) * s + 1, s) for t, d, n, s in zip(tap, dilation, sizes, stride))
            result = result + _mixed(weight[(slice(None), slice(None), *tap)], wide[(slice(None), slice(None), *window)], groups)
    return result if bias is None else result + bias.view(-1, *[1] * count)


def _scattered(tensor, weight, kernel, stride, padding, dilation, more, groups):
    """A transposed convolution: each tap is added where it belongs."""
    full = [(n - 1) * s + d * (k - 1) + 1 + m for n, s, d, k, m in zip(tensor.shape[2:], stride, dilation, kernel, more)]
    result = tensor.new_zeros(len(tensor), weight.shape[1] * groups, *full)
    for tap in _taps(kernel):
        matrix = weight[(slice(None), slice(None), *tap)].reshape(groups, -1, weight.shape[1]).transpose(1, 2)
        window = tuple(slice(t * d, t * d + (n - 1) * s + 1, s) for t, d, n, s in zip(tap, dilation, tensor.shape[2:], stride))
        result[(slice(None), slice(None), *window)] += _mixed(matrix, tensor, groups)
    ends = tuple(slice(p, size - p) for p, size in zip(padding, full))
    return result[(slice(None), slice(None), *ends)].contiguous()


# --- In double precision, one operation at a time -----------------------------------------------------------

def in_double(func, args, kwargs):
    schema = func._schema
    if schema.is_mutable or "dtype" in kwargs or any(result.alias_info for result in schema.returns) or "copy" in schema.name:
        return func(*args, **kwargs)
    flat = torch.utils._pytree.tree_leaves((args, kwargs))
    if not any(isinstance(value, torch.Tensor) and value.dtype == torch.float32 for value in flat):
        return func(*args, **kwargs)

    def cast(one, other):
        return lambda value: value.to(other) if isinstance(value, torch.Tensor) and value.dtype == one else value

    args, kwargs = torch.utils._pytree.tree_map(cast(torch.float32, torch.float64), (args, kwargs))
    return torch.utils._pytree.tree_map(cast(torch.float64, torch.float32), func(*args, **kwargs))


NORMS = {aten.native_layer_norm.default: _layer_norm, aten.native_group_norm.default: _group_norm,
         aten.native_batch_norm.default: _batch_norm}

TABLES = {
    "products in parts": {aten.mm.default: _mm_in_parts, aten.bmm.default: _mm_in_parts, aten.addmm.default: _addmm_in_parts,
                          aten.baddbmm.default: _addmm_in_parts},
    "sums reversed": {aten.sum.default: _reversed_sum, aten.sum.dim_IntList: _reversed_sum, aten.mean.default: _reversed_sum,
                      aten.mean.dim: _reversed_sum},
    "formulas": {aten._softmax.default: _softmax, aten._log_softmax.default: _log_softmax, aten.gelu.default: _gelu,
                 aten.sigmoid.default: _sigmoid, aten.silu.default: _silu, aten.logsumexp.default: _logsumexp},
    "norms in two passes": NORMS,
    "convolutions by taps": {aten.convolution.default: _convolution},
}
