"""Candidates of a problem, made from its own text: honest rewrites, and mistakes. Each is a file of its own: the reference under another
name, the text of rewrites.py (and mutations.py), and a NewModel that is derived from the reference, so that weights keep their names."""

import functools
import random
import re
from pathlib import Path

import torch

import mutations
import problems
import rewrites

FOLDER = Path(__file__).resolve().parent
_MOST_WEIGHTS = 3

_HONEST = {
    "copy": "return plain(super().forward(*args))",
    "contiguous inputs": "return plain(super().forward(*each(args, torch.Tensor.contiguous)))",
    "channels last": "return plain(super().forward(*each(args, lambda x: x.contiguous(memory_format=torch.channels_last) if x.dim() == 4 else x)))",
    "operations in double": "with Handled(in_double):\n            return plain(super().forward(*args))",
    "all in double": "return plain(super().forward(*args))",  # see _in_double
    "two halves": """size = len(args[0]) // 2
        parts = [super(NewModel, self).forward(*(x[part] if isinstance(x, torch.Tensor) and x.dim() and len(x) == len(args[0]) else x for x in args))
                 for part in (slice(None, size), slice(size, None))]
        return torch.cat(parts)""",
}

_IN_DOUBLE = '''

class NewModel(Reference):
    def forward(self, *args):
        if "twin" not in self.__dict__:
            self.__dict__["twin"] = copy.deepcopy(self).double()
        return plain(each(Reference.forward(self.__dict__["twin"], *each(args, torch.Tensor.double)), torch.Tensor.float))
'''

_COMPILED = '''

class NewModel(Reference):
    def forward(self, *args):
        if "quick" not in self.__dict__:
            self.__dict__["quick"] = torch.compile(super().forward)
        return plain(self.__dict__["quick"](*args))
'''

_COMMON = '''
import copy

CALLS = [0]


def each(tree, change):
    """The tensors of single, or double, precision in a tree, changed."""
    if isinstance(tree, torch.Tensor):
        return change(tree) if tree.dtype in (torch.float32, torch.float64) else tree
    if isinstance(tree, (list, tuple)):
        return type(tree)(each(item, change) for item in tree)
    return tree


def plain(tree):
    return each(tree, torch.Tensor.contiguous)


def only(mistake, which):
    """A handler that makes a mistake once, of all the times that it could."""
    count = iter(range(1 << 30))

    def handle(func, args, kwargs):
        result = mistake(func, args, kwargs)
        return func(*args, **kwargs) if result is None or next(count) != which else result
    return handle


def changed_first(outputs, change):
    """The first output of single precision changed, in memory of its own."""
    items = [outputs] if isinstance(outputs, torch.Tensor) else list(outputs)
    place = next(index for index, item in enumerate(items) if item.dtype == torch.float32)
    items[place] = items[place].clone(memory_format=torch.contiguous_format)
    change(items[place])
    return plain(items[0] if isinstance(outputs, torch.Tensor) else tuple(items))


'''

_AS_MADE = '''
    def forward(self, *args):
        *path, name = {name!r}.split(".")
        module = self.get_submodule(".".join(path))
        loaded = module._parameters[name]
        module._parameters[name] = torch.full_like(loaded, {value})
        try:
            return plain(super().forward(*args))
        finally:
            module._parameters[name] = loaded
'''

_LATE = '''
    def forward(self, *args):
        CALLS[0] += 1
        result = plain(super().forward(*args))
        return changed_first(result, OF_OUTPUTS["one sample"]) if {when} else result
'''


def _text_of(name):
    """A file of this folder without what it says of itself, and what it imports from the others."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    text = text[text.index('"""', 3) + 3:]
    return re.sub(r"try:\n    from rewrites.*?pass\n", "", text, flags=re.S)


@functools.cache
def _pasted(wrong):
    return _text_of("rewrites.py") + (_text_of("mutations.py") if wrong else "") + _COMMON


def _candidate(reference, name, body, wrong=False):
    renamed = re.sub(r"\bModel\b", "Reference", reference)
    return f"# {name}\n{_pasted(wrong)}{renamed}\n{body}"


def _with_forward(body):
    return f"\n\nclass NewModel(Reference):\n    def forward(self, *args):\n        {body}\n"


def _handled(module, handle):
    """Calls the reference while somebody handles its operations."""
    model, inputs = problems.make(module), problems.inputs_of(module, 1)
    with torch.no_grad(), rewrites.Handled(handle):
        return model(*inputs)


def _operations(module):
    seen = set()
    _handled(module, lambda func, args, kwargs: (seen.add(func), func(*args, **kwargs))[1])
    return seen


def _count(module, mistake):
    """How often a call could make a mistake."""
    count = [0]

    def handle(func, args, kwargs):
        count[0] += mistake(func, args, kwargs) is not None
        return func(*args, **kwargs)

    _handled(module, handle)
    return count[0]


def _is_per_sample(module):
    model, inputs = problems.make(module).double(), problems.inputs_of(module, 1)
    wide = [x.double() if isinstance(x, torch.Tensor) and x.dtype == torch.float32 else x for x in inputs]
    size = len(wide[0]) if isinstance(wide[0], torch.Tensor) and wide[0].dim() else 0
    if size < 2 or any(isinstance(x, torch.Tensor) and (not x.dim() or len(x) != size) for x in wide):
        return False
    try:
        with torch.no_grad():
            whole = model(*wide)
            parts = [model(*(x[part] if isinstance(x, torch.Tensor) else x for x in wide))
                     for part in (slice(None, size // 2), slice(size // 2, None))]
            return isinstance(whole, torch.Tensor) and torch.allclose(torch.cat(parts), whole, rtol=1e-9, atol=1e-12)
    except (RuntimeError, TypeError, ValueError, IndexError):
        return False


def honest(path, compiled=False):
    """{name: text} of the rewrites that change something of this problem."""
    module, text = problems.load(path), Path(path).read_text(encoding="utf-8")
    seen, shapes = _operations(module), [x.dim() for x in problems.inputs_of(module, 1) if isinstance(x, torch.Tensor)]
    bodies = {name: _with_forward(body) for name, body in _HONEST.items()}
    bodies["all in double"] = _IN_DOUBLE
    for name, table in rewrites.TABLES.items():
        if seen & table.keys():
            bodies[name] = _with_forward(f"with Handled(by_table(TABLES[{name!r}])):\n            return plain(super().forward(*args))")
    if 4 not in shapes:
        del bodies["channels last"]
    if not _is_per_sample(module):
        del bodies["two halves"]
    if compiled:
        bodies["compiled"] = _COMPILED
    return {name: _candidate(text, name, body) for name, body in bodies.items()}


def wrong(path, most):
    """{name: text} of up to `most` mistakes, of every kind the first and the last place where it can be made."""
    module, text = problems.load(path), Path(path).read_text(encoding="utf-8")
    bodies = {}
    for name, mistake in mutations.OF_OPERATIONS.items():
        count = _count(module, mistake)
        for which in sorted({0, count - 1} if count else ()):
            bodies[f"{name}, {which + 1} of {count}"] = _with_forward(
                f"with Handled(only(OF_OPERATIONS[{name!r}], {which})):\n            return plain(super().forward(*args))")
    for name in mutations.OF_OUTPUTS:
        bodies[name] = _with_forward(f"return changed_first(super().forward(*args), OF_OUTPUTS[{name!r}])")
    for name in mutations.OF_INPUTS:
        bodies[name] = _with_forward(f"return plain(super().forward(*each(args, OF_INPUTS[{name!r}])))")
    alike = [(name, p) for name, p in problems.make(module).named_parameters() if p.numel() > 1 and p.min() == p.max()]
    for name, parameter in alike[:_MOST_WEIGHTS]:
        bodies[f"{name} as made"] = "\n\nclass NewModel(Reference):" + _AS_MADE.format(name=name, value=parameter.flatten()[0].item())
    bodies["wrong after 20 calls"] = "\n\nclass NewModel(Reference):" + _LATE.format(when="CALLS[0] > 20")
    bodies["wrong in every fifth call"] = "\n\nclass NewModel(Reference):" + _LATE.format(when="CALLS[0] % 5 == 0")
    names = list(bodies)
    if len(names) > most:
        names = random.Random(Path(path).name).sample(names, most)
    return {name: _candidate(text, name, bodies[name], wrong=True) for name in names}
