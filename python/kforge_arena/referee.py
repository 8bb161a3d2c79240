"""The referee: trusted, holds the reference, the seeds and the expected outputs, and compares."""

import copy

import torch

from . import cases, compare, problem as problems, render, tensors

_CACHE_BYTES = 1 << 30


class Expected:
    """Inputs of one case and what the reference makes of them."""

    def __init__(self, inputs, eager, exact, half):
        self.inputs = inputs
        self.eager = eager
        self.exact = exact
        self.half = half

    def nbytes(self):
        groups = (self.inputs, self.eager, self.exact, self.half or [])
        return sum(t.numel() * t.dtype.itemsize for group in groups for t in tensors.tensors_of(group))


class Referee:
    def __init__(self):
        self.problem = None
        self.models = {}
        self.expected = {}
        self.cached = 0
        self.current = None

    # --- Before there is a problem -------------------------------------------------------------------------

    def op_render(self, request):
        text = render.render(request["folders"], request.get("name"), request.get("text"), request["context"])
        return {"text": text}

    # --- The problem ---------------------------------------------------------------------------------------

    def op_load(self, request):
        self.precision = request["precision"]
        self.seeds = request["seeds"]
        self.problem = problems.Problem(request["path"], request["name"], request["mode"])
        inputs = self.problem.make_inputs(self.seeds["given"])
        model = self.model(0, "seeded")
        outputs = self.problem.forward(model, inputs)
        weights = self._weights_tree(model)
        try:
            input_spec, input_bytes = tensors.layout(inputs)
            output_spec, output_bytes = tensors.layout(outputs)
            _, weight_bytes = tensors.layout(weights)
        except tensors.UnsupportedValue as error:
            raise problems.ProblemError(f"{self.problem.name}: {error}") from None
        self.inputs = tensors.Buffer.create("kforge-inputs", 3 * input_bytes + (1 << 20))
        self.outputs = tensors.Buffer.create("kforge-outputs", 2 * output_bytes + (1 << 20))
        self.weights = tensors.Buffer.create("kforge-weights", weight_bytes + (1 << 16))
        facts = {
            "inputs": [self._describe(f"input {i}", s) for i, s in enumerate(tensors.tensor_specs(input_spec))],
            "outputs": [self._describe(f"output {i}", s) for i, s in enumerate(tensors.tensor_specs(output_spec))],
            "parameters": [f"{name}: {tensors.dtype_name(p.dtype)} {list(p.shape)}"
                           for name, p in model.state_dict().items()],
        }
        buffers = (self.inputs, self.outputs, self.weights)
        reply = {"facts": facts, "sizes": [b.size for b in buffers], "torch": torch.__version__,
                 "threads": torch.get_num_threads(), "input_bytes": input_bytes, "output_bytes": output_bytes}
        return reply, [b.fd for b in buffers]

    @staticmethod
    def _describe(name, spec):
        return f"{name}: {spec[0]} {spec[1]}"

    def model(self, index, kind):
        """Weight set `index`; kind "seeded" is as constructed, "loaded" has its parameters moved."""
        key = (index, kind)
        if key not in self.models:
            model = self.problem.make_model(self.seeds["weights"][index])
            if kind == "loaded" and index > 0:
                plain = copy.deepcopy(model.state_dict())
                cases.perturb(model, self.seeds["weights"][index])
                outputs = self.problem.forward(model, self.problem.make_inputs(self.seeds["given"]))
                if not all(torch.isfinite(o).all() for o in outputs if o.dtype.is_floating_point):
                    model.load_state_dict(plain)
            self.models[key] = model
        return self.models[key]

    def _weights_tree(self, model):
        return {"init": self.problem.init_inputs(), "state": dict(model.state_dict())}

    def op_weights(self, request):
        """Puts one weight set into the shared buffer."""
        model = self.model(request["index"], request["kind"])
        tree = self._weights_tree(model)
        spec, _ = tensors.layout(tree)
        tensors.store(tree, spec, self.weights)
        reply = {"spec": spec}
        if request["kind"] == "seeded":
            reply["seed"] = self.seeds["weights"][request["index"]]
        return reply

    # --- Cases -----------------------------------------------------------------------------------------------

    def _exact_model(self, model):
        return copy.deepcopy(model).double()

    def _expect(self, model, inputs):
        eager = [o.clone() for o in self.problem.forward(model, inputs)]
        wide = tensors.map_tensors(inputs, lambda t: t.double() if t.dtype.is_floating_point else t)
        try:
            exact = self.problem.forward(self._exact_model(model), wide)
            exact = [x.double() if e.dtype.is_floating_point else e for x, e in zip(exact, eager, strict=True)]
            if any(x.shape != e.shape for x, e in zip(exact, eager)):
                raise problems.ProblemError("the fp64 reference has another shape")
        except (problems.ProblemError, ValueError):
            # A reference that fixes its dtype cannot be widened; eager is then the best truth there is.
            exact = [e.double() if e.dtype.is_floating_point else e for e in eager]
        return Expected(inputs, eager, exact, self._half(model, inputs) if self.precision == "mixed" else None)

    def _half(self, model, inputs):
        for dtype in (torch.float16, torch.bfloat16):
            try:
                with torch.autocast("cpu", dtype=dtype):
                    return [o.float() for o in self.problem.forward(model, inputs)]
            except problems.ProblemError:
                continue
        return None

    def _prepare_case(self, name, index, kind):
        key = (name, index, kind)
        if key in self.expected:
            return self.expected[key]
        inputs = cases.make_inputs(self.problem, name, self.seeds["cases"][name])
        expected, why = None, "does not apply to these inputs"
        if inputs is not None:
            try:
                expected = self._expect(self.model(index, kind), inputs)
            except problems.ProblemError as error:
                expected, why = None, f"the reference does not accept it: {error}"
        if expected is not None and not self._well_posed(expected):
            expected, why = None, "the reference itself gives no finite or accurate result"
        entry = (expected, why)
        if expected is None or self.cached + expected.nbytes() <= _CACHE_BYTES:
            self.expected[key] = entry
            self.cached += expected.nbytes() if expected else 0
        return entry

    def _well_posed(self, expected):
        for eager, exact in zip(expected.eager, expected.exact):
            if not eager.dtype.is_floating_point:
                continue
            if not torch.isfinite(eager).all() or not torch.isfinite(exact).all():
                return False
            if compare.relative_error(eager, exact) > 0.05:
                return False
        return True

    def op_case(self, request):
        expected, why = self._prepare_case(request["name"], request["weights"], request["kind"])
        if expected is None:
            return {"applicable": False, "why": why}
        return {"applicable": True, "spec": self._stage(expected)}

    def op_fill(self, request):
        """Fresh inputs for one round of timed calls; expected outputs only where they will be checked."""
        inputs = self.problem.make_inputs(request["seed"])
        if request["check"]:
            expected = self._expect(self.model(request["weights"], request["kind"]), inputs)
        else:
            expected = Expected(inputs, None, None, None)
        return {"spec": self._stage(expected)}

    def _stage(self, expected):
        spec, size = tensors.layout(expected.inputs)
        if size > self.inputs.size:
            raise problems.ProblemError(f"{self.problem.name}: the inputs changed their size between calls")
        tensors.store(expected.inputs, spec, self.inputs)
        self.current = expected
        self.staged = spec
        return spec

    def op_unchanged(self, request):
        """Whether the shared inputs still hold what was put there."""
        for index, (ours, theirs) in enumerate(zip(tensors.tensors_of(self.current.inputs),
                                                   tensors.tensors_of(tensors.load(self.staged, self.inputs)))):
            same = torch.equal(ours.contiguous().view(torch.uint8) if ours.dim() else ours,
                               theirs.contiguous().view(torch.uint8) if theirs.dim() else theirs)
            if not same:
                return {"unchanged": False, "evidence": f"input {index} was modified in place"}
        return {"unchanged": True}

    def op_compare(self, request):
        form = compare.check_form(request["outputs"], self.current.eager)
        if form:
            return form
        # The player is told where to put what; nothing that it says about places or strides is used.
        actual, offset = [], 0
        for eager in self.current.eager:
            offset = tensors.aligned(offset)
            nbytes = eager.numel() * eager.dtype.itemsize
            dense = torch.empty(eager.shape, device="meta").stride()
            actual.append(self.outputs.tensor(eager.dtype, list(eager.shape), dense, offset, nbytes).clone())
            offset += nbytes
        return compare.compare(actual, self.current.eager, self.current.exact, self.current.half, self.precision)

    # --- Vetting -----------------------------------------------------------------------------------------------

    def op_vet(self, request):
        """ok, degenerate or random; a broken problem never gets here."""
        model = self.model(0, "seeded")
        inputs = self.problem.make_inputs(self.seeds["given"])
        torch.manual_seed(self.seeds["cases"]["normal"])
        first = self.problem.forward(model, inputs)
        torch.manual_seed(self.seeds["cases"]["large"])
        again = self.problem.forward(model, inputs)
        for index, (a, b) in enumerate(zip(first, again)):
            if a.dtype.is_floating_point and not torch.isfinite(a).all():
                count = int((~torch.isfinite(a)).sum())
                return self._vetted("broken", "non_finite", f"output {index} has {count} NaN or infinite values")
            if not torch.allclose(a.double(), b.double(), rtol=1e-3, atol=1e-5):
                gap = (a.double() - b.double()).abs().max().item()
                return self._vetted("random", "differs", f"two runs on the same inputs differ by up to {gap:.3g}")
        other = self.problem.forward(model, self.problem.make_inputs(self.seeds["cases"]["normal"]))
        complaints = [self._degenerate(i, a, b) for i, (a, b) in enumerate(zip(first, other))]
        if all(complaints):
            return self._vetted("degenerate", complaints[0][0], complaints[0][1])
        return self._vetted("ok", "", "")

    def _degenerate(self, index, output, other):
        if output.numel() == 0:
            return "empty", f"output {index} is empty"
        wide = output.double()
        tolerance = compare.tolerance(output.dtype, "strict")
        if wide.abs().max().item() <= tolerance:
            return "zero", f"output {index} is at most {wide.abs().max().item():.3g}: zeros would pass"
        if output.numel() > 1 and (wide.max() - wide.min()).item() <= tolerance * wide.abs().max().item():
            return "constant", f"output {index} is the constant {wide.flatten()[0].item():.6g}"
        if output.shape == other.shape and torch.allclose(wide, other.double(), rtol=1e-4, atol=1e-6):
            return "insensitive", f"output {index} does not depend on the inputs"
        return None

    @staticmethod
    def _vetted(state, reason, evidence):
        return {"state": state, "reason": reason, "evidence": evidence}
