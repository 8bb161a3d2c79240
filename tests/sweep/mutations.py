"""Mistakes: each changes one operation of a call, the whole call, or what is given to it. The text of this file is pasted into candidates
behind that of rewrites.py (see candidates.py).

A mistake of an operation takes (func, args, kwargs) and returns a result, or None where it does not apply."""

import torch

try:
    from rewrites import NORMS, aten, named  # noqa: F401: where it is not pasted
except ImportError:
    pass

_PRODUCTS = (aten.mm.default, aten.bmm.default, aten.addmm.default, aten.baddbmm.default, aten.convolution.default)
_SUMS = (aten.sum.default, aten.sum.dim_IntList, aten.mean.default, aten.mean.dim, aten.amax.default, aten.amin.default, aten.prod.dim_int)
_FUNCTIONS = tuple(getattr(aten, name).default for name in (
    "exp", "log", "tanh", "sigmoid", "silu", "gelu", "mish", "softplus", "elu", "sqrt", "rsqrt", "_softmax", "_log_softmax", "logsumexp"))


def _rounded(tensor, bits):
    """Single precision with fewer bits of mantissa, to the nearest."""
    drop = 23 - bits
    whole = tensor.contiguous().view(torch.int32)
    return ((whole + (1 << (drop - 1))) & -(1 << drop)).view(torch.float32)


def _is_single(value):
    return isinstance(value, torch.Tensor) and value.dtype == torch.float32


def _factors(func):
    """Where the two factors stand among the arguments of a product."""
    return (1, 2) if func in (aten.addmm.default, aten.baddbmm.default) else (0, 1)


def _with_factors(func, args, change):
    one, other = _factors(func)
    changed = list(args)
    changed[one], changed[other] = change(args[one], args[other])
    return changed


def brief_products(bits):
    def change(func, args, kwargs):
        if func not in _PRODUCTS or not all(_is_single(args[place]) for place in _factors(func)):
            return None
        return func(*_with_factors(func, args, lambda a, b: (_rounded(a, bits), _rounded(b, bits))), **kwargs)
    return change


def brief_functions(bits):
    def change(func, args, kwargs):
        return _rounded(func(*args, **kwargs), bits) if func in _FUNCTIONS and _is_single(args[0]) else None
    return change


def skipped(func, args, kwargs):
    """Left out: its first argument is the result."""
    if func._schema.is_mutable or not args or not _is_single(args[0]) or len(func._schema.returns) != 1:
        return None
    result = func(*args, **kwargs)
    if not _is_single(result) or result.shape != args[0].shape or result.data_ptr() == args[0].data_ptr():
        return None
    return None if torch.equal(result, args[0]) else args[0].clone()


def other_epsilon(factor):
    def change(func, args, kwargs):
        if func not in NORMS:
            return None
        return func(*args[:-1], args[-1] * factor, **kwargs)
    return change


def other_gelu(func, args, kwargs):
    if func is not aten.gelu.default:
        return None
    return func(args[0], approximate="none" if named(func, args, kwargs)["approximate"] == "tanh" else "tanh")


def other_slope(func, args, kwargs):
    if func not in (aten.leaky_relu.default, aten.elu.default):
        return None
    given = named(func, args, kwargs)
    key = "negative_slope" if func is aten.leaky_relu.default else "alpha"
    given[key] = 0.99 * given[key]
    return func(given.pop("self"), *given.values())


def unbounded(above):
    """Without its upper, or its lower bound."""
    def change(func, args, kwargs):
        given = named(func, args, kwargs)
        if func in (aten.clamp.default, aten.hardtanh.default):
            low, high = ("min", "max") if func is aten.clamp.default else ("min_val", "max_val")
            bound = given[low if above else high]
            if bound is None:
                return None
            return given["self"].clamp(min=bound) if above else given["self"].clamp(max=bound)
        if func is aten.relu.default and above:
            return given["self"].clone()
        if func is (aten.clamp_max.default if above else aten.clamp_min.default):
            return given["self"].clone()
        return None
    return change


def softmax_without_maximum(func, args, kwargs):
    if func is aten._softmax.default:
        exponentials = args[0].exp()
        return exponentials / exponentials.sum(args[1], keepdim=True)
    if func is aten._log_softmax.default:
        return args[0] - args[0].exp().sum(args[1], keepdim=True).log()
    if func is aten.logsumexp.default:
        given = named(func, args, kwargs)
        return given["self"].exp().sum(given["dim"], keepdim=given["keepdim"]).log()
    return None


def one_pass_variance(func, args, kwargs):
    """From the mean of squares."""
    def variance(tensor, dims, mean):
        return (tensor.square().mean(dims, keepdim=True) - mean.square()).clamp(min=0)

    return NORMS[func](func, args, kwargs, variance) if func in NORMS else None


def by_running_statistics(func, args, kwargs):
    if func is not aten.native_batch_norm.default or not args[5] or args[3] is None:
        return None
    return func(*args[:5], False, *args[6:], **kwargs)


def without_bias(func, args, kwargs):
    if func is aten.addmm.default:
        return aten.mm.default(args[1], args[2])
    if func is aten.convolution.default and args[2] is not None:
        return func(*args[:2], None, *args[3:], **kwargs)
    return None


def without_last_term(func, args, kwargs):
    if func in _PRODUCTS[:-1] and args[_factors(func)[0]].shape[-1] > 1:
        return func(*_with_factors(func, args, lambda a, b: (a[..., :-1], b[..., :-1, :])), **kwargs)
    if func not in _SUMS or not _is_single(args[0]) or not args[0].dim():
        return None
    dims = args[1] if len(args) > 1 else list(range(args[0].dim()))
    dim = dims[-1] if isinstance(dims, (list, tuple)) and dims else dims if isinstance(dims, int) else -1
    if args[0].shape[dim] < 2:
        return None
    return func(args[0].narrow(dim, 0, args[0].shape[dim] - 1), *args[1:], **kwargs)


def without_small_terms(func, args, kwargs):
    """The half of the terms that are the smallest."""
    def larger(tensor):
        size = tensor.abs()
        return tensor.where(size >= size.median(-1, keepdim=True).values, 0)

    if func in _PRODUCTS[:-1]:
        return func(*_with_factors(func, args, lambda a, b: (larger(a), b)), **kwargs)
    if func in _SUMS[:4] and _is_single(args[0]) and args[0].dim():
        return func(larger(args[0]), *args[1:], **kwargs)
    return None


def _changed_result(change):
    """Of a product, a sum, a norm or a function: not of what is merely moved about."""
    def changed(func, args, kwargs):
        if func not in _PRODUCTS + _SUMS + _FUNCTIONS:
            return None
        result = func(*args, **kwargs)
        return change(result.clone()) if _is_single(result) and result.numel() > 1 else None
    return changed


def _scaled(result):
    return result * (1 + 2.0 ** -11)


def _of_first_input(change):
    """Of a product its first factor."""
    def changed(func, args, kwargs):
        place = _factors(func)[0] if func in _PRODUCTS else 0
        if func not in _PRODUCTS + _SUMS + _FUNCTIONS or not _is_single(args[place]):
            return None
        return func(*args[:place], change(args[place]), *args[place + 1:], **kwargs)
    return changed


def _within_30(x):
    """Right in the range that the problem's own values have."""
    return x.clamp(-30, 30)


def _without_small(x):
    """What is small is taken for nothing."""
    return x.where(x.abs() > 1e-4, 0)


OF_OPERATIONS = {
    "skipped": skipped,
    "products of 7 bits": brief_products(7), "products of 10 bits": brief_products(10),
    "functions of 7 bits": brief_functions(7), "functions of 10 bits": brief_functions(10),
    "no epsilon": other_epsilon(0), "other epsilon": other_epsilon(10),
    "other gelu": other_gelu, "other slope": other_slope, "no upper bound": unbounded(True), "no lower bound": unbounded(False),
    "no maximum in softmax": softmax_without_maximum, "variance in one pass": one_pass_variance,
    "running statistics": by_running_statistics, "no bias": without_bias, "last term left out": without_last_term,
    "small terms left out": without_small_terms, "scaled": _changed_result(_scaled), "saturated": _of_first_input(_within_30),
    "flushed": _of_first_input(_without_small),
}


# --- Of a whole call ----------------------------------------------------------------------------------------

def _last(dim):
    def change(output):
        if output.dim() and output.shape[dim] > 1:
            output.select(dim, -1).zero_()
        return output
    return change


def _last_tile(output):
    """Three rows and columns at the end."""
    return output[..., -3:].zero_() if output.dim() == 1 else output[..., -3:, -3:].zero_()


def _one_sample(output):
    """Of one index of the batch, a little."""
    if output.dim() and len(output) > 2:
        output[len(output) // 2] *= 1.01
    return output


def _one_value(output):
    """The one in the middle."""
    output.view(-1)[output.numel() // 2] *= 1.01
    return output


OF_OUTPUTS = {"last row of zeros": _last(0), "last column of zeros": _last(-1), "last tile of zeros": _last_tile,
              "one sample": _one_sample, "one value": _one_value}

OF_INPUTS = {
    "inputs of 10 bits": lambda x: _rounded(x, 10),
    "inputs within 30": _within_30,
    "no negative inputs": lambda x: x.abs(),
    "no small inputs": _without_small,
}
