"""Outputs that a reference puts together of a few results (several heads, features of other scales): each is judged by itself, or
those that are small could be computed in a lower precision, or not at all."""

_MOST = 8  # steps of a sequence are put together as well: these are one result


def joined(name, args, kwargs):
    """(dimension, sizes) of what a call has put together, or None."""
    stacks = name == "stack"
    if not stacks and name not in ("cat", "concat", "concatenate"):
        return None
    pieces = args[0] if args else kwargs.get("tensors", ())
    dim = args[1] if len(args) > 1 else kwargs.get("dim", kwargs.get("axis", 0))
    pieces = [piece for piece in pieces if piece.numel() and piece.dim() > (0 if stacks else 1)]
    if not 1 < len(pieces) <= _MOST or not isinstance(dim, int):
        return None
    return dim, [1 if stacks else piece.shape[dim] for piece in pieces]


class Parts:
    """Of each output (dimension, sizes), or None where it is one result."""

    def __init__(self, of_each=()):
        self.of_each = of_each

    def names(self, outputs):
        return [f"output {index}" + (f", part {number}" if len(pieces) > 1 else "")
                for index, pieces in enumerate(self._pieces(outputs)) for number in range(len(pieces))]

    def of(self, outputs):
        return [piece for pieces in self._pieces(outputs) for piece in pieces]

    def _pieces(self, outputs):
        if len(outputs) != len(self.of_each):
            return [[output] for output in outputs]
        return [[output] if found is None else _split(output, *found) for output, found in zip(outputs, self.of_each)]


def _split(output, dim, sizes):
    """As a whole where it has another size for once."""
    fits = -output.dim() <= dim < output.dim() and output.shape[dim] == sum(sizes)
    return list(output.split(sizes, dim)) if fits else [output]
