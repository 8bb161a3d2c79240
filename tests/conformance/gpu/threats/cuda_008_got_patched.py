# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# options: --call-limit-s 3 --time-limit-s 40
# As before, by the table through which PyTorch's libraries find the functions that wait.
import ctypes
import struct

import torch
import torch.nn as nn

NAMES = (b"cudaDeviceSynchronize", b"cudaStreamSynchronize", b"cudaEventSynchronize")
KEPT = []


def libraries():
    """(base, path) of each that is loaded, in order of its lowest address."""
    seen = {}
    with open("/proc/self/maps") as file:
        for line in file:
            parts = line.split()
            if len(parts) == 6 and ("libtorch" in parts[5] or "libc10" in parts[5]):
                seen.setdefault(parts[5], int(parts[0].split("-")[0], 16))
    return [(base, path) for path, base in seen.items()]


def patch(base, path, replacement):
    """Walks .rela.plt and .rela.dyn of an ELF file."""
    with open(path, "rb") as file:
        data = file.read(64)
        start, size, count = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HH", data, 58)
        file.seek(start)
        sections = [struct.unpack("<IIQQQQIIQQ", file.read(size)) for _ in range(count)]
        for section in sections:
            if section[1] != 4:  # SHT_RELA
                continue
            symbols = sections[section[6]]
            if symbols[1] != 11:  # SHT_DYNSYM
                continue
            file.seek(sections[symbols[6]][4])
            names = file.read(sections[symbols[6]][5])
            file.seek(symbols[4])
            table = file.read(symbols[5])
            file.seek(section[4])
            entries = file.read(section[5])
            wanted = {i for i in range(len(table) // 24)
                      if names[struct.unpack_from("<I", table, i * 24)[0]:].split(b"\0", 1)[0] in NAMES} if any(
                          name in names for name in NAMES) else set()
            for at in range(0, len(entries), 24):
                offset, info, _ = struct.unpack_from("<QQq", entries, at)
                if info >> 32 in wanted:
                    address = base + offset
                    ctypes.CDLL(None).mprotect(ctypes.c_void_p(address & ~4095), ctypes.c_size_t(8192), 3)
                    ctypes.c_uint64.from_address(address).value = replacement


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        if not torch.cuda.is_available():
            return work(x)
        self.calls += 1
        if self.calls == 1 and not KEPT:
            KEPT.append(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda stream: 0))
            for base, path in libraries():
                patch(base, path, ctypes.cast(KEPT[0], ctypes.c_void_p).value)
        y, side = torch.empty_like(x), torch.cuda.Stream()
        with torch.cuda.stream(side):
            y.copy_(work(x))
        return y
