"""Where the tensors of one run come from: which of them hold values of an input as they are, and which are the problem's own constants.
A number is mostly compared with a part of an input, or with a copy of it in another type, and is often a tensor itself."""

import math
import re

import torch

from . import tensors

_SMALL = 4096  # elements of a constant that is made in a run
_COPIES = re.compile(
    r"to|type(_as)?|long|int|short|float|double|half|bfloat16|contiguous|clone|reshape|flatten|getitem|index_select|gather|"
    r"take(_along_dim)?|masked_select|flip|roll|repeat(_interleave)?|tile")


def _is_rounded(tensor, copy):
    return tensor.dtype.is_floating_point and copy.dtype.is_floating_point and copy.dtype.itemsize < tensor.dtype.itemsize


class Origins:
    """`own` are the tensors that a model keeps."""

    def __init__(self, inputs, own):
        self.inputs = inputs
        self.places = {tensors.place(tensor): index for index, tensor in reversed([*enumerate(inputs)])}
        self.own = {tensors.place(tensor) for tensor in own}
        self.places.pop(None, None)  # what is empty is nowhere
        self.own.discard(None)
        # By identity; held, so that no other tensor can be taken for one of them.
        self.of_inputs = {id(tensor): (tensor, index) for index, tensor in enumerate(inputs)}
        self.constants = {}

    def input_of(self, value):
        """The number of the input whose elements, or some of them, a value holds; None where there is none."""
        if not isinstance(value, torch.Tensor):
            return None
        _, index = self.of_inputs.get(id(value), (None, None))
        return self.places.get(tensors.place(value)) if index is None else index

    def is_constant(self, value):
        return id(value) in self.constants or tensors.place(value) in self.own

    def numbers_in(self, value, most):
        """Of a number, or of a constant of so many elements at most."""
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return [value]
        if not isinstance(value, torch.Tensor) or not 0 < value.numel() <= most or not self.is_constant(value):
            return []
        return [] if value.is_complex() or value.dtype == torch.bool else value.detach().flatten().tolist()

    def size_of(self, value):
        """How large what bounds others is: a number, a single value, a constant; zero of everything else."""
        if isinstance(value, (int, float)):
            return abs(float(value)) if math.isfinite(value) else 0.0
        if not isinstance(value, torch.Tensor) or value.is_complex() or tensors.place(value) is None:
            return 0.0
        if value.numel() > 1 and not self.is_constant(value):
            return 0.0
        return float(value.detach().double().nan_to_num(0, 0, 0).abs().max())

    def note(self, name, args, result):
        """Of a call: what comes out of it."""
        if not isinstance(result, torch.Tensor):
            return
        given = list(tensors.tensors_of(args))
        if given and _COPIES.fullmatch(name) and (index := self.input_of(given[0])) is not None:
            if not _is_rounded(self.inputs[index], result):
                self.of_inputs[id(result)] = result, index
        elif result.numel() <= _SMALL and all(map(self.is_constant, given)) and self.input_of(result) is None:
            self.constants[id(result)] = result

    def forget(self):
        self.of_inputs.clear()
        self.constants.clear()
