"""Checks every problem of the built-in suites: interface, shapes, values, determinism.

Run as a script: one line per problem, exit 0 if all is well, 1 if not. `--list` prints the files
only, names or parts of names as arguments select. gemm-tail problems run with SHRINK=32 and are
compared in fp64 with formulas written out here; their full sizes are checked on meta tensors,
which hold no memory.
"""

import argparse
import ast
import pathlib
import sys
import time

import torch

ROOT = pathlib.Path(__file__).resolve().parents[2] / "problems"
SUITES = ("starter", "gemm-tail")
SMALL = 32
ALLOWED_IMPORTS = {("torch", None), ("torch.nn", "nn"), ("torch.nn.functional", "F")}
INTERFACE = ("Model", "get_inputs", "get_init_inputs")
TWO_OUTPUTS = {("starter", 7), ("starter", 13)}
RANDOM_ID = 66
CONSTANT_ID = 80  # zero whatever the input
ZERO_IDS = {9, CONSTANT_ID}  # zero for the given inputs
STRETCH = 20.0  # widens the inputs so that clamps, minima and ReLUs act


def relu(x):
    return x * (x > 0)


def leaky(x, slope):
    return torch.where(x > 0, x, slope * x)


def sigmoid(x):
    return 1 / (1 + torch.exp(-x))


def swish(x):
    return x * sigmoid(x)


def mish(x):
    return x * torch.tanh(torch.log1p(torch.exp(x)))


def times_mish(x):
    return x * mish(x)


def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / 2**0.5))


def clamp(x, limit):
    return torch.minimum(torch.maximum(x, torch.full_like(x, -limit)), torch.full_like(x, limit))


def row_sum(x):
    return x.sum(1, keepdim=True)


def row_max(x):
    return x.sort(dim=1).values[:, -1:]


def logsumexp(x):
    return torch.log(row_sum(torch.exp(x - row_max(x)))) + row_max(x)


def softmax(x):
    return torch.exp(x - logsumexp(x))


def normalize(x, dim):
    centred = x - x.mean(dim, keepdim=True)
    return centred / torch.sqrt((centred**2).mean(dim, keepdim=True) + 1e-5)


def groups(x, count):
    return normalize(x.reshape(len(x), count, -1), 2).reshape(x.shape)


def pairs(x):
    return torch.maximum(x[:, 0::2], x[:, 1::2])


def pooled(x):
    return x.reshape(len(x), -1, 16).mean(2)


A, S, T = (1024, 8192, 8192), (16384, 4096, 4096), (2048, 8192, 8192)
W, V = (128, 32768, 32768), (128, 16384, 16384)
FULL, COLUMN, ROWS = "MN", "M1", "M"

# id: sizes (M, K, N), output shape, number of groups, learned extra parameter, formula.
# z is the product with its bias, p the learned extra parameter, g the number of groups,
# i the list of inputs.
FACTS = {
    9: (A, FULL, None, None, lambda z, p, g, i: relu((z - 2.0) * 1.5)),
    12: (A, FULL, None, None, lambda z, p, g, i: leaky(z * 2.0, 0.1)),
    14: (A, COLUMN, None, None, lambda z, p, g, i: row_sum(z / 2) * 1.5),
    18: (A, COLUMN, None, None, lambda z, p, g, i: row_sum(z)),
    22: (A, COLUMN, None, None, lambda z, p, g, i: times_mish(logsumexp(clamp(z * 4, 10)))),
    28: (A, FULL, None, None, lambda z, p, g, i: (normalize(z, 1) + i[1]) * i[1]),
    29: (A, FULL, None, None, lambda z, p, g, i: mish(mish(z))),
    30: (A, FULL, 16, None, lambda z, p, g, i: clamp(groups(z, g), 2)),
    33: (A, FULL, None, "vector", lambda z, p, g, i: normalize(z * p, 0)),
    37: ((32768, 1024, 4096), FULL, 64, "vector", lambda z, p, g, i: groups(swish(z) + p, g)),
    39: (S, FULL, None, "vector", lambda z, p, g, i: normalize(z * p, 0)),
    40: (S, FULL, None, None, lambda z, p, g, i: z * 1.5),
    41: (S, FULL, None, None, lambda z, p, g, i: relu(gelu(normalize(z, 0)))),
    45: ((16384, 2048, 1024), ROWS, None, None, lambda z, p, g, i: logsumexp(z)[:, 0]),
    51: (T, FULL, None, "vector", lambda z, p, g, i: gelu((z - p).mean(1, keepdim=True)) + i[0]),
    53: (T, FULL, None, None, lambda z, p, g, i: gelu(clamp(z * 0.5, 2))),
    55: (W, ROWS, None, None, lambda z, p, g, i: pairs(z).sum(1) * 0.5),
    56: (W, COLUMN, None, None, lambda z, p, g, i: row_sum(sigmoid(z))),
    59: (W, FULL, None, None, lambda z, p, g, i: swish(z) * 2),
    62: (A, FULL, 512, None, lambda z, p, g, i: leaky(groups(z, g), 0.01) * 2),
    63: (A, FULL, None, None, lambda z, p, g, i: relu(z) / 2),
    64: (A, COLUMN, None, None, lambda z, p, g, i: gelu(gelu(leaky(logsumexp(z), 0.0001)))),
    66: (V, FULL, None, None, None),
    68: (V, FULL, None, "scalar", lambda z, p, g, i: torch.minimum(z, p) - p),
    70: (A, FULL, None, None, lambda z, p, g, i: sigmoid(z) * 2 + z),
    75: (A, "1NM1", 512, "vector", lambda z, p, g, i: -row_max(-groups(z, g)) + p),
    76: (A, FULL, None, "vector", lambda z, p, g, i: relu(z + p)),
    80: (A, COLUMN, None, None, lambda z, p, g, i: 0 * row_sum(z)),
    81: (A, FULL, None, None, lambda z, p, g, i: clamp(torch.tanh(clamp(swish(z) / 2, 1)), 1)),
    84: (A, FULL, None, "scalar", lambda z, p, g, i: softmax(normalize(z, 0) * p)),
    86: (A, FULL, None, None, lambda z, p, g, i: gelu(z / 10)),
    88: (A, FULL, 256, "vector", lambda z, p, g, i: swish(swish(groups(z, g)) * p)),
    94: (A, FULL, 256, "vector", lambda z, p, g, i: groups(mish(clamp(z + p, 1)), g)),
    95: (A, FULL, None, "vector", lambda z, p, g, i: clamp(gelu(torch.tanh(swish(z + p))), 1)),
    97: (A, FULL, None, "scalar", lambda z, p, g, i: swish(normalize(z, 0) + p)),
    98: (A, ROWS, None, None, lambda z, p, g, i: (gelu(pooled(z)) * 2).max(1).values),
    99: (A, FULL, None, None, lambda z, p, g, i: softmax(gelu(z))),
}
NO_BIAS = {14, 76}


class Failure(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Failure(message)


def problem_id(path):
    return int(path.name[:2])


def load(path, shrink=None):
    """The module's names after its code ran, with SHRINK replaced if asked."""
    tree = ast.parse(path.read_text(), str(path))
    if shrink is not None:
        found = [
            node
            for node in tree.body
            if isinstance(node, ast.Assign) and node.targets[0].id == "SHRINK"
        ]
        require(len(found) == 1, "needs exactly one top-level assignment to SHRINK")
        require(type(getattr(found[0].value, "value", None)) is int, "SHRINK must be a literal int")
        require(found[0].value.value == 1, "SHRINK must be 1 as shipped")
        found[0].value.value = shrink
    names = {"__name__": path.stem}
    exec(compile(tree, str(path), "exec"), names)
    return names


def check_source(path):
    tree = ast.parse(path.read_text())
    require(ast.get_docstring(tree), "no docstring")
    for node in ast.walk(tree):
        require(not isinstance(node, ast.ImportFrom), "uses 'from ... import'")
        for name in getattr(node, "names", []) if isinstance(node, ast.Import) else []:
            require((name.name, name.asname) in ALLOWED_IMPORTS, f"imports {name.name}")


def as_list(output):
    return list(output) if isinstance(output, (tuple, list)) else [output]


def floats(tensors, dtype):
    return [t.to(dtype) if t.is_floating_point() else t for t in tensors]


def check_behaviour(path, names):
    """Runs the problem on the CPU; returns the model, now in fp64, and its fp32 inputs."""
    for name in INTERFACE:
        require(callable(names.get(name)), f"lacks {name}")
    torch.manual_seed(7)
    model = names["Model"](*names["get_init_inputs"]())
    require(model.training, "does not stay in training mode")
    inputs = names["get_inputs"]()
    kept = [t.clone() for t in inputs]
    first = as_list(model(*inputs))
    second = as_list(model(*inputs))
    require(all(map(torch.equal, inputs, kept)), "changes its inputs")
    expected = 2 if (path.parent.name, problem_id(path)) in TWO_OUTPUTS else 1
    require(len(first) == expected, f"{len(first)} outputs, expected {expected}")
    other = as_list(model(*names["get_inputs"]()))
    gemm_tail = path.parent.name == "gemm-tail"
    random = gemm_tail and problem_id(path) == RANDOM_ID
    zero = gemm_tail and problem_id(path) in ZERO_IDS
    for a, b, c in zip(first, second, other):
        require(type(a) is torch.Tensor and a.isfinite().all(), "an output is not finite")
        require(torch.equal(a, b) != random, "determinism is not as expected")
        require(zero == bool((a == 0).all()), "is zero, or is not though it should be")
        require(zero or not torch.equal(a, c), "does not depend on its inputs")
        require(zero or a.std() > 1e-4 * a.abs().max(), "an output is constant")
    exact = as_list(model.double()(*floats(inputs, torch.float64)))
    require(all(t.dtype == torch.float64 for t in exact), "cannot run in fp64")
    if not random:
        for a, b in zip(first, exact):
            require(torch.allclose(a.double(), b, rtol=1e-4, atol=1e-4), "fp32 and fp64 differ")
    return model, inputs


def check_full_size(path):
    """Shapes at SHRINK=1 as the workload defines them, and every smaller size still runs."""
    (m, k, n), form, group_count, _, _ = FACTS[problem_id(path)]
    for shrink in (1, 2, 4, 8, 16, SMALL):
        with torch.device("meta"):
            names = load(path, shrink)
            model = names["Model"](*names["get_init_inputs"]())
            inputs = names["get_inputs"]()
            output = model(*inputs)
        sizes = {"M": m // shrink, "N": n // shrink, "1": 1}
        second = [(sizes["M"], sizes["N"])] if problem_id(path) == 28 else []
        shapes = [tuple(t.shape) for t in inputs]
        require(shapes == [(sizes["M"], k // shrink)] + second, f"inputs {shapes} at {shrink}")
        require(tuple(output.shape) == tuple(sizes[c] for c in form), f"output {output.shape}")
        hidden = 4096 // shrink if problem_id(path) == 45 else None
        require(names.get("hidden_features") == hidden, "hidden size")
        if shrink == 1:
            require(names.get("num_groups") == group_count, "number of groups")


def product(model, inputs, id):
    state = dict(model.named_parameters())
    if id == 45:
        hidden = inputs[0] @ state["linear1.weight"].T + state["linear1.bias"]
        return sigmoid(hidden) @ state["linear2.weight"].T + state["linear2.bias"]
    weight = state.get("linear.weight", state.get("weight"))
    bias = state.get("linear.bias")
    require((bias is None) == (id in NO_BIAS), "bias of the product")
    return inputs[0] @ weight.T + (0 if bias is None else bias)


def check_parameters(path, names, model):
    """The learned parameter beside the product's and the norm's; returns it, or nothing."""
    own = ("linear.", "linear1.", "linear2.", "norm.", "weight")
    extra = [p for name, p in model.named_parameters() if not name.startswith(own)]
    kind = FACTS[problem_id(path)][3]
    require(len(extra) == (kind is not None), f"{len(extra)} learned extra parameters")
    if kind is None:
        return None
    count = names["out_features"] if kind == "vector" else 1
    require(extra[0].numel() == count, f"the learned {kind} has {extra[0].numel()} elements")
    require(kind == "scalar" or 0.7 < extra[0].std() < 1.3, "the learned vector is not torch.randn")
    return extra[0]


def check_values(path, names, model, inputs):
    """The fp64 model against the formula of FACTS, on its own inputs and on stretched ones."""
    for t in inputs:
        require(0 <= t.min() and t.max() < 1 and 0.4 < t.mean() < 0.6, "inputs are not torch.rand")
    p = check_parameters(path, names, model)
    id = problem_id(path)
    formula = FACTS[id][4]
    given = floats(inputs, torch.float64)
    for x in (given, [(t - 0.5) * STRETCH for t in given]):
        output = model(*x)
        if formula is None:
            ones = torch.ones(len(output), dtype=torch.float64)
            require(torch.allclose(output.sum(1), ones), "rows do not sum to one")
            continue
        expected = formula(product(model, x, id), p, names.get("num_groups"), x)
        require(expected.shape == output.shape, "shape differs from the formula's")
        close = torch.allclose(expected, output, rtol=1e-9, atol=1e-9)
        require(close, "values differ from the formula's")
    require(bool((output == 0).all()) == (id == CONSTANT_ID), "zero on stretched inputs")


def eager_ms(model, inputs):
    samples = []
    for _ in range(15):
        start = time.perf_counter()
        model(*inputs)
        samples.append((time.perf_counter() - start) * 1e3)
    return min(samples)


def check(path):
    """Checks one problem and returns the text for its line."""
    check_source(path)
    with torch.no_grad():
        if path.parent.name == "gemm-tail":
            require(problem_id(path) in FACTS, "unknown id")
            check_full_size(path)
            names = load(path, SMALL)
            model, inputs = check_behaviour(path, names)
            check_values(path, names, model, inputs)
        else:
            names = load(path)
            model, inputs = check_behaviour(path, names)
        return f"{eager_ms(model.float(), inputs):7.2f} ms eager"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print the problems and stop")
    parser.add_argument("names", nargs="*", help="check only problems whose path contains a name")
    options = parser.parse_args()
    paths = [p for suite in SUITES for p in sorted((ROOT / suite).glob("*.py"))]
    ids = [problem_id(p) for p in paths if p.parent.name == "gemm-tail"]
    failures = 0
    if ids != sorted(FACTS):
        print(f"FAIL gemm-tail: ids {sorted(set(FACTS) ^ set(ids))} missing, unknown or repeated")
        failures += 1
    for path in paths:
        label = f"{path.parent.name}/{path.stem}"
        if options.names and not any(name in label for name in options.names):
            continue
        if options.list:
            print(label)
            continue
        try:
            print(f"ok   {label:60}{check(path)}", flush=True)
        except Exception as error:  # every kind of broken problem is a failed line, not a stop
            failures += 1
            print(f"FAIL {label:60}{type(error).__name__}: {error}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
