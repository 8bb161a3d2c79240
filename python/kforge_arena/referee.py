"""The referee: trusted, holds the reference, the seeds and the expected outputs, and compares."""

import contextlib
import functools
import os
import secrets

import torch

from . import asked, cases, compare, device as devices, draws, memory, problem as problems, ranges, render, rounding
from . import states, tensors, traffic, vetting, wording
from .expected import Cache, Expected, Typical
from .forms import find_other_form
from .judge import Judge
from .reference import Reference

_CACHE_BYTES = 1 << 30
_MOST_NOT_FINITE = 8  # results in a row: a logarithm of uniform numbers meets a zero now and then
_NOT_APPLICABLE = "does not apply to these inputs"
_UNSETTLED = "the reference itself gives no finite or accurate result"
_NEVER_ROUGHLY = ("given", "batch", "strides")  # what else could be told of these is told otherwise


class Referee:
    def __init__(self):
        self.problem = None
        self.reference = None
        self.cases = Cache(_CACHE_BYTES)
        self.current = None
        self.typical = Typical()
        self.not_finite = 0
        self.judge = None
        self.fits_half = True  # whether half precision has the range for the problem's own values: else it is no excuse
        self.kinds = {}  # of the distributions that the reference can do with

    # --- Before there is a problem -------------------------------------------------------------------------

    def op_render(self, request):
        text = render.render(request["folders"], request.get("name"), request.get("text"), request["context"])
        return {"text": text}

    def op_toolchain(self, request):
        """How load_inline would call the C++ compiler."""
        import inspect
        import re
        import sysconfig
        from torch.utils import cpp_extension
        standard = re.search(r"-std=(c\+\+\w+)", inspect.getsource(cpp_extension._write_ninja_file_to_build_library))
        includes = [*cpp_extension.include_paths("cpu"), sysconfig.get_path("include", scheme="posix_prefix")]
        return {"standard": standard.group(1) if standard else "c++17", "includes": includes}

    # --- The problem ---------------------------------------------------------------------------------------

    def op_load(self, request):
        self.precision = request["precision"]
        self.seeds = request["seeds"]
        self.device = request["device"]
        memory.limit_addresses(self.device)
        if self.device == "cpu":
            memory.limit_data()
        devices.keep_memory()
        self.problem = problems.Problem(request["path"], request["name"], request["mode"], self.device, is_heard=True, init_seed=request.get("init_seed", 0))
        self.draws = draws.Quick(request["draws"], self.problem) if request.get("draws") else contextlib.nullcontext()
        inputs = self.problem.make_inputs(self.seeds["given"])
        input_spec, _ = self._layout(inputs)  # before all else: what cannot be passed on need not be understood
        # As some variations are: dense, and none of them twice.
        input_bytes = sum(tensors.aligned(t.numel() * t.dtype.itemsize) for t in tensors.tensors_of(inputs)) + self._layout(inputs)[1]
        # Memory that an allocator has given out begins a little behind the beginning of a page.
        self.first_place = tensors.ALIGNMENT if self.device == "cpu" else 0
        self.second_place = self.first_place + tensors.aligned(input_bytes)
        self.fresh = cases.Fresh(self.problem, self.seeds["given"])
        self.ranges = ranges.heard(self.problem, inputs, self.seeds["given"])
        self.reference = Reference(self.problem, self.precision, self.device, self.seeds)
        model = self.reference.model(0, "seeded")
        untouched = tensors.map_tensors(inputs, torch.clone)
        with asked.Asked(inputs, problems.kept_by(model)) as self.asked, self.asked.limits.heard(self.problem.module):
            outputs = self.problem.forward(model, inputs)
        self.reference.asked = self.asked
        self.fresh.hear(self.asked, self.ranges)
        self.changing, self.given_back, passed_on = self.problem.changed, self.problem.given_back, self.problem.passed_on
        self.shapes = [output.shape for output in outputs]
        output_spec, output_bytes = self._layout([tensors.dense(output) for output in outputs])
        self.problem.infinities = self.reference.meant_infinities(inputs, outputs)
        self.parts = self.asked.parts_of(outputs, self.problem.infinities)
        self.reference.find_ways(inputs, outputs, self.parts)
        self._renew_judge()
        others = cases.with_other_numbers(self.problem, inputs, self.seeds["given"] + 1)
        self.other_numbers = others is not None and self._can_do_with(others)
        if (index := tensors.find_difference(untouched, inputs)) is not None:
            raise problems.ProblemError(f"{self.problem.name}: forward() changes input {index} in place: let it work on a copy")
        _, weight_bytes = self._layout(self._weights_tree(model))
        self.usual = [compare.largest(part) for part in self.parts.of(outputs)]
        sizes = [3 * input_bytes + (1 << 20), 2 * output_bytes + (1 << 20), weight_bytes + (1 << 16)]
        facts = {
            "inputs": [tensors.describe(f"input {i}", s) for i, s in enumerate(tensors.tensor_specs(input_spec))],
            "outputs": [tensors.describe(f"output {i}", s) for i, s in enumerate(tensors.tensor_specs(output_spec))],
            "parameters": [f"{name}: {tensors.dtype_name(p.dtype)} {list(p.shape)}"
                           for name, p in model.state_dict().items()],
            "makes_the_same": any(self.fresh.fixed),
        }
        self.states = states.States(self.problem, self.reference, self.changing, request.get("live", False))
        reply = {"facts": facts, "sizes": sizes,
                 "threads": torch.get_num_threads(), "output_sizes": [o.numel() * o.dtype.itemsize for o in outputs],
                 "given_back": self.given_back, "passed_on": passed_on, "sharing": tensors.sharing(outputs), "alike": self.reference.alike()}
        if self.device != "cpu":
            return reply  # the memory of a GPU is KForge's own: see op_attach
        buffers = [tensors.Buffer.create(f"kforge-{name}", size)
                   for name, size in zip(("inputs", "outputs", "weights", "others"), [*sizes, sizes[2]])]
        self.inputs, self.outputs, self.weights, self.other_tensors = buffers
        self.shown = self.inputs
        reply["sizes"] = [b.size for b in buffers[:3]]
        return reply, [b.fd for b in buffers]

    def _renew_judge(self):
        self.judge = Judge(self.problem, self.reference, self.parts, self.precision, self.device, self.seeds["given"])

    def _can_do_with(self, inputs):
        """Whether the reference gives the usual kind of result for other inputs."""
        try:
            outputs = self.problem.forward(self.reference.model(0, "seeded"), inputs)
        except problems.ProblemError:
            return False
        return [output.shape for output in outputs] == self.shapes and self.problem.infinities.are_finite(outputs)

    def op_attach(self, request, fds):
        """Memory of a GPU. `inputs` is where they are staged, `shown` where a player gets them from KForge."""
        self.shown, self.outputs, self.weights, self.inputs = (
            devices.DeviceBuffer(fd, size) for fd, size in zip(fds, request["sizes"], strict=True))
        for fd in fds:
            os.close(fd)
        return {}

    def _layout(self, tree):
        try:
            return tensors.layout(tree)
        except tensors.UnsupportedValue as error:
            raise problems.ProblemError(f"{self.problem.name}: {error}") from None

    def _weights_tree(self, model):
        """`changing` are the buffers that a call changes: every call begins with what is loaded."""
        return {"init": self.problem.init_inputs(), "state": dict(model.state_dict()), "changing": self.changing}

    def op_weights(self, request):
        """Puts one weight set into the shared buffer."""
        model = self.reference.model(request["index"], request["kind"])
        tree = self._weights_tree(model)
        spec, _ = tensors.layout(tree)
        tensors.store(tree, spec, self.weights)
        devices.synchronize(self.device)
        seed = {"seed": self.seeds["weights"][request["index"]]} if request["kind"] == "seeded" else {}
        return {"spec": spec, **seed}

    def op_reseed(self, request):
        """New secrets for all that follows: what was expected of earlier candidates is forgotten."""
        self.seeds = request["seeds"]
        self.reference.reseed(self.seeds)
        self._renew_judge()
        self.typical = Typical()
        self.states.forget()
        self.cases = Cache(_CACHE_BYTES)
        return {}

    def op_least_bytes(self, request):
        """What every call must load and store."""
        return {"bytes": traffic.least_bytes(self.problem, self.reference.model(0, "seeded"), self.problem.make_inputs(self.seeds["given"]))}

    # --- Cases -----------------------------------------------------------------------------------------------

    def _expect(self, expected):
        """Finds out what the reference makes of the inputs."""
        weights, inputs, model = expected.weights, expected.inputs, self.reference.model(*expected.weights)
        eager = self._eager(expected)
        exact = self.reference.truth(weights, inputs, eager)
        half, expected.fits_half = self.reference.in_half(weights, inputs) if self.precision == "mixed" else (None, True)
        rounded = rounding.as_wrong_as_eager(self.problem, model, inputs, eager, exact, bool(self.asked.drawn), weights[0] == 0)
        expected.know(eager, exact, half, rounded, self.usual, self.parts, model.state_dict().values())

    def _eager(self, expected):
        if expected.eager is None:
            expected.eager = [o.clone() for o in self._forward(expected)]
        return expected.eager

    def _forward(self, expected):
        """Outputs whose memory the reference may use again in its next call."""
        outputs = self.reference.forward(expected.weights, expected.inputs)
        expected.strides = [o.stride() for o in outputs]  # a copy of a part of a tensor has others
        return outputs

    def _prepare_case(self, name, weights):
        """(what is expected, why nothing is)"""
        rough = None  # what is expected of the first kind of which only that it is a number can be
        for kind in cases.with_retreats((*self.asked.alternatives(name), *cases.ALTERNATIVES.get(name, (name,)))):
            expected, why = self._try_case(kind, cases.seed_of(name, self.seeds), weights)
            if why is _UNSETTLED:
                is_judged = kind.split(" ")[0] not in _NEVER_ROUGHLY and rough is None and self._stays_finite(expected)
                rough, expected = expected if is_judged else rough, None
            if expected is not None:
                self.kinds[name] = kind
            if expected is not None or (why is _NOT_APPLICABLE and not cases.retreats(kind)):
                break
        concerned = {cases.CONSTANTS: cases.is_integer, "ties": tensors.is_inexact}.get(name)
        if expected is None and concerned and self.asked.forget(concerned, functools.partial(self._accepts, concerned)):
            return self._prepare_case(name, weights)
        return (rough, "") if expected is None and rough else (expected, why)

    def _stays_finite(self, expected):
        """Where that is so, others have no excuse for what is no number either."""
        return expected.finite() and self.reference.stays_finite(expected.weights, expected.inputs)

    def _accepts(self, concerns, special):
        return self._can_do_with(cases.with_special(self.problem.make_inputs(self.seeds["given"]), special, concerns, rows=False))

    def _inputs_of(self, name, seed, weights):
        return cases.make_inputs(self.problem, name, seed, self.fresh.structures, self.asked.special, self.other_numbers,
                                 list(self.reference.model(*weights).parameters()), self.ranges)

    def _try_case(self, name, seed, weights):
        inputs = self._inputs_of(name, seed, weights)
        if inputs is None or (name.startswith(cases.TAILS) and self.precision == "mixed"):
            return None, _NOT_APPLICABLE
        expected = Expected(inputs, weights, name)
        try:
            self._expect(expected)
        except problems.ProblemError as error:
            return None, f"the reference does not accept it: {error}"
        expected.unclear = not self.asked.defines(name)
        if name.startswith(cases.CONSTANTS) and not self._have_room(expected.eager) or not self._fits(expected):
            return None, "the outputs are larger then"
        if name.startswith(cases.FAR) and self._lacks_range(expected):
            return None, "half precision, which is allowed, does not have the range for it"
        if not expected.leave_out_unsettled():
            return expected, _UNSETTLED
        if name == "given":
            self.typical.note(expected)
            self.fits_half = self.fits_half and expected.fits_half
        return expected, ""

    def _have_room(self, outputs):
        """Next to those that the problem usually has: a mask may select fewer."""
        return len(outputs) == len(self.shapes) and all(
            output.dim() == len(usual) and output.numel() <= usual.numel() for output, usual in zip(outputs, self.shapes))

    def _fits(self, expected):
        """As the reference lays them out, elements of one may be far from each other."""
        return sum(tensors.aligned(tensors.span_bytes(e, stride)) for e, stride in zip(expected.eager, expected.strides)) <= self.outputs.size

    def op_case(self, request):
        key = (request["name"], request["weights"], request["kind"])
        entry = self.cases.get(key)
        if entry is None:
            entry = self._prepare_case(request["name"], key[1:])
            self.cases.put(key, entry, entry[0].nbytes if entry[0] else 0)
        expected, why = entry
        return {"applicable": True, **self._stage(expected, anywhere=True)} if expected else {"applicable": False, "why": why}

    def op_fill(self, request):
        """Inputs for one round of timed calls, or, drawn by torch itself, for one that is not timed.

        What is expected of them is found out after the call, and only where it is checked: before it, the time that takes
        would tell the candidate which of its results are looked at.
        """
        self.current = None  # its memory is at hand, and nobody else's
        with contextlib.nullcontext() if request.get("drawn_by_torch") else self.draws:
            inputs = self.problem.make_inputs(request["seed"]) if request.get("as_made") else self.fresh(request["seed"])
        weights = request["weights"], request["kind"]
        if not request.get("others"):
            return self._stage(Expected(inputs, weights))
        others = self.states.next(weights, inputs, request["seed"])
        places, _ = tensors.layout(others)
        tensors.store(others, places, self.other_tensors)
        return {**self._stage(Expected(inputs, weights, others=others)),
                "others": {name: spec["t"][3:] for name, spec in places["d"].items()}}

    def op_unusual(self, request):
        """A case with weights for which it may mean nothing: that is found out when it is asked for. On other numbers than the case
        itself; like that, the same for all candidates."""
        weights = request["weights"], request["kind"]
        if request["name"] == cases.NEARLY:
            with self.draws:
                inputs = self.fresh.nearly_the_same(self.current.inputs, request["seed"])
            return {"applicable": True, **self._stage(Expected(inputs, weights, unusual=True), anywhere=True)}
        kind = self.kinds.get(request["name"])
        if kind is None:
            return {"applicable": False}
        expected = self.cases.get((kind, weights))
        if expected is None:
            inputs = self._inputs_of(cases.when_it_comes_again(kind), cases.seed_of(f"unusual {kind}", self.seeds), weights)
            if inputs is None:  # with other numbers, by chance, it is nothing else than the problem's own values
                return {"applicable": False}
            expected = Expected(inputs, weights, kind, unusual=True)
            self.cases.put((kind, weights), expected, expected.nbytes + self.outputs.size)
        return {"applicable": True, **self._stage(expected, anywhere=True)}

    def _stage(self, expected, anywhere=False):
        """`anywhere`: in one of two places, by lot. What goes on with the memory of an earlier call finds other values there. Timed calls
        have theirs in the first one: new pages take time."""
        spec, size = tensors.layout(expected.inputs, self.second_place if anywhere and secrets.randbits(1) else self.first_place)
        if size > self.inputs.size:
            spec, size = tensors.layout(expected.inputs, self.first_place)
        if size > self.inputs.size:
            raise problems.ProblemError(f"{self.problem.name}: the inputs changed their size between calls")
        self.current = expected
        self.staged = spec
        self.op_show({})
        return {"spec": spec, "bytes": size}

    def op_show(self, request):
        """Puts the inputs that were staged last into the shared buffer (again)."""
        tensors.store(self.current.inputs, self.staged, self.inputs)
        devices.synchronize(self.device)
        return {}

    def op_unchanged(self, request):
        """Whether the shared inputs still hold what was put there."""
        return {"changed": self._changed_input()}

    def _changed_input(self):
        index = tensors.find_difference(self.current.inputs, tensors.load(self.staged, self.shown))
        return "" if index is None else f"input {index} was modified in place"

    def _know_current(self):
        """Finds out what is expected of what was staged last. On inputs of a case it is known: see _prepare_case."""
        if not self.current.known:
            self._expect(self.current)
            if not self.current.unusual:
                self.typical.note(self.current)
            self.current.unclear = self.current.unusual and not self.asked.defines(self.current.kind)
        if self.current.unusual:
            return
        self.not_finite = 0 if self.current.finite() else self.not_finite + 1
        if self.not_finite > _MOST_NOT_FINITE:
            raise problems.ProblemError(f"{self.problem.name}: on its own inputs the reference gives NaN or infinity")

    def op_compare(self, request):
        """Whether the inputs are as they were, then the error against fp64; in timed rounds, unless `exact` is asked for, a bound of
        it where that is found sooner."""
        with self.reference.with_others(self.current.weights, self.current.others):
            return wording.in_words(self._compare(request))

    def _compare(self, request):
        if changed := self._changed_input():
            return {"outcome": "inputs", "evidence": changed}
        try:
            report = None if request.get("exact") else self._compare_with_eager(request["outputs"], request.get("by_policy", True))
            if report:
                self.not_finite = 0
                return report
            self._know_current()
        except problems.ProblemError:
            if self.current.unusual:
                return compare.nothing_wrong()  # with other weights the reference could do with the like
            raise
        if self.current.unusual and (self._lacks_range(self.current) or not (self._leave_out_unsettled() or self._stays_finite(self.current))):
            return compare.nothing_wrong()
        if form := find_other_form(request["outputs"], self.current.eager, self.current.strides):
            return form
        return self.judge(self.current, [output.clone() for output in self._taken(request["outputs"], self.current.eager)])

    def _lacks_range(self, expected):
        return self.fits_half and not expected.fits_half

    def _leave_out_unsettled(self):
        return self.current.leave_out_unsettled()

    def _compare_with_eager(self, forms, by_policy):
        typical = self.typical.get(self.current.weights)
        if by_policy and (self.current.known or typical is None):
            return None
        # What is asked about once is not copied, unless something more is to be found out about it.
        once = not self.current.kind and self.current.eager is None
        eager = self._forward(self.current) if once else self._eager(self.current)
        report = None
        if not find_other_form(forms, eager, self.current.strides):
            report = self._near_to(eager, forms, by_policy, typical)
        if once and not report:
            self.current.eager = [o.clone() for o in eager]
        return report

    def _near_to(self, eager, forms, by_policy, typical):
        actual, eager = (self.parts.of(outputs) for outputs in (self._taken(forms, eager), eager))
        if not by_policy:
            return compare.nothing_wrong() if compare.is_near(actual, eager) else None
        return compare.bound(actual, eager, typical, self.precision, self.typical.chosen[self.current.weights])

    def _taken(self, forms, eager):
        """The candidate's outputs, of the right form by now: their bytes lie one after the other where kforge put them, until the next."""
        actual, offset = [], 0
        for e, (_, shape, stride) in zip(eager, forms):
            offset = tensors.aligned(offset)
            nbytes = tensors.span_bytes(e, stride)
            if offset + nbytes > self.outputs.size:
                raise problems.ProblemError(f"{self.problem.name}: the outputs changed their size between calls")
            actual.append(self.outputs.tensor(e.dtype, shape, stride, offset, nbytes))
            offset += nbytes
        return actual

    def op_vet(self, request):
        return vetting.vet(self.problem, self.reference, self.fresh, self.seeds)
