"""Tensors on the device that candidates run on, and memory of a GPU that processes share.

The driver is called by ctypes: PyTorch offers no way to map memory that another process, KForge, has made.
"""

import contextlib
import ctypes
import functools
import random
import sys

import torch

from . import tensors

_DRIVER = "libcuda.so.1"
_FILE_DESCRIPTOR, _ON_DEVICE, _READ_WRITE, _BUFFER_ID = 1, 1, 3, 7  # cuda.h


_WARM_CALLS = 3
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _MOST_KEPT = -1, -3, 1 << 30  # malloc.h


class DeviceError(Exception):
    pass


class _Access(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("id", ctypes.c_int), ("flags", ctypes.c_int)]


class _IpcHandle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 64)]


@functools.cache
def _driver():
    return ctypes.CDLL(_DRIVER)


def _check(status, doing):
    if status:
        name = ctypes.c_char_p()
        _driver().cuGetErrorName(status, ctypes.byref(name))
        raise DeviceError(f"{doing}: {(name.value or b'error').decode()} ({status})")


class _Bytes:
    """Memory at an address, in the form that torch.as_tensor takes over without a copy."""

    def __init__(self, address, size):
        self.__cuda_array_interface__ = {"shape": (size,), "typestr": "|u1", "data": (address, False), "version": 2}


class DeviceBuffer(tensors.Buffer):
    """Memory of the GPU that KForge has made; other processes map the same descriptor."""

    def __init__(self, fd, size):
        open_gpu("cuda")
        self.size = size
        driver, handle, address = _driver(), ctypes.c_ulonglong(), ctypes.c_ulonglong()
        _check(driver.cuMemImportFromShareableHandle(ctypes.byref(handle), ctypes.c_void_p(fd), _FILE_DESCRIPTOR),
               "importing shared memory")
        _check(driver.cuMemAddressReserve(ctypes.byref(address), ctypes.c_size_t(size), ctypes.c_size_t(0),
                                          ctypes.c_ulonglong(0), ctypes.c_ulonglong(0)), "reserving addresses")
        _check(driver.cuMemMap(address, ctypes.c_size_t(size), ctypes.c_size_t(0), handle, ctypes.c_ulonglong(0)),
               "mapping shared memory")
        access = _Access(_ON_DEVICE, torch.cuda.current_device(), _READ_WRITE)
        _check(driver.cuMemSetAccess(address, ctypes.c_size_t(size), ctypes.byref(access), ctypes.c_size_t(1)),
               "using shared memory")
        self.bytes = torch.as_tensor(_Bytes(address.value, size), device="cuda")

    def flat(self, dtype, offset, nbytes):
        return self.bytes[offset:offset + nbytes].view(dtype)


class HostBuffer(tensors.Buffer):
    """Memory of the host, for a device of which none is shared: what is read from it is a copy on the device."""

    def __init__(self, fd, size, device):
        super().__init__(fd, size)
        self.device = device

    def tensor(self, dtype, shape, stride, offset, nbytes):
        return super().tensor(dtype, shape, stride, offset, nbytes).to(self.device)  # where it has no elements

    def flat(self, dtype, offset, nbytes):
        return super().flat(dtype, offset, nbytes).to(self.device, copy=True)

    def fetch(self, spec):
        """What the spec describes, seen to be on the device."""
        tree = tensors.load(spec, self)
        synchronize(self.device)
        return tree

    def holds(self, spec, tree):
        """Whether the tensors are as they were fetched."""
        return tensors.find_difference(tree, tensors.load(spec, self)) is None


def open_gpu(device):
    """Makes this process's context, and the current one."""
    torch.cuda.init()
    torch.cuda.current_stream()
    torch.empty(1, device=device)


def default(device):
    """What is made within lies on this device."""
    return contextlib.nullcontext() if device == "cpu" else torch.device(device)


def seed_torch(number, device):
    """torch.manual_seed, but for the kinds of devices that are not in use: for each of these it writes down where it was called."""
    torch.default_generator.manual_seed(number)
    if device != "cpu":
        module = getattr(torch, device)
        getattr(module, "manual_seed_all", module.manual_seed)(number)


def seed(number, device):
    """For every source of random numbers that a problem may use. A process that was forked has those of its parent: without
    this a player could know what the referee draws."""
    seed_torch(number, device)
    random.seed(number)
    if "numpy.random" in sys.modules:  # whoever loads it later begins with numbers that nobody knows
        sys.modules["numpy.random"].seed(number & 0xFFFFFFFF)


def keep_memory():
    """What this process gives back it soon asks for again: new pages take several times as long as what is done with them."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc's
    for option in (_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD) if mallopt else ():
        mallopt(option, _MOST_KEPT)


class Stopwatch:
    """What a call takes on the GPU itself, by its own events: told beside the time that counts, which is KForge's. Of a
    device that is reached by the host it is not told."""

    def __init__(self, device, by_host):
        self.device = device
        self.by_host = by_host
        self.events = None

    def start(self):
        if self.by_host:
            return
        if self.events is None:
            self.events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
        self.events[0].record()

    def stop(self):
        """Waits for the work of the call as well."""
        if self.by_host:
            synchronize(self.device)
            return 0.0
        self.events[1].record()
        torch.cuda.synchronize()
        return self.events[0].elapsed_time(self.events[1])


class Decoy:
    """Inputs of an earlier call, to run on before a timed one: a GPU that has worked for other processes, and a
    process that stood still, take several times as long for their first call."""

    def __init__(self, device):
        self.device = device
        self.inputs = None

    def remember(self, inputs):
        if self.inputs is None:
            self.inputs = tensors.map_tensors(inputs, torch.clone)

    def run(self, function, fallback):
        for _ in range(_WARM_CALLS):
            function(*(fallback if self.inputs is None else self.inputs))
            synchronize(self.device)


def buffer(device, fd, size, by_host=False):
    """Shared memory, for inputs and weights that are used on the device."""
    if by_host:
        return HostBuffer(fd, size, device)
    return tensors.Buffer(fd, size) if device == "cpu" else DeviceBuffer(fd, size)


def synchronize(device):
    if device != "cpu":
        getattr(torch, device).synchronize()


def give_back(device):
    """Memory that is not in use goes back to the device, for others."""
    if device != "cpu":
        getattr(torch, device).empty_cache()


class Places:
    """Where outputs lie, so that they can be read from outside: on a GPU by the handle of the memory they are in."""

    def __init__(self, device, by_host):
        self.has_handles = device != "cpu" and not by_host
        self.handles = {}
        self.copies = []

    def __call__(self, output):
        places = tensors.places(output)
        if self.has_handles:
            self.copies = []
            for index, item in enumerate(tensors.items_of(output)):
                where = self._where(item)
                if where is None:  # memory that cannot be shared as it is: what is read is a copy, made in the call
                    self.copies.append(item.contiguous().clone())
                    torch.cuda.synchronize()
                    places[index] = tensors.places(self.copies[-1])[0]
                    where = self._where(self.copies[-1]) or ("", 0)
                places[index].extend(where)
        return places

    def _where(self, tensor):
        address = tensor.data_ptr()
        if address == 0:
            return "", 0
        base, size = ctypes.c_ulonglong(), ctypes.c_size_t()
        driver = _driver()
        if driver.cuMemGetAddressRange_v2(ctypes.byref(base), ctypes.byref(size), ctypes.c_ulonglong(address)):
            return None
        identity = ctypes.c_ulonglong()  # of the allocation: another one may come to lie at the same address
        if driver.cuPointerGetAttribute(ctypes.byref(identity), _BUFFER_ID, base):
            return None
        handle = self.handles.get(identity.value)
        if handle is None:
            raw = _IpcHandle()
            if driver.cuIpcGetMemHandle(ctypes.byref(raw), base):
                return None
            handle = self.handles[identity.value] = bytes(raw.bytes).hex()
        return handle, address - base.value
