"""A check without the device: every Triton kernel that a candidate launches is compiled for each target, with the
arguments of that launch, and not run. A target is backend:architecture:lanes of a warp."""

import os
import re
import subprocess
import tempfile

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.runtime import autotuner, driver, jit

from kforge_arena.offline import CompilationError

_lines, _seen = [], set()
# Bytes of shared memory that one block may have, by architecture: a launch asks for it, compiling does not.
_SHARED = {80: 166912, 86: 101376, 89: 101376, 90: 232448, 100: 232448, 103: 232448, 120: 101376,
           "gfx90a": 65536, "gfx942": 65536, "gfx950": 163840}
_fits = {}  # by kernel: whether one of its variants can be launched on one of the targets


class _Driver:
    """As much of a driver as compiling asks for."""

    def __init__(self, targets):
        self.targets = targets
        self.index = 0

    def get_current_target(self):
        return self.targets[self.index]

    def get_current_device(self):
        return self.index  # kernels are kept by device, so each target is one

    def get_current_stream(self, device=None):
        return 0

    def set_current_device(self, device):
        pass

    def get_active_torch_device(self):
        return torch.device("cpu")

    def get_device_interface(self):
        return torch.cpu

    def is_active(self):
        return True


def _target(text):
    backend, arch, lanes = text.split(":")
    return GPUTarget(backend, int(arch) if arch.isdigit() else arch, int(lanes))


def _registers(kernel):
    if "amdgcn" in kernel.asm:
        found = re.findall(r"\.(vgpr_count|vgpr_spill_count):\s+(\d+)", kernel.asm["amdgcn"])
        return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in found)
    arch = re.search(r"\.target (sm_\w+)", kernel.asm["ptx"]).group(1)
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(kernel.asm["ptx"])
        file.flush()
        for tool in ("ptxas", "ptxas_blackwell"):  # of different versions, each for some of the architectures
            ptxas = getattr(triton.knobs.nvidia, tool, None)
            command = [ptxas.path if ptxas else "ptxas", "-v", f"--gpu-name={arch}", file.name, "-o", os.devnull]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode == 0:
                found = re.findall(r"Used (\d+ registers)|(\d+ bytes spill stores)", done.stderr)
                return ", ".join(sorted((a or b for a, b in found), reverse=True))
    return ""


def _note(name, kernel, target):
    key = (name, str(target), kernel.hash)
    if key in _seen:
        return
    _seen.add(key)
    try:
        facts = _registers(kernel)
    except (OSError, AttributeError, KeyError):
        facts = ""  # this version of Triton keeps ptxas elsewhere
    shared, limit = kernel.metadata.shared, _SHARED.get(target.arch)
    too_much = limit is not None and shared > limit
    _fits[name] = _fits.get(name, False) or not too_much
    room = f", out of resource: there are {limit}" if too_much else ""
    binary = [kind for kind in ("cubin", "hsaco", "spv") if kind in kernel.asm]
    _lines.append(f"{name} for {target.backend} {target.arch}: "
                  + ", ".join([*binary, *([facts] if facts else []), f"{shared} bytes of shared memory{room}"]))


def prepare(settings):
    own = _Driver([_target(text) for text in settings["targets"]])
    driver.set_active(own)
    run = jit.JITFunction.run

    def compile_only(self, *args, grid, warmup, **kwargs):
        for own.index, target in enumerate(own.targets):
            kernel = run(self, *args, grid=grid, warmup=True, **kwargs)
            if kernel is not None:
                _note(self.fn.__name__, kernel, target)
        own.index = 0
        return kernel

    jit.JITFunction.run = compile_only
    # Autotuning would measure: every configuration is compiled instead.
    autotuner.Autotuner.run = lambda self, *args, warmup, **kwargs: self.warmup(*args, **kwargs)


def report():
    for name, fits in _fits.items():
        if not fits:
            raise CompilationError(f"{name} cannot be launched on any of the targets:\n" + "\n".join(_lines))
    return _lines or ["it launched no Triton kernel"]


def tally():
    return len(_fits), len(_fits)
