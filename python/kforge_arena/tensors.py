"""Trees of tensors as raw bytes in shared memory, described by JSON.

A spec mirrors a tree: {"t": [dtype, shape, stride, offset, bytes]} is a tensor in the buffer,
{"l": [...]} a list, {"u": [...]} a tuple, {"d": {...}} a dictionary, {"v": x} anything JSON holds,
{"f": "inf"} a number that JSON does not.
"""

import ctypes
import fcntl
import math
import mmap
import os

import torch

ALIGNMENT = 64
_F_ADD_SEALS = 1033
_SEALS = 0x0001 | 0x0002 | 0x0004  # SEAL, SHRINK, GROW: nobody can pull pages from under another process

DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float64, torch.float32, torch.float16, torch.bfloat16,
        torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool,
        torch.complex64, torch.complex128,
    )
}
_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_BITS = {2: torch.int16, 4: torch.int32, 8: torch.int64}

_memcmp = ctypes.CDLL(None).memcmp
_memcmp.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


class UnsupportedValue(Exception):
    pass


def dtype_name(dtype):
    return _NAMES.get(dtype, str(dtype).removeprefix("torch."))


class Buffer:
    """A memory file mapped into this process; other processes map the same descriptor."""

    def __init__(self, fd, size):
        self.fd = fd
        self.size = size
        self.map = mmap.mmap(fd, size)

    @classmethod
    def create(cls, name, size):
        size = max(mmap.PAGESIZE, -(-size // mmap.PAGESIZE) * mmap.PAGESIZE)
        fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(fd, size)
        fcntl.fcntl(fd, _F_ADD_SEALS, _SEALS)
        return cls(fd, size)

    def tensor(self, dtype, shape, stride, offset, nbytes):
        if nbytes == 0:
            return torch.empty(shape, dtype=dtype)
        if offset < 0 or nbytes < 0 or offset + nbytes > self.size:
            raise UnsupportedValue("a tensor lies outside its buffer")
        return self.flat(dtype, offset, nbytes).as_strided(shape, stride)

    def flat(self, dtype, offset, nbytes):
        return torch.frombuffer(self.map, dtype=dtype, count=nbytes // dtype.itemsize, offset=offset)


def dense_strides(shape):
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= max(size, 1)
    return strides


def span_bytes(tensor, stride):
    """Bytes of storage it would cover with other strides."""
    return tensor.dtype.itemsize * (1 + sum((size - 1) * step for size, step in zip(tensor.shape, stride)) if tensor.numel() else 0)


def collapsed(tensor):
    """Each element once, of one that is expanded."""
    for dim, (size, stride) in enumerate(zip(tensor.shape, tensor.stride())):
        if stride == 0 and size > 1:
            tensor = tensor.narrow(dim, 0, 1)
    return tensor


def dense(tensor):
    """With memory for each element."""
    return tensor if tensor.layout != torch.strided or collapsed(tensor) is tensor else tensor.contiguous()


def aligned(offset):
    return -(-offset // ALIGNMENT) * ALIGNMENT


def layout(tree, offset=0, known=None):
    """The spec of a tree and the buffer size it needs. Expanded tensors stay so, and what stands in several places is one tensor; others
    that overlap (unfolded) become contiguous."""
    known = {} if known is None else known  # by where it lies: its spec
    if isinstance(tree, torch.Tensor):
        if tree.is_nested:  # it says that it is strided, but has neither one shape nor strides
            raise UnsupportedValue("nested tensors are not supported: pad them, or give the values and where each part begins")
        if tree.dtype not in _NAMES:
            raise UnsupportedValue(f"tensors of dtype {tree.dtype} are not supported")
        if tree.layout != torch.strided:
            raise UnsupportedValue(f"tensors of layout {tree.layout} are not supported")
        key = (tree.data_ptr(), tree.dtype, tree.shape, tree.stride()) if _has_storage(tree) else None
        if key in known:
            return {"t": known[key]}, offset
        stride = list(tree.stride())
        if span_bytes(tree, stride) < collapsed(tree).nbytes:
            stride = dense_strides(tree.shape)
        nbytes = span_bytes(tree, stride)
        offset = aligned(offset)
        spec = [_NAMES[tree.dtype], list(tree.shape), stride, offset, nbytes]
        if key is not None:
            known[key] = spec
        return {"t": spec}, offset + nbytes
    if isinstance(tree, (list, tuple)):
        items = []
        for item in tree:
            spec, offset = layout(item, offset, known)
            items.append(spec)
        return {"l" if isinstance(tree, list) else "u": items}, offset
    if isinstance(tree, dict):
        items = {}
        for key, item in tree.items():
            if not isinstance(key, str):
                raise UnsupportedValue("dictionaries must have text keys")
            items[key], offset = layout(item, offset, known)
        return {"d": items}, offset
    if isinstance(tree, float) and not math.isfinite(tree):
        return {"f": repr(tree)}, offset
    if tree is None or isinstance(tree, (bool, int, float, str)):
        return {"v": tree}, offset
    raise UnsupportedValue(f"values of type {type(tree).__name__} are not supported")


def store(tree, spec, buffer):
    for (dtype, shape, stride, offset, nbytes), tensor in zip(tensor_specs(spec), tensors_of(tree), strict=True):
        if nbytes:
            to = buffer.tensor(DTYPES[dtype], shape, stride, offset, nbytes)
            collapsed(to).copy_(collapsed(tensor) if tensor.stride() == to.stride() else tensor)


def load(spec, buffer, known=None):
    """The tree that a spec describes; its tensors are views of the buffer."""
    known = {} if known is None else known  # by their specs
    (kind, body), = spec.items()
    if kind == "t":
        dtype, shape, stride, offset, nbytes = body
        key = (dtype, *shape, None, *stride, offset, nbytes)
        if key not in known:
            known[key] = buffer.tensor(DTYPES[dtype], shape, stride, offset, nbytes)
        return known[key]
    if kind in "lu":
        items = [load(item, buffer, known) for item in body]
        return items if kind == "l" else tuple(items)
    if kind == "d":
        return {key: load(item, buffer, known) for key, item in body.items()}
    return float(body) if kind == "f" else body


def make(spec, device):
    """A tree of the same form whose values mean nothing: numbers between 0 and 1, integers that are 0."""
    if "t" in spec:
        dtype, shape, stride, _, _ = spec["t"]
        tensor = torch.empty_strided(shape, stride, dtype=DTYPES[dtype], device=device)
        elements = collapsed(tensor)
        elements.uniform_() if tensor.is_floating_point() else elements.zero_()
        return tensor
    (kind, body), = spec.items()
    if kind in "lu":
        items = [make(item, device) for item in body]
        return items if kind == "l" else tuple(items)
    return {key: make(item, device) for key, item in body.items()} if kind == "d" else load(spec, None)


def tensor_specs(spec):
    (kind, body), = spec.items()
    if kind == "t":
        yield body
    elif kind in "lu":
        for item in body:
            yield from tensor_specs(item)
    elif kind == "d":
        for item in body.values():
            yield from tensor_specs(item)


def describe(name, spec):
    dtype, shape, stride = spec[:3]
    is_dense = all(a == b for a, b, size in zip(stride, dense_strides(shape), shape) if size > 1)
    return f"{name}: {dtype} {shape}" + ("" if is_dense else f", strides {stride}")


def is_plain(tensor):
    """Whether its bytes lie one after the other in the memory of this process."""
    return tensor.device.type == "cpu" and tensor.is_contiguous() and not _is_lazy(tensor)


def same_bytes(one, other):
    if one.nbytes == other.nbytes and all(map(is_plain, (one, other))):
        return _memcmp(one.data_ptr(), other.data_ptr(), one.nbytes) == 0  # several times as fast as the operator
    bits = _BITS.get(one.dtype.itemsize, torch.uint8)  # wide integers compare several times faster than bytes
    return torch.equal(*(t.contiguous().reshape(-1).view(bits) for t in (one, other)))


def find_difference(tree, other):
    """Which tensor of a tree differs from that of another one of the same form; None where none does."""
    pairs = enumerate(zip(tensors_of(tree), tensors_of(other)))
    return next((index for index, (a, b) in pairs if not (same_bytes(collapsed(a), collapsed(b)) if a.stride() == b.stride() else same_bytes(a, b))), None)


def tensors_of(tree):
    if isinstance(tree, torch.Tensor):
        yield tree
    elif isinstance(tree, (list, tuple)):
        for item in tree:
            yield from tensors_of(item)
    elif isinstance(tree, dict):
        for item in tree.values():
            yield from tensors_of(item)


def _has_storage(tensor):
    return tensor.layout == torch.strided and tensor.numel() > 0


def place(tensor):
    """The memory that a tensor lies in, which all views of it share; None where it has none, as what stands for many inside of `vmap`."""
    try:
        return tensor.untyped_storage().data_ptr() if _has_storage(tensor) else None
    except (RuntimeError, NotImplementedError):
        return None


def given_back(outputs, *held):
    """Which outputs lie in the memory of what there was before the call: a reference may pass on an input, or what it keeps itself."""
    storages = {*map(place, tensors_of(held))} - {None}
    return [index for index, tensor in enumerate(outputs) if place(tensor) in storages]


def sharing(outputs):
    """Pairs of outputs that lie in one piece of memory."""
    places = [place(tensor) for tensor in outputs]
    return [[one, other] for other in range(len(places)) for one in range(other) if places[one] == places[other] is not None]


def apart(tensor):
    """A copy with the same strides, in memory of its own."""
    if _is_lazy(tensor):
        return tensor.clone()
    storage = tensor.untyped_storage().clone()
    return tensor.new_empty(0).set_(storage, tensor.storage_offset(), tensor.shape, tensor.stride())


def map_tensors(tree, function):
    if isinstance(tree, torch.Tensor):
        return function(tree)
    if isinstance(tree, (list, tuple)):
        items = [map_tensors(item, function) for item in tree]
        return items if isinstance(tree, list) else tuple(items)
    if isinstance(tree, dict):
        return {key: map_tensors(item, function) for key, item in tree.items()}
    return tree


def with_values(tree, values):
    """A tree with others in place of its tensors, in their order."""
    others = iter(values)
    return map_tensors(tree, lambda _: next(others))


def is_inexact(tensor):
    return tensor.dtype.is_floating_point or tensor.is_complex()


def real(tensor):
    """A complex one as pairs of numbers, in the same memory; others as they are."""
    return torch.view_as_real(tensor) if tensor.is_complex() else tensor


def widened(tensor):
    """In double precision, where it has one."""
    if tensor.is_complex():
        return tensor.to(torch.complex128).resolve_conj()
    return tensor.double() if tensor.dtype.is_floating_point else tensor


def narrowed(tensor):
    """In single precision, where it is in double."""
    return tensor.to({torch.float64: torch.float32, torch.complex128: torch.complex64}.get(tensor.dtype, tensor.dtype))


def _is_lazy(tensor):
    return isinstance(tensor, torch.Tensor) and (tensor.is_neg() or tensor.is_conj())


def items_of(output):
    """What forward() has returned, one or more, as a sequence."""
    return output if isinstance(output, (list, tuple)) else (output,)


def resolved(output):
    """Outputs whose memory holds their values: of a conjugate PyTorch at first only notes that it is one."""
    items = items_of(output)
    for item in items:
        if _is_lazy(item):
            return [i.resolve_conj().resolve_neg() if _is_lazy(i) else i for i in items]
    return output


def places(output):
    """Where the outputs of a call lie in this process: [dtype, shape, stride, address] each."""
    return [[dtype_name(t.dtype), list(t.shape), list(t.stride()), t.data_ptr()] for t in items_of(output)]
