"""The baseline: trusted, in its own clean process; times nothing itself, runs what it is told when it is told."""

import contextlib
import copy
import gc
import importlib
import os
import shlex
import subprocess

import torch

from . import device as devices, memory, problem as problems, tensors
from .buffers import Buffers


# As CUDA, Triton and cuBLAS say it, whatever the compiler wraps it in.
_NO_MEMORY = ("out of memory", "ALLOC_FAILED")


@contextlib.contextmanager
def _few_collections():
    """To look for garbage takes a compiler a tenth of its time, as most of what it makes stays: that is left alone afterwards."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.freeze()


def compiler_knows(isa, _code):
    """What a processor says that it can do is believed, as far as the compiler has heard of it: PyTorch builds and loads a library for
    each of its extensions instead, a second."""
    builder = importlib.import_module("torch._inductor.cpp_builder")
    command = [*shlex.split(builder.get_cpp_compiler()), *isa.build_arch_flags().split(), "-fsyntax-only", "-x", "c++", os.devnull]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def why_it_failed(error):
    """A compiler's command can be longer than all that matters: what it says is in its lines with `error`."""
    first, *others = f"{type(error).__name__}: {error}".splitlines()
    said = [line.strip() for line in others if "error:" in line]
    return "\n".join([first, *said] if said else [first, *others])[:500]


class HalfModel(torch.nn.Module):
    """The reference with what the policy `mixed` allows: weights cast beforehand, inputs and outputs at the edges."""

    def __init__(self, model):
        super().__init__()
        self.model = copy.deepcopy(model).half()

    def forward(self, *inputs):
        halved = [t.half() if isinstance(t, torch.Tensor) and t.dtype == torch.float32 else t for t in inputs]
        output = self.model(*halved)
        if isinstance(output, torch.Tensor):
            return output.float() if output.dtype == torch.float16 else output
        return tuple(o.float() if o.dtype == torch.float16 else o for o in output)


class Baseline:
    def __init__(self):
        self.sides = {"nothing": lambda *inputs: inputs[:0]}  # on a GPU a kernel that does next to nothing
        self.models = {}  # of the sides, as they were before they were compiled
        self.buffers = {}
        self.side = None
        self.output = None
        self.previous = None

    def op_begin(self, request):
        """Loads the compiler, while the problem is being read elsewhere."""
        if "compile" in request["sides"]:
            with _few_collections(), contextlib.suppress(Exception):  # told where the compiler is needed
                importlib.import_module("torch._inductor.compile_fx")
                importlib.import_module("torch._inductor.cpu_vec_isa").VecISA.check_build = compiler_knows
                self._do_without_headers()
        return {}

    @staticmethod
    def _do_without_headers():
        """Where no headers were precompiled yet, to do so takes as long as ten kernels do without."""
        headers = importlib.import_module("torch._inductor.codecache")._HEADER_DIR
        if not os.path.isdir(headers):
            importlib.import_module("torch._inductor.config").cpp_cache_precompile_headers = False

    def op_load(self, request, fds):
        torch.set_num_threads(request["threads"])
        torch.set_grad_enabled(False)
        self.device = request["device"]
        memory.limit_addresses(self.device)
        self.by_host = request["by_host"]
        self.in_two_steps = self.by_host or self.device != "cpu"
        self.buffer = devices.buffer(self.device, fds[0], request["size"], self.by_host)
        self.weights = devices.buffer(self.device, fds[1], request["weights_size"], self.by_host)
        self.places = devices.Places(self.device, self.by_host)
        self.decoy = devices.Decoy(self.device)
        self.stopwatch = devices.Stopwatch(self.device, self.by_host)
        problem = problems.Problem(request["path"], request["name"], request["mode"], self.device, init_seed=request["init_seed"])
        self.model = problem.make_model(0)  # any weights: they are given others before anything is timed
        self.spec = request["spec"]
        # Until the first bind others make what they need of the shared memory.
        given = devices.buffer(self.device, fds[2], request["size"], self.by_host) if len(fds) > 2 else self.buffer
        self.bound = tensors.load(self.spec, given)
        if self.device != "cpu":
            word = torch.zeros(1, device=self.device)
            self.sides["nothing"] = lambda *inputs: word.zero_()
        return {}

    def op_prepare(self, request):
        """Makes one side ready on the bound inputs; a side that cannot be made is left out with its reason."""
        name = request["name"]
        model = self.models[name] = HalfModel(self.model) if name.startswith("half_") else copy.deepcopy(self.model)
        if name.endswith("compile"):
            torch._dynamo.reset()
            model = torch.compile(model)
        before = Buffers(model)
        try:
            with _few_collections():
                outputs = list(tensors.tensors_of(model(*self.bound)))
                gc.collect()  # memory of a device, for one
            devices.synchronize(self.device)
        except Exception as error:  # any failure of the compiler means: no such baseline here
            return {"ready": False, "why": why_it_failed(error),
                    "out_of_memory": isinstance(error, torch.OutOfMemoryError) or any(word in str(error) for word in _NO_MEMORY)}
        kept = [*self.models[name].parameters(), *self.models[name].buffers()]
        if not set(tensors.given_back(outputs, kept)) <= set(request.get("given_back", ())):
            return {"ready": False, "why": "it returns what it keeps itself, where the reference returns a copy"}
        self.sides[name] = model
        self.buffers[name] = Buffers(model, before.restore())
        return {"ready": True}

    def op_weights(self, request):
        """All sides get the weights that the candidate has: where time depends on them, it is that of the same work."""
        given = tensors.load(request["spec"], self.weights)["state"]
        for name, model in self.models.items():
            own = (model.model if isinstance(model, HalfModel) else model).state_dict()
            for key, value in own.items():
                if isinstance(value, torch.Tensor) and key in given and value.shape == given[key].shape:  # else a call has made it
                    value.copy_(given[key])
            if name in self.buffers:
                self.buffers[name] = Buffers(self.sides[name], {full for full, *_ in self.buffers[name].saved})
        devices.synchronize(self.device)
        places = {name: buffers.addresses() for name, buffers in self.buffers.items() if buffers.saved}
        places = {name: {full.removeprefix("_orig_mod."): place for full, place in of_side.items()} for name, of_side in places.items()}
        return {"places": {name: of_side for name, of_side in places.items() if len(of_side) == len(self.buffers[name].saved)}}

    def op_bind(self, request):
        self.spec = request["spec"]
        self.bound = tensors.load(self.spec, self.buffer)
        return {}

    def op_go(self, request):
        # The same as in a player, step by step: what is timed on one side is timed on the other.
        start, self.side = request, request["side"]
        if self.in_two_steps:
            self.decoy.run(self.sides[request["side"]], self.bound)
            self._restore()
            if self.by_host:
                self.bound = self.buffer.fetch(request.get("spec", self.spec))
            start = self.channel.await_start()
            self.stopwatch.start()
        inputs = tensors.load(start["spec"], self.buffer) if "spec" in start else self.bound
        self.output = tensors.resolved(self.sides[request["side"]](*inputs))
        reply = {"outputs": self.places(self.output)}
        if self.in_two_steps:
            reply["device_ms"] = self.stopwatch.stop()
        return reply

    def op_drop(self, request):
        """Apart from the call, so that giving memory back is not timed. The last output stays alive one call more."""
        self.previous, self.output = self.output, None
        if request.get("written_from_outside"):
            self.buffers[self.side].put_in_place()
        else:
            self._restore()
        if self.in_two_steps:
            self.decoy.remember(self.bound)
        return {}

    def _restore(self):
        if self.side in self.buffers:
            self.buffers[self.side].restore()
