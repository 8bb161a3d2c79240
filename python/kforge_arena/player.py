"""The player: untrusted. One process per candidate, forked from the zygote; loads the candidate and runs it on
the inputs it is shown. What it says is never believed: outputs are compared and time is taken elsewhere."""

import importlib.util
import linecache
import os
import sys
import traceback

import torch

from . import device as devices, tensors
from .buffers import Buffers


class LoadFailure(Exception):
    def __init__(self, stage, message, kinds=()):
        super().__init__(message)
        self.stage = stage
        self.kinds = list(kinds)


def kinds_of(error):
    """Type names along the chain of causes, outermost first."""
    names, seen = [], set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        names.extend(t.__name__ for t in type(error).__mro__[:-2])
        error = error.__cause__ or error.__context__
    return names


def _failure(stage, error):
    return LoadFailure(stage, "".join(traceback.format_exception(error))[-64000:], kinds_of(error))


_KEPT_BYTES = 64 << 20  # of weights, of which there are two then


class Player:
    def __init__(self, config, report):
        self.config = config
        self.report = report
        self.bound = None
        self.output = None
        self.previous = None
        self.kept = []
        self.state = {}
        self.places, self.instances = {}, 0
        self.first = None
        self.device = config["device"]
        self.by_host = config["by_host"]
        self.in_two_steps = self.by_host or self.device != "cpu"
        self.output_places = devices.Places(self.device, self.by_host)
        self.decoy = devices.Decoy(self.device)
        self.stopwatch = devices.Stopwatch(self.device, self.by_host)

    def op_greet(self, request):
        # Memory to try, before there is a candidate, whether we can be read from outside.
        self.probe = torch.zeros(8)
        return {"jail": self.report, "probe": self.probe.data_ptr()}

    def op_attach(self, request, fds):
        shared = list(zip(fds, request["sizes"], strict=True))
        self.inputs, self.weights = (devices.buffer(self.device, *one, self.by_host) for one in shared[:2])
        self.outputs = tensors.Buffer(*shared[2]) if len(shared) > 2 else None  # only where we cannot be read from outside
        return {}

    def op_open_device(self, request):
        """Takes long, and longer beside others: KForge says when. What goes wrong here goes wrong again when it counts."""
        try:
            devices.open_gpu(self.device)
        except Exception:
            pass
        return {}

    def op_load(self, request):
        """Imports the candidate; the reply names the class that was found."""
        path = os.path.join(os.getcwd(), "candidate.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(request["source"])
        sys.path.insert(0, os.getcwd())
        linecache.checkcache(path)
        try:
            compile(request["source"], "candidate.py", "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise LoadFailure("syntax", "".join(traceback.format_exception_only(error)))
        spec = importlib.util.spec_from_file_location("candidate", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules["candidate"] = module
        try:
            spec.loader.exec_module(module)
        except BaseException as error:
            raise _failure("import", error)
        self.model_class = getattr(module, "NewModel", None) or getattr(module, "ModelNew", None)
        if not (isinstance(self.model_class, type) and issubclass(self.model_class, torch.nn.Module)):
            raise LoadFailure("missing", "the candidate defines no class NewModel(nn.Module)")
        return {"class": "NewModel" if hasattr(module, "NewModel") else "ModelNew"}

    def op_rehearse(self, request):
        """One call on inputs of our own making: what is compiled in a first call, is, while others have their turn. What
        goes wrong here goes wrong again when it counts."""
        torch.set_grad_enabled(False)
        try:
            model = self._construct(tensors.make(request["init"], self.device))
            model(*tensors.make(request["inputs"], self.device))
            devices.synchronize(self.device)
        except BaseException:
            pass
        model = None
        devices.give_back(self.device)
        return {}

    def _construct(self, init):
        # By the host the weights that a seed makes are those of the referee, which has no such device.
        with torch.no_grad(), devices.default("cpu" if self.by_host else self.device):
            model = self.model_class(**init) if isinstance(init, dict) else self.model_class(*init)
        model.to(self.device)
        return model

    def op_instance(self, request):
        """A fresh instance with the weights in the shared buffer: loaded by name, or repeated from a seed. `again`: the first one, where it
        was kept: who has one instance calls that often. The reply says where the buffers lie that a call changes and, where weights are
        to change between calls, these."""
        tree = tensors.load(request["spec"], self.weights)
        init, state = tensors.map_tensors(tree["init"], torch.clone), {} if "seed" in request else self._own(tree["state"])
        self.model = None  # gives its memory back first: the new weights may lie where the old ones were
        if request.get("again") and self.first is not None and not state.keys() - self._own_tensors(self.first).keys():
            self._put(self.first, state)  # later instances have theirs in its place
            return self._adopt(self.first, init, state, tree["changing"], request)
        try:
            devices.seed(request.get("seed", 0), self.device)
            model = self._construct(init)
        except BaseException as error:
            raise _failure("construct", error)
        self._load_weights(model, state)
        self._settle(model, state)
        model.requires_grad_(False)
        if self.config["mode"] == "eval":
            model.eval()
        if self.instances == 1 and self.device == "cpu" and sum(value.nbytes for value in state.values()) <= _KEPT_BYTES:
            self.first = model
        return self._adopt(model, init, state, tree["changing"], request)

    def _adopt(self, model, init, state, changing, request):
        self.model = model
        self.state = state
        self.changing = changing
        self.buffers = Buffers(model, self.changing)
        self.origin = {"init": init, "seed": request.get("seed", 0)}
        return self._places("live" in request)

    def _places(self, live):
        """Of what is written from outside: buffers that a call changes, and `live` weights."""
        if self.in_two_steps or not (live or self.buffers.saved):
            return {}
        own = self._own_tensors(self.model) if live else {}
        weights = {name: [own[name].data_ptr(), own[name].nbytes] for name, value in self.state.items()
                   if name in own and tensors.is_plain(own[name]) and own[name].dtype == value.dtype}
        return {"places": {**weights, **self.buffers.addresses()}}

    @staticmethod
    def _own(state):
        """A copy: the buffer is the next player's as well, and by then holds other weights."""
        return {name: value.clone() for name, value in state.items()}

    @staticmethod
    def _load_weights(model, state):
        own = model.state_dict()
        missing = [name for name in state if name not in own]
        wrong = [name for name in state if name in own and own[name].shape != state[name].shape]
        if missing or wrong:
            raise LoadFailure(
                "weights", f"NewModel must have the reference's parameters and buffers by name and shape; "
                f"missing: {missing or 'none'}; of another shape: {wrong or 'none'}; it has: {list(own)}")
        try:
            model.load_state_dict({name: value.clone() for name, value in state.items()}, strict=False)
        except BaseException as error:
            raise _failure("construct", error)

    def _settle(self, model, state):
        """Puts the weights of every second instance where those of the first one were: what remembers weights by their address is found
        out, and by the others what takes those of the first instance for its own."""
        self.instances += 1
        if self.instances % 2 and self.places:
            return
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                if name not in state:
                    continue
                place = self.places.get(name)
                if place is not None and (place.shape, place.stride()) == (parameter.shape, parameter.stride()):
                    parameter.data = place.copy_(parameter)
                else:
                    self.places[name] = parameter.data  # not moved: the candidate may have made views of it

    def op_reweigh(self, request):
        """Policy `live`: new weights in the same instance, put where the old ones are: nothing is called, and no version counted up, by
        which a candidate could tell."""
        self.state = self._own(tensors.load(request["spec"], self.weights)["state"])
        if missing := [name for name in self.state if name not in self._own_tensors(self.model)]:
            raise LoadFailure("weights", f"weights that change between calls must be parameters or buffers; these are none: {missing}")
        self._put(self.model, self.state)
        self.buffers = Buffers(self.model, self.changing)
        return self._places(live=True)

    @staticmethod
    def _own_tensors(model):
        return {name: value for named in (torch.nn.Module.named_parameters, torch.nn.Module.named_buffers)
                for name, value in named(model, remove_duplicate=False)}

    def _put(self, model, state):
        own = self._own_tensors(model)
        with torch.no_grad():
            for name, value in state.items():
                own[name].data.copy_(value)

    def op_bind(self, request):
        self.buffers.restore()
        torch.set_grad_enabled(False)
        self.spec = request["spec"]
        self.bound = tensors.load(self.spec, self.inputs)
        # Memory that the allocator hands out next is full of NaN: an output that is not written shows.
        for nbytes in request.get("poison", ()):
            torch.full((-(-nbytes // 4),), float("nan"), device=self.device)
        devices.synchronize(self.device)
        return {}

    def op_go(self, request):
        """One call. The reply says where the outputs are; they are read from outside while this process stands still.
        The outputs of the call before are still alive, so that their memory cannot be handed out again."""
        start = request
        try:
            if self.in_two_steps:
                if request.get("warm"):
                    self.decoy.run(self.model, self.bound)
                    self.buffers.restore()
                if self.by_host:
                    self.bound = self.inputs.fetch(request.get("spec", self.spec))
                start = self.channel.await_start()
                self.stopwatch.start()
            inputs = tensors.load(start["spec"], self.inputs) if "spec" in start else self.bound
            self.output = tensors.resolved(self.model(*inputs))
            reply = {"outputs": self._forms()}
            if self.in_two_steps:
                reply["device_ms"] = self.stopwatch.stop()
            return reply
        except LoadFailure:
            raise
        except BaseException as error:
            raise _failure("forward", error)

    def _forms(self):
        for index, item in enumerate(tensors.items_of(self.output)):
            if not isinstance(item, torch.Tensor):
                raise LoadFailure("form", f"output {index} is of type {type(item).__name__}, not a tensor")
            if item.device.type != self.device or item.layout != torch.strided:
                raise LoadFailure("form", f"output {index} is on {item.device} with layout {item.layout}")
        return self.output_places(self.output)

    def op_drop(self, request):
        """Apart from the call, so that giving memory back is not timed. The last output stays alive one call more; what
        is to be kept stays as long as we live: later calls must not touch it."""
        if request.get("keep"):
            self.kept.append((self.output, self.output_places.copies))
        self.previous, self.output = self.output, None
        self.buffers.put_in_place() if request.get("written_from_outside") else self.buffers.restore()
        torch.set_grad_enabled(False)  # once more: forward may have changed it, and in a timed call that takes long
        if not self.in_two_steps:
            self.bound = tensors.load(self.spec, self.inputs)  # forward may have moved them: to other processes, for one
        else:
            self.decoy.remember(self.bound)
        return {}

    def op_inspect(self, request):
        """What is wrong with the form of the last outputs, and whether the weights are as they were loaded."""
        for index, item in enumerate(tensors.items_of(self.output)):
            if type(item) not in (torch.Tensor, torch.nn.Parameter):
                raise LoadFailure("output", f"output {index} is a {type(item).__name__}, not a plain tensor")
            complaint = self._aliases(index, item)
            if complaint and index not in request.get("given_back", ()):
                raise LoadFailure("output", complaint)
        if self.by_host and not self.inputs.holds(self.spec, self.bound):
            raise LoadFailure("output", "an input was changed by forward")
        changed = self._changed_parameter()
        if changed:
            raise LoadFailure("output", f"the parameter {changed} was changed by forward")
        return {}

    def op_publish(self, request):
        """For machines where our memory may not be read from outside: copies the outputs into the shared buffer."""
        offset = 0
        for item in tensors.items_of(self.output):
            dense = item.detach().contiguous()
            offset = tensors.aligned(offset)
            nbytes = dense.numel() * dense.dtype.itemsize
            if nbytes and offset + nbytes <= self.outputs.size and dense.dtype in tensors.DTYPES.values():
                self.outputs.tensor(dense.dtype, dense.shape, dense.stride(), offset, nbytes).copy_(dense)
            offset += nbytes
        return {}

    def _changed_parameter(self):
        own = dict(self.model.named_parameters())
        for name, value in self.state.items():
            if name in own and not torch.equal(own[name].detach(), value.to(own[name].dtype)):  # it may hold them in half
                return name
        return ""

    def _aliases(self, index, item):
        """Whether an output shares memory with an input or a parameter."""
        where = item.untyped_storage().data_ptr()
        if item.numel() == 0:
            return ""
        for number, tensor in enumerate(tensors.tensors_of(self.bound)):
            memory = tensor.untyped_storage()  # on a GPU that of all inputs
            if memory.data_ptr() <= item.data_ptr() < memory.data_ptr() + memory.nbytes():
                return f"output {index} shares memory with input {number}"
        for name, tensor in self.model.state_dict().items():
            if tensor.numel() and tensor.untyped_storage().data_ptr() == where:
                return f"output {index} shares memory with {name}"
        return ""

    def op_prepare_check(self, request):
        """Where the platform's device is absent: what the check needs is in place before the candidate is loaded."""
        from . import offline
        try:
            self.checker = offline.Checker(request["source"], request["name"], request["settings"])
        except Exception as error:
            raise _failure("checker", error)
        return {}

    def op_try_out(self, request):
        """One call for such a check. The outputs mean nothing: no kernel of the candidate has run."""
        from . import offline
        try:
            with torch.no_grad():
                self.model(*self.bound)
        except offline.Reached:
            pass
        except BaseException as error:
            raise _failure("forward", error)
        try:
            return {"report": self.checker.report(), "tally": self.checker.tally()}
        except Exception as error:
            raise _failure("forward", error)

    def op_sanitize(self, request):
        """One call on the bound inputs in a process of its own, under a memory checker."""
        from . import sanitize
        call = {**self.origin, "device": self.device, "mode": self.config["mode"], "state": self.state,
                "inputs": list(self.bound)}
        # Copies: with a part of a shared buffer all of it would be saved.
        return sanitize.run(tensors.map_tensors(call, torch.clone), request["limit_s"])

    def op_kernels(self, request):
        """What runs on the GPU in these calls: [name, microseconds] each."""
        from torch.profiler import ProfilerActivity, profile
        with torch.no_grad(), profile(activities=[ProfilerActivity.CUDA]) as prof:
            for _ in range(request["calls"]):
                self.model(*self.bound)
            devices.synchronize(self.device)
        return {"kernels": [[item.key, item.self_device_time_total] for item in prof.key_averages()
                            if item.self_device_time_total > 0]}

    def op_profile(self, request):
        from torch.profiler import ProfilerActivity, profile
        with torch.no_grad():
            for _ in range(3):
                self.model(*self.bound)
            activities, order = [ProfilerActivity.CPU], "self_cpu_time_total"
            if self.device in ("cuda", "xpu"):
                activities.append(getattr(ProfilerActivity, self.device.upper()))
                order = f"self_{self.device}_time_total"
            with profile(activities=activities, record_shapes=True) as prof:
                for _ in range(request["calls"]):
                    with torch.profiler.record_function("NewModel.forward"):
                        self.model(*self.bound)
                devices.synchronize(self.device)
        averages = prof.key_averages(group_by_input_shape=True)
        return {"table": averages.table(sort_by=order, row_limit=25, max_name_column_width=60)}
