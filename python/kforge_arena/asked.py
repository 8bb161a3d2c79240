"""What a reference asks of values while it runs: that decides which other ones it is given, and which mean something."""

import functools
import math
import re

import torch
from torch.overrides import TorchFunctionMode

from . import cases, cells, composed, distributions, drawn, origins, parts, tensors, ties, type_limits, widening
from .infinities import Meant

# Here values are equal, and which of them comes first is for nobody to say: no test of indices. Nor does anybody know on which
# side of their mean they are; what they compare to otherwise is no question.
TIED_DISTRIBUTIONS = ("zeros", "rows", "ties", "tiny", cases.TAILS, distributions.WITHIN, distributions.LINES)
_LONG = 16  # values for one result
_MOST_NUMBERS = 64  # that one input is compared with
_COMPARABLE = ("zeros", "ties", "tiny", cases.TAILS, distributions.WITHIN, distributions.LINES)


def _shortens(tensor, results):
    """Whether lines of a tensor have results of their own, but as few that errors may cancel out in sums. Where there are fewer, they may be
    sums of all there is."""
    if tensor.dim() not in (2, 3) or not tensors.is_inexact(tensor) or not tensor.numel():
        return False
    return tensor.numel() // tensor.shape[-1] <= results <= tensor.numel() // _LONG


def _with_itself(name, args):
    """Whether something is compared with itself: what is no number is not equal to it."""
    return name in ("eq", "ne") and len(args) == 2 and args[0] is args[1]


def _beyond(tensor, number, is_above):
    """The whole number next to one, on the side where no element is; None where there are some on both. `is_above`: whether the
    number itself is on the upper side."""
    if not tensor.numel() or tensor.device.type != "cpu":  # an index: see integers.py
        return None
    least, most = (int(end) for end in tensor.long().aminmax())
    below = number - 1 if is_above else number
    return below if least > below else below + 1 if most <= below else None


class Asked(TorchFunctionMode):
    """Listens to the calls of one run on these inputs."""

    _FOR_NUMBERS = re.compile(r"nan\w+|is(nan|inf|finite|posinf|neginf)")
    _FOR_SIZE = re.compile(
        r"(clamp|clip)(_min|_max)?|f?(max|min)(imum)?|hardtanh|threshold|[gl][te]|(greater|less)(_equal)?|(hard|soft)shrink|"
        r"fmod|remainder|(huber|smooth_l1)_loss|softplus")

    _ATTENTION = re.compile(r"scaled_dot_product_attention|\w*multi_head_attention\w*|transformer_encoder\w*")

    _VANISHING = re.compile(r"softm(ax|in)|exp2?|sigmoid|softplus|silu|gelu|mish")

    _EXACTLY = re.compile(r"eq|ne|(not_)?equal|isin")

    _COMPARES = re.compile(rf"[gl][te]|(greater|less)(_equal)?|{_EXACTLY.pattern}")

    _BOUNDS = re.compile(r"(clamp|clip)(_min|_max)?|(max|min)imum")  # of whole numbers

    _TRUTH = re.compile(r"bool|count_nonzero|logical_\w+")  # zero is not true

    _UNCLEAR = re.compile(r"cosine_(similarity|embedding_loss)")  # bounds other lengths than its formula, which is what is documented

    _MULTIPLIES = re.compile(r"r?matmul|(b|add)?mm|baddbmm|linear|bilinear|einsum")

    _BELOW = ("ge", "greater_equal", "lt", "less")  # these part what is below a number from all others, not what is above it

    _BY_COMPARISON = ("bucketize", "searchsorted", "count_nonzero")

    _IGNORED_BY_DEFAULT = -100  # by PyTorch: a reference that does not name it does not ask for it

    def __init__(self, inputs=(), own=()):
        """`own` are the tensors that the model keeps."""
        super().__init__()
        self.inputs = list(tensors.tensors_of(inputs))
        self.origins = origins.Origins(self.inputs, own)
        self.for_numbers = False
        self.threshold = 0.0
        self.special = {}  # by the number of an input: numbers that its elements are compared with
        self.exact = {}  # the same, where it is floating-point: those that elements are equal to, or not
        self.attends = False  # whether it leaves masked attention to the library, which alone gives zeros where all is masked
        self.unclear = False  # whether it leaves a bound to the library that others may write otherwise
        self.vanishes = False  # whether what is far below others may become zero: then nobody can tell which is the largest of it
        self.narrows = False  # whether it rounds to half precision
        self.keeps_single = False  # whether it asks for single precision where it has that: in double it would be rounded there
        self.drawn = []  # the types of random numbers, in the order in which they are drawn
        self.limits = type_limits.Limits()
        self.joined = parts.Joined()
        self.results = 0  # how many values come out
        self.multiplies = False  # whether an input is a factor of a matrix product
        self.puts = False  # whether it puts values into places that whole numbers name, one over another where two are the same
        # Whether whole numbers follow from others by a thread: as the place of one, or in another way (what it is rounded to).
        self.places = self.rounds = False

    @property
    def hangs(self):
        return self.places or self.rounds

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "").strip("_")
        self.for_numbers = self.for_numbers or self._FOR_NUMBERS.fullmatch(name) is not None or _with_itself(name, args)
        self.attends = self.attends or (self._ATTENTION.fullmatch(name) is not None and self._is_masked(args, kwargs))
        self.unclear = self.unclear or self._UNCLEAR.fullmatch(name) is not None
        self.vanishes = self.vanishes or self._VANISHING.fullmatch(name) is not None
        if self._MULTIPLIES.fullmatch(name):
            self.multiplies = self.multiplies or any(a is tensor for a in args for tensor in self.inputs)
        self.puts = self.puts or cells.is_put(name, args, kwargs)
        values = (*args, *kwargs.values())
        if self._FOR_SIZE.fullmatch(name):
            self.threshold = max([self.threshold, *map(self.origins.size_of, values)])
        self._note_special(name, values, kwargs)
        self.narrows = self.narrows or widening.narrows(name, args, kwargs)
        self.keeps_single = self.keeps_single or widening.keeps_single(name, args, kwargs)
        self.limits.note(name, args, kwargs)
        result = function(*args, **kwargs)
        self.origins.note(name, values, result)
        if drawn.draws(getattr(function, "__name__", "")) and isinstance(result, torch.Tensor):
            self.drawn.append(result.dtype)
        self.joined.note(name, function, args, kwargs, result)
        if name not in self._BY_COMPARISON and ties.follow(name, args, result):
            self.places, self.rounds = self.places or name in ties.PLACES, self.rounds or name not in ties.PLACES
        return result

    def _is_masked(self, args, kwargs):
        """Whether attention has a mask that follows from inputs: it comes behind the three that there always are."""
        rest = (*args[3:], *(value for key, value in kwargs.items() if key not in ("query", "key", "value")))
        return any(isinstance(value, torch.Tensor) and not self.origins.is_constant(value) for value in rest)

    def _note_special(self, name, values, kwargs):
        """Numbers that mean something in an input that they are compared with."""
        numbers, exactly = self._numbers(name, values, kwargs)
        if "padding_idx" in kwargs:  # of indices, which come first, and not of where bags of them begin
            values = values[:1]
        self.for_numbers = self.for_numbers or (bool(self._COMPARES.fullmatch(name)) and not all(map(math.isfinite, numbers)))
        for index in {self.origins.input_of(value) for value in values} - {None} if numbers else ():
            if cases.is_integer(self.inputs[index]):
                self._note_whole(index, numbers, exactly, name)
            elif self.inputs[index].dtype.is_floating_point and (self._COMPARES.fullmatch(name) or self._TRUTH.fullmatch(name)):
                self.exact.setdefault(index, set()).update(numbers if exactly else ())
                self._add(index, numbers)

    def _numbers(self, name, values, kwargs):
        """Of a comparison, and whether it is one with just these numbers."""
        if self._EXACTLY.fullmatch(name):
            return [number for value in values for number in self.origins.numbers_in(value, _MOST_NUMBERS)], True
        if self._COMPARES.fullmatch(name) or self._BOUNDS.fullmatch(name):
            return [number for value in values for number in self.origins.numbers_in(value, 1)], False
        if self._TRUTH.fullmatch(name) or (name == "to" and any(value is torch.bool for value in values)):
            return [0], True
        named = [kwargs.get(key) for key in ("ignore_index", "padding_idx")]
        return [number for number in named if number not in (None, self._IGNORED_BY_DEFAULT)], True

    def _note_whole(self, index, numbers, exactly, name):
        tensor = self.inputs[index]
        numbers = [int(number) for number in numbers if math.isfinite(number) and int(number) == number]
        if not exactly:  # which of two bounds is the upper one does not matter: the number next to one on either side is allowed
            sides = (True, False) if self._BOUNDS.fullmatch(name) else (name in self._BELOW,)
            numbers = [number for bound in numbers for side in sides if (number := _beyond(tensor, bound, side)) is not None]
        limits = torch.iinfo(tensor.dtype)
        self._add(index, [number for number in numbers if limits.min <= number <= limits.max])

    def _add(self, index, numbers):
        known = self.special.get(index, [])
        if numbers := [*dict.fromkeys([*known, *numbers])][:_MOST_NUMBERS]:
            self.special[index] = numbers

    def forget(self, concerns, accepts):
        """Where the reference, though it compares some inputs with them, cannot do with such numbers: those that it cannot do with
        alone, or else all. Whether there were any."""
        before = {index: numbers for index, numbers in self.special.items() if concerns(self.inputs[index])}
        after = {index: [number for number in numbers if accepts({index: [number]})] for index, numbers in before.items()}
        for index in before:
            self.special[index] = after[index] if after != before else []
        self.special = {index: numbers for index, numbers in self.special.items() if numbers}
        return bool(before)

    def with_marks(self, inputs, moved):
        """Inputs that were moved, but for the numbers that they are compared with exactly: these are marks, and no sum."""
        given = iter(enumerate(tensors.tensors_of(inputs)))

        def put(tensor):
            index, before = next(given)
            marks = [before == number for number in self.exact.get(index, ()) if before.dtype.is_floating_point]
            return torch.where(functools.reduce(torch.logical_or, marks), before.to(tensor.dtype), tensor) if marks else tensor

        return tensors.map_tensors(moved, put)

    def parts_of(self, outputs, infinities=Meant()):
        """Once: what has been put together is let go then."""
        self.results = sum(output.numel() for output in outputs)
        self.origins.forget()
        return self.joined.parts_of(outputs, infinities)

    def alternatives(self, name):
        """Of a distribution, those that are tried first."""
        if self.unclear and name in ("tiny", cases.QUIET):
            return [f"{name} {distributions.APART if name == 'tiny' else composed.MODERATE}"]
        if name == cases.TAILS:
            kind = cases.TAILS_OF_FACTORS if self.multiplies else cases.TAILS_ALIKE
            return [kind] * any(_shortens(tensor, self.results) for tensor in self.inputs)
        if name == cases.CONSTANTS and self.attends:
            return [name + " present"]
        if name == cases.COMBINED and self.attends:
            return [kind for kind in cases.ALTERNATIVES[name] if kind.endswith("present")]
        if name != "outliers":
            return []
        far = f" far {self.threshold:g}" if self.threshold > 50 else ""
        # Many references ask for what is no number, and can do nothing with infinity.
        missing = [f"outliers{far} nan", f"outliers{far} nan alone"] if self.for_numbers else []
        return missing + ["outliers" + far] * bool(far)

    def defines(self, name):
        """Whether whole numbers and truth values among the outputs mean something for a distribution."""
        kind = name.split(" ")[0]
        if self.hangs and self.vanishes and kind not in ("", "given", "normal", cases.CONSTANTS.split(" ")[0]):
            return False  # which of those that have become zero comes first, nobody can tell
        return kind not in TIED_DISTRIBUTIONS or (kind in _COMPARABLE and not self.hangs)
