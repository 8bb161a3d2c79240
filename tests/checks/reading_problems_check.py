"""Checks how the referee reads problems: which it refuses and with which words, and what it makes of odd ones. Needs PyTorch.

Run as a script: the names of the tests that failed with their traces, exit 0 if all is well, 1 if not. Parts of names
as arguments select.
"""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import torch  # noqa: E402

from _small_tests import raises, run  # noqa: E402
from kforge_arena import cases, distributions, referee  # noqa: E402
from kforge_arena.problem import Problem, ProblemError, check_output  # noqa: E402


GOOD = """import torch
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
    def forward(self, x):
        return self.linear(x)
def get_inputs():
    return [torch.randn(2, 4)]
def get_init_inputs():
    return []
"""


def load(source, mode="as_is"):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "problem.py"
        path.write_text(source, encoding="utf-8")
        judge = referee.Referee()
        seeds = {"given": 1, "weights": [2, 3, 4], "cases": 5}
        judge.op_load({"path": str(path), "name": "the problem", "mode": mode, "device": "cpu", "precision": "strict", "seeds": seeds})
        return judge


def vet(source):
    return load(source).op_vet({})


def changed(old, new):
    assert old in GOOD, old
    return GOOD.replace(old, new)


def test_a_good_problem_is_read():
    judge = load(GOOD)
    assert judge.op_vet({})["state"] == "ok"
    assert load(GOOD, "eval").reference.model(0, "seeded").training is False and judge.reference.model(0, "seeded").training
    assert not any(p.requires_grad for p in judge.reference.model(0, "seeded").parameters())


def test_each_fault_of_a_problem_has_its_message():
    faults = [
        ("import torch\nclass Model(:\n", "the problem does not import: SyntaxError", "line 2"),
        ("import no_such_package\n" + GOOD, "does not import: ModuleNotFoundError", "(line 1: import no_such_package)"),
        ("import sys\nsys.exit(3)\n", "does not import: SystemExit", "sys.exit(3)"),
        (GOOD.replace("class Model", "class Modell"), "does not define Model"),
        (changed("def get_inputs", "def inputs"), "does not define get_inputs"),
        (changed("def get_init_inputs", "def init_inputs"), "does not define get_init_inputs"),
        (GOOD + "Model = 3\n", "Model is not a torch.nn.Module class"),
        (changed("return []", "return 3"), "get_init_inputs() returns int, not a list"),
        (changed("return []", "return [1, 2]"), "Model(*init_inputs) failed: TypeError"),
        (changed("return []", "return {'x': 1}"), "Model(**init_inputs) failed: TypeError"),
        (changed("return []", "return [object()]").replace("__init__(self)", "__init__(self, x)"), "type object"),
        (changed("        super().__init__()\n        self.linear = torch.nn.Linear(4, 4)\n", "        pass\n"),
         "Model(*init_inputs) failed: AttributeError"),
        (changed("Linear(4, 4)\n", "Linear(4, 4)\n        self.register_buffer('graph', torch.eye(4).to_sparse())\n"),
         "graph of Model has the layout torch.sparse_coo"),
        (changed("[torch.randn(2, 4)]", "torch.randn(2, 4)"), "get_inputs() returns Tensor, not a list"),
        (changed("[torch.randn(2, 4)]", "[3]"), "get_inputs() returns no tensor"),
        (changed("[torch.randn(2, 4)]", "[1 / 0]"), "get_inputs() failed: ZeroDivisionError", "line 9"),
        (changed("[torch.randn(2, 4)]", "[torch.empty(1 << 50)]"), "get_inputs() needs more memory than there is"),
        (changed("return self.linear(x)", "raise torch.OutOfMemoryError('CUDA out of memory')"),
         "forward() needs more memory than there is: CUDA out of memory"),
        (changed("torch.randn(2, 4)", "torch.randn(2, 5)"), "forward() failed: RuntimeError", "(line 7:"),
        (changed("return self.linear(x)", "return None"), "forward() returns NoneType"),
        (changed("return self.linear(x)", "return {'y': x}"), "forward() returns dict"),
        (changed("return self.linear(x)", "return x.to_sparse()"), "layout torch.sparse_coo are not supported"),
        (changed("torch.randn(2, 4)", "torch.randn(2, 4).to(torch.float8_e4m3fn)"), "dtype torch.float8_e4m3fn are not supported"),
        (changed("torch.randn(2, 4)", "torch.nested.nested_tensor([torch.randn(3, 4), torch.randn(2, 4)])"), "nested tensors are not supported"),
        (changed("return self.linear(x)", "return x, torch.nested.nested_tensor([x, x[:1]])"), "forward() returns a nested tensor"),
        (changed("return self.linear(x)", "return x.mul_(2)"), "forward() changes input 0 in place"),
        (changed("return self.linear(x)", "self.linear.bias.data += 1; return self.linear(x)"), "forward() changes the parameter linear.bias in place"),
        *((changed("Linear(4, 4)", f"Embedding(9, 4, max_norm={bound})").replace("self.linear(x)", "self.linear(x.long().abs())"),
           "forward() changes the parameter linear.weight in place") for bound in (1, 1000)),
    ]
    for source, *parts in faults:
        raises(ProblemError, lambda: load(source), "the problem", *parts)


def test_what_the_reference_keeps_of_its_result_is_its_result():
    assert load(changed("return self.linear(x)", "self.last = self.linear(x); return self.last")).given_back == []
    assert load(changed("return self.linear(x)", "return self.linear.weight")).given_back == [0]
    assert load(changed("return self.linear(x)", "return self.linear(x), x")).given_back == [1]


def test_odd_but_right_problems_are_accepted():
    tokens = "[torch.randn(2, 4), torch.arange(2), torch.tensor(2.0), torch.empty(0), 'text', None, 3]"
    odd = [
        changed("return []", "return [float('inf'), -float('inf')]").replace("__init__(self)", "__init__(self, a, b)"),
        changed("return []", "return {'a': 1, 'b': (2, 3)}").replace("__init__(self)", "__init__(self, a, b)"),
        changed("[torch.randn(2, 4)]", tokens).replace("forward(self, x)", "forward(self, x, *rest)"),
        changed("return self.linear(x)", "return self.linear(x), x.argmax(1), x.sum()"),
        changed("torch.randn(2, 4)", "torch.randn(4).expand(3, 4)"),
        changed("torch.randn(2, 4)", "torch.randn(9).unfold(0, 4, 1)"),
        changed("torch.randn(2, 4)", "torch.randn(2, 4).requires_grad_()"),
        changed("return self.linear(x)", "return torch.fft.fft(self.linear(x))"),
        changed("return self.linear(x)", "return self.linear(x[:, numpy.array([3, 1, 0, 2])])").replace("import torch\n", "import numpy\nimport torch\n", 1),
        changed("return self.linear(x)", "self.eye = torch.eye(4).to_sparse(); return self.linear(x)"),
        "# \u00e4\u20ac\n" + GOOD,
    ]
    for source in odd:
        judge = load(source)
        assert judge.op_vet({})["state"] == "ok", source
        judge.op_weights({"index": 1, "kind": "loaded"})
        for name in ("given", "normal", "ties", "strides sliced", "batch 1"):
            reply = judge.op_case({"name": name, "weights": 1, "kind": "loaded"})
            assert json.dumps(reply, allow_nan=False), (name, source)
            if reply["applicable"]:
                assert not judge.op_unchanged({})["changed"], (name, source)


def test_vetting_tells_degenerate_random_and_broken_problems():
    expected = {
        "return x * 0": ("degenerate", "zero"),
        "return x * 0 + 7": ("degenerate", "constant"),
        "return torch.arange(4.0) + 0 * x.sum()": ("degenerate", "insensitive"),
        "return x[:0]": ("degenerate", "empty"),
        "return x + torch.rand_like(x)": ("random", "differs"),
        "return x / 0": ("broken", "non_finite"),
        "return x.masked_fill(x < 0, -torch.inf)": ("ok", ""),
    }
    for body, (state, reason) in expected.items():
        report = vet(changed("(2, 4)", "(64, 4)").replace("return self.linear(x)", body))
        assert (report["state"], report["reason"]) == (state, reason) and bool(report["evidence"]) == (state != "ok"), (body, report)


def outcome_of(judge, name, answer):
    """Of a case, when a candidate gives `answer(what eager gives)`."""
    assert judge.op_case({"name": name, "weights": 0, "kind": "loaded"})["applicable"], name
    y = answer(judge.current.eager[0].clone())
    judge.outputs.tensor(y.dtype, y.shape, y.stride(), 0, y.nbytes).copy_(y)
    return judge.op_compare({"outputs": [[str(y.dtype).removeprefix("torch."), list(y.shape), list(y.stride())]], "by_policy": False})["outcome"]


def test_which_of_equal_values_comes_first_is_not_asked_and_all_else_is():
    def another(index):
        return (index + 1) % 4

    judge = load(changed("return self.linear(x)", "return x.argmax(1)").replace("(2, 4)", "(64, 4)"))
    for name in distributions.DISTRIBUTIONS:
        equal = name in ("zeros", "rows")
        assert outcome_of(judge, name, another) == ("pass" if equal else "values"), name
        assert outcome_of(judge, name, lambda index: index) == "pass", name
    # In single precision nothing is left of most of these.
    judge = load(changed("return self.linear(x)", "return torch.softmax(400 * x, 1).argmin(1)").replace("(2, 4)", "(64, 4)"))
    last = lambda index: 3 - torch.softmax(400 * judge.current.inputs[0], 1).flip(1).argmin(1)
    assert outcome_of(judge, "negative", last) == "pass" and not torch.equal(last(None), judge.current.eager[0])
    judge = load(changed("return self.linear(x)", "return torch.softmax(400 * x, 1).argmax(1)").replace("(2, 4)", "(64, 4)"))
    assert outcome_of(judge, "negative", another) == "values"
    judge = load(changed("return self.linear(x)", "return (torch.sigmoid(x) * 256).long().clamp(max=255)").replace("(2, 4)", "(64, 4)"))
    assert outcome_of(judge, "large", lambda level: torch.where(level == 255, 256, level)) == "values"
    assert outcome_of(judge, "large", lambda level: level) == "pass"
    judge = load(changed("return self.linear(x)", "return x > 0").replace("(2, 4)", "(64, 4)"))
    assert all(outcome_of(judge, name, torch.logical_not) == "values" for name in distributions.DISTRIBUTIONS)


def compare_round(judge, seed):
    judge.op_fill({"seed": seed, "weights": 0, "kind": "loaded"})
    return judge.op_compare({"outputs": []})


def test_rounds_on_which_the_reference_fails_now_and_then_are_compared():
    now_and_then = "[torch.log((torch.rand(2, 4) - 0.02).clamp(min=0)).nan_to_num(neginf=-math.inf)]"
    judge = load("import math\n" + changed("[torch.randn(2, 4)]", now_and_then))
    outcomes = {(compare_round(judge, 1000 + seed)["outcome"], judge.current.finite()) for seed in range(40)}
    assert outcomes == {("shape", True), ("shape", False)}, outcomes
    judge = load(changed("return self.linear(x)", "return x / 0"))
    raises(ProblemError, lambda: [compare_round(judge, seed) for seed in range(20)], "NaN")


def test_what_is_expected_of_a_round_is_found_out_after_the_call():
    judge = load(GOOD)
    judge.op_fill({"seed": 1, "weights": 0, "kind": "loaded"})
    assert not judge.current.known
    judge.op_compare({"outputs": []})
    assert judge.current.known


def test_ill_conditioned_cases_ask_for_no_more_than_stability():
    judge = load(changed("torch.nn.Linear(4, 4)", "torch.nn.LayerNorm(256)").replace("(2, 4)", "(64, 256)"))

    def stable(name, shift):
        """Whether a layer norm passes whose means are off by so many units in the last place."""
        judge.op_case({"name": name, "weights": 0, "kind": "loaded"})
        x = judge.current.inputs[0]
        mean = x.mean(1, keepdim=True) * (1 + shift * torch.finfo(x.dtype).eps)
        y = (x - mean) * torch.rsqrt(x.var(1, unbiased=False, keepdim=True) + 1e-5)
        judge.outputs.tensor(y.dtype, y.shape, y.stride(), 0, 4 * y.numel()).copy_(y)
        return judge.op_compare({"outputs": [["float32", [64, 256], [256, 1]]]})["stable"]

    assert stable("normal", 2) and stable("rows", 2) and stable("offset", 2)
    assert not stable("rows", 1e5) and not stable("offset", 1e5)


def test_running_statistics_stay_as_they_were():
    judge = load(changed("torch.nn.Linear(4, 4)", "torch.nn.BatchNorm1d(4)"))
    model = judge.reference.model(0, "seeded")
    before = model.linear.running_mean.clone()
    judge.problem.forward(model, [torch.randn(2, 4) + 5])
    assert torch.equal(model.linear.running_mean, before)


def test_outputs_are_tensors_or_tuples_of_them():
    x = torch.ones(1)
    assert check_output(x, "p") == [x] and check_output((x, x), "p") == [x, x] and check_output([x], "p") == [x]
    for bad in ((), [x, 3], 3, {"a": x}, None):
        raises(ProblemError, lambda: check_output(bad, "p"), "must return a tensor")
    for bad, words in (((x, (x, x)), "tuple with tuple as element 1"), ([x, None], "list with NoneType as element 1"),
                       ((3, x), "tuple with int as element 0"), ((), "tuple of nothing")):
        raises(ProblemError, lambda: check_output(bad, "p"), f"forward() returns {words}; it must return a tensor")


def test_a_missing_file_is_a_fault_of_the_problem():
    raises((ProblemError, OSError), lambda: Problem("/no/such/file.py", "p", "as_is"))


def test_a_seed_of_the_problems_own_gives_nothing_away():
    judge = load(changed("def get_inputs():", "def get_inputs():\n    torch.manual_seed(0)"))
    given, again = (judge.problem.make_inputs(seed)[0] for seed in (1, 2))
    assert torch.equal(given, again)
    one, other = (cases.make_inputs(judge.problem, "normal", seed)[0] for seed in (1, 2))
    assert not torch.equal(one, other)
    first, same, second = (judge.fresh(seed)[0] for seed in (1, 1, 2))
    assert torch.equal(first, same) and not torch.equal(first, second) and torch.equal(first.sign(), given.sign())
    assert (first.abs() <= given.abs()).all() and (first.abs() >= 0.89 * given.abs()).all()


def test_all_random_numbers_follow_from_the_seed():
    body = "import random, numpy\n    return [torch.tensor([[random.random(), float(numpy.random.rand()), float(torch.rand(())), 0]])]"
    judge = load(changed("return [torch.randn(2, 4)]", body))
    one, same, other = (judge.problem.make_inputs(seed)[0][0, :3] for seed in (2**63 + 1, 2**63 + 1, 2**63 + 2))
    assert torch.equal(one, same) and (one != other).all(), (one, same, other)
    judge = load(changed("return []", "return [torch.rand(())]").replace("def __init__(self):", "def __init__(self, x):"))
    assert torch.equal(judge.problem.init_inputs()[0], judge.problem.init_inputs()[0])


if __name__ == "__main__":
    sys.exit(run(globals()))
