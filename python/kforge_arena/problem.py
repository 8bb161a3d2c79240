"""Loading a problem file: KernelBench's interface, its errors in words."""

import contextlib
import copy
import importlib.util
import inspect
import linecache
import sys
import traceback

import torch

from . import device as devices, infinities, tensors
from .buffers import Buffers


_ANOTHER = 0x5DEECE66D  # bits of a seed: the numbers that follow are not those that made the inputs


class ProblemError(Exception):
    """The problem file is at fault; the message says how."""


@contextlib.contextmanager
def _deaf_to_seeds():
    set_seed = torch.manual_seed
    torch.manual_seed = torch.random.manual_seed = lambda seed: torch.default_generator
    try:
        yield
    finally:
        torch.manual_seed = torch.random.manual_seed = set_seed


@contextlib.contextmanager
def _unscripted():
    """Scripted functions stay what they are in Python: nobody can listen to what compiled ones ask (see asked.py)."""
    script = torch.jit.script
    torch.jit.script = lambda what, *args, **kwargs: what if inspect.isfunction(what) else script(what, *args, **kwargs)
    try:
        yield
    finally:
        torch.jit.script = script


def _own_traceback(error, path):
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    where = "".join(f" (line {f.lineno}: {f.line})" for f in frames[-1:])
    return f"{type(error).__name__}: {error}{where}"


def kept_by(model):
    """Parameters, buffers and other tensors of a module."""
    return [*model.parameters(), *model.buffers(),
            *(value for module in model.modules() for value in vars(module).values() if isinstance(value, torch.Tensor))]


def _version(parameter):
    return 0 if parameter.is_inference() else parameter._version


class _Unchanged:
    """Parameters of a model as they are before a call. What a call makes of them would be there in the next one, for the reference as for no
    candidate that is loaded anew."""

    def __init__(self, model):
        self.kept = [(name, parameter, parameter.clone(), _version(parameter), parameter.data_ptr())
                     for name, parameter in model.named_parameters() if not torch.nn.parameter.is_lazy(parameter)]

    def first_changed(self):
        """Its name. Also what was written to and is the same by chance: longer rows would be changed by a bound of their length."""
        for name, parameter, value, version, place in self.kept:
            written = _version(parameter) != version and parameter.data_ptr() == place
            if written or parameter.shape != value.shape or not tensors.same_bytes(parameter, value):
                return name
        return None


class Problem:
    def __init__(self, path, name, mode, device="cpu", is_heard=False, init_seed=0):
        """`is_heard`: that somebody listens to its calls matters more than how long they take. `init_seed`: by which get_init_inputs() draws,
        in whichever process."""
        self.path = path
        self.device = device
        self.name = name
        self.mode = mode
        self.changed = []
        self.is_called = False
        self.checks_sparse = is_heard
        self.given_back = []
        self.passed_on = []
        self.infinities = infinities.Meant()
        self.init, self.init_seed = None, init_seed
        self.seed = None  # by which random numbers are drawn now, as long as the problem sets none of its own
        sys.dont_write_bytecode = True  # it would lie beside the problem, for others to read
        linecache.checkcache(path)
        spec = importlib.util.spec_from_file_location("kforge_problem", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules["kforge_problem"] = module
        try:
            with _unscripted() if is_heard else contextlib.nullcontext():
                spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:
            raise ProblemError(f"{name} does not import: {_own_traceback(error, path)}") from None
        for wanted in ("Model", "get_inputs", "get_init_inputs"):
            if not hasattr(module, wanted):
                raise ProblemError(f"{name} does not define {wanted}")
        if not (isinstance(module.Model, type) and issubclass(module.Model, torch.nn.Module)):
            raise ProblemError(f"{name}: Model is not a torch.nn.Module class")
        self.module = module

    def _call(self, what, function, *arguments):
        try:
            return function(*arguments)
        except (Exception, SystemExit) as error:
            if isinstance(error, (MemoryError, torch.OutOfMemoryError)) or "can't allocate memory" in str(error):
                raise ProblemError(f"{self.name}: {what} needs more memory than there is: {error}") from None
            raise ProblemError(f"{self.name}: {what} failed: {_own_traceback(error, self.path)}") from None

    def init_inputs(self):
        """The same each time, also where they are random: a candidate is constructed with what the reference was."""
        if self.init is None:
            devices.seed(self.init_seed, self.device)
            self.init = self._call("get_init_inputs()", self.module.get_init_inputs)
            if not isinstance(self.init, (list, tuple, dict)):
                raise ProblemError(f"{self.name}: get_init_inputs() returns {type(self.init).__name__}, not a list")
        return copy.deepcopy(self.init)

    def make_inputs(self, seed, own_seeds=True):
        """Without `own_seeds` get_inputs() sets none."""
        self.seed = seed
        devices.seed(seed, self.device)
        heard = contextlib.nullcontext() if own_seeds else _deaf_to_seeds()
        with heard, devices.default(self.device):  # a GPU makes its own random numbers, in a fraction of the time
            values = self._call("get_inputs()", self.module.get_inputs)
        if not isinstance(values, (list, tuple)):
            raise ProblemError(f"{self.name}: get_inputs() returns {type(values).__name__}, not a list")
        if not any(True for _ in tensors.tensors_of(values)):
            raise ProblemError(f"{self.name}: get_inputs() returns no tensor")
        # get_inputs() may have set a seed of its own: what is drawn for a case after it must stay a secret.
        self.seed = seed ^ _ANOTHER
        devices.seed_torch(self.seed, self.device)
        return tensors.map_tensors(list(values), lambda t: t.detach().to(self.device))

    def make_model(self, seed):
        values = self.init_inputs()
        devices.seed(seed, self.device)  # after get_init_inputs(), as KernelBench does: a player can repeat it
        with devices.default(self.device):
            if isinstance(values, dict):
                model = self._call("Model(**init_inputs)", lambda: self.module.Model(**values).requires_grad_(False))
            else:
                model = self._call("Model(*init_inputs)", lambda: self.module.Model(*values).requires_grad_(False))
        for name, value in model.state_dict().items():
            if isinstance(value, torch.Tensor) and value.layout != torch.strided:
                raise ProblemError(f"{self.name}: {name} of Model has the layout {value.layout}, which no player can be given: keep its "
                                   "indices and values as buffers, and put it together in forward()")
        model.to(self.device)
        return model.eval() if self.mode == "eval" else model

    def forward(self, model, inputs):
        """One reference call that leaves the model's buffers (running statistics) as they were; `changed` are the names of
        those that it would have changed, `given_back` the outputs that it did not make, `passed_on` those of them that are inputs."""
        buffers = Buffers(model)
        kept = kept_by(model)  # before the call: what it makes and keeps is no less its result
        with torch._C.DisableTorchFunction():  # nobody is to hear it
            parameters, self.is_called = None if self.is_called else _Unchanged(model), True
        try:
            with torch.no_grad():
                outputs = check_output(self._call_safely(model, inputs, is_first=parameters is not None), self.name)
            if parameters and (name := parameters.first_changed()):
                raise ProblemError(f"{self.name}: forward() changes the parameter {name} in place (as max_norm of an embedding does): let it "
                                   "work on a copy, or make it a buffer")
            self.given_back = tensors.given_back(outputs, inputs, kept)
            # A state that it returns is what the call has made of it, not what it is put back to.
            own = tensors.given_back(outputs, kept)
            self.passed_on = [index for index in self.given_back if index not in own]
            return [tensors.apart(output) if index in own else output for index, output in enumerate(outputs)]
        finally:
            self.changed = buffers.restore()
            buffers.undo_what_is_new()

    def _call_safely(self, model, inputs, is_first):
        """Row pointers of other inputs may lead out of a sparse tensor, into memory that is not there, and would end the process. A reference
        whose own are not in PyTorch's order does without the check."""
        if self.checks_sparse:
            try:
                with torch.sparse.check_sparse_tensor_invariants():
                    return self._call("forward()", model, *inputs)
            except ProblemError:
                if not is_first:
                    raise
                self.checks_sparse = False
        return self._call("forward()", model, *inputs)

    def state_after(self, model, inputs, names):
        """What a call leaves in these buffers, which are then as they were."""
        buffers = Buffers(model)
        try:
            with torch.no_grad():
                self._call("forward()", model, *inputs)
            after = dict(model.named_buffers())
            return {name: after[name].clone() for name in names if name in after}
        finally:
            buffers.restore()
            buffers.undo_what_is_new()

    def train(self, model, inputs):
        """One call in training mode, which leaves behind what it changes in the buffers: statistics that were gathered."""
        modes, buffers = [(module, module.training) for module in model.modules()], Buffers(model)
        model.train()
        try:
            with torch.no_grad():
                self._call("forward()", model, *inputs)
        finally:
            for module, training in modes:
                module.training = training
            buffers.undo_what_is_new()


def check_output(output, name):
    """The outputs as a flat list of tensors."""
    if any(item.is_nested for item in tensors.tensors_of(output)):
        raise ProblemError(f"{name}: forward() returns a nested tensor, which has no one shape: return a padded one")
    if isinstance(output, torch.Tensor):
        return [output]
    if isinstance(output, (list, tuple)) and output and all(isinstance(item, torch.Tensor) for item in output):
        return list(output)
    what = type(output).__name__
    if isinstance(output, (list, tuple)):
        others = [(type(item).__name__, index) for index, item in enumerate(output) if not isinstance(item, torch.Tensor)]
        what += " with {} as element {}".format(*others[0]) if others else " of nothing"
    raise ProblemError(f"{name}: forward() returns {what}; it must return a tensor or a tuple of tensors")
