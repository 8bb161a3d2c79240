"""Problem files: reading them, and making them so small that a reference call takes milliseconds."""

import ast
import importlib.util
import math
import sys
import time
from pathlib import Path

import torch

from forked import Failed, forked

CALL_S = 0.02
_BYTES = 1 << 20  # of inputs and outputs
_CAPS = (512, 256, 128, 64, 32, 16, 8)
_PATIENCE_S = 30
_LEAST = 8  # smaller numbers are kernel sizes, strides, exponents


class Unfit(Exception):
    """A problem that nothing can be measured with; the message says why."""


def load(path, name="sweep_problem"):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def make(module, wanted="Model", seed=0):
    """An instance of the reference, or of a candidate, as the arena makes it."""
    values = module.get_init_inputs()
    torch.manual_seed(seed)
    kind = getattr(module, wanted)
    model = kind(**values) if isinstance(values, dict) else kind(*values)
    return model.requires_grad_(False)


def inputs_of(module, seed):
    torch.manual_seed(seed)
    return list(module.get_inputs())


def outputs_of(value):
    """The tensors that a forward() has returned."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, torch.Tensor) for item in value):
        return list(value)
    raise Unfit(f"forward() returns {type(value).__name__}")


def _try(path):
    """Whether calls are short, and little goes in and out; raises where the problem does not work."""
    torch.set_num_threads(2)
    module = load(path)
    with torch.no_grad():
        inputs = inputs_of(module, 1)
        if _bytes(inputs) > _BYTES:  # no need to find out how long that takes
            return False
        model = make(module)
        first = outputs_of(model(*inputs))
        took = math.inf
        for _ in range(3):  # others may be at work
            began = time.monotonic()
            second = outputs_of(model(*inputs))
            took = min(took, time.monotonic() - began)
        if not all(torch.equal(a, b) for a, b in zip(first, second)):
            raise Unfit("two calls of the reference differ")
        if not all(torch.isfinite(output).all() for output in second):
            raise Unfit("the reference gives NaN or infinity")
    return took < CALL_S and _bytes(inputs) + _bytes(second) <= _BYTES


def _bytes(values):
    return sum(value.numel() * value.element_size() for value in values if isinstance(value, torch.Tensor))


def fits(path):
    return forked(_try, path, limit_s=10)


def _value(node):
    """The whole number that an expression of constants is, or None."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.BinOp) and _value(node.left) is not None and _value(node.right) is not None:
        value = eval(compile(ast.Expression(node), "", "eval"), {})
        return value if type(value) is int else None
    return None


def _sizes(tree):
    """(name, node, value) of the numbers that make a problem large: module-level constants, and what get_inputs() and
    get_init_inputs() name themselves."""
    found = []

    def look(node, name):
        value = _value(node)
        if value is not None:
            if value > _LEAST:
                found.append((name, node, value))
            return
        for child in ast.iter_child_nodes(node):
            look(child, name)

    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            look(statement.value, getattr(statement.targets[0], "id", ""))
        elif isinstance(statement, ast.FunctionDef) and statement.name in ("get_inputs", "get_init_inputs"):
            look(statement, statement.name)
    return found


def _rewritten(text, changes):
    """The text with other numbers at the places of some nodes."""
    lines = text.splitlines(keepends=True)
    for node, value in sorted(changes, key=lambda change: (change[0].lineno, change[0].col_offset), reverse=True):
        line = lines[node.lineno - 1].encode()
        lines[node.lineno - 1] = (line[:node.col_offset] + str(value).encode() + line[node.end_col_offset:]).decode()
    return "".join(lines)


def shrink(path, target):
    """Writes a problem whose calls are short to `target`."""
    text = Path(path).read_text(encoding="utf-8")
    sizes = [size for size in _sizes(ast.parse(text)) if size[1].lineno == size[1].end_lineno]
    why = ""
    for cap, of_batches in ((cap, part) for cap in _CAPS for part in (16, 1)):  # a batch may have to be as large as what it meets
        changes = [(node, min(value, max(4, cap // (of_batches if "batch" in name else 1)))) for name, node, value in sizes]
        target.write_text(_rewritten(text, changes), encoding="utf-8")
        try:
            if fits(target):
                return
            why = why or f"a call takes more than {CALL_S * 1000:g} ms at every size that works"
        except Failed as error:
            why = str(error)
    _shrink_one_by_one(text, sizes, target, why)


def _shrink_one_by_one(text, sizes, target, why):
    """Where sizes hang together: each by halves, as far as the reference goes along."""
    values, until = [value for _, _, value in sizes], time.monotonic() + _PATIENCE_S
    for _ in range(5):
        for index, value in enumerate(values):
            if value <= _LEAST or time.monotonic() > until:
                continue
            values[index] = value // 2
            target.write_text(_rewritten(text, [(node, v) for (_, node, _), v in zip(sizes, values)]), encoding="utf-8")
            try:
                if fits(target):
                    return
            except Failed as error:
                why = str(error)
                values[index] = value
    raise Unfit(why)
