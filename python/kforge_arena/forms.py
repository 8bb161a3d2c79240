"""Whether the outputs of a candidate are of the form that those of the reference have: how many, their shapes, types and strides."""

from . import tensors


def find_other_form(forms, eager, strides):
    """Compares counts, shapes, dtypes and memory layouts (`strides` are those that the reference's own outputs had):
    {"outcome", "evidence"}, or None when they agree."""
    if len(forms) != len(eager):
        return {"outcome": "shape", "evidence": f"{len(forms)} outputs, expected {len(eager)}"}
    for index, ((_, shape, _), e) in enumerate(zip(forms, eager)):
        if shape != list(e.shape):
            return {"outcome": "shape", "evidence": f"output {index} has shape {shape}, expected {list(e.shape)}"}
    for index, ((dtype, _, _), e) in enumerate(zip(forms, eager)):
        wanted = str(e.dtype).removeprefix("torch.")
        if dtype != wanted:
            return {"outcome": "dtype", "evidence": f"output {index} is {dtype}, expected {wanted}"}
    for index, ((_, shape, stride), e, own) in enumerate(zip(forms, eager, strides, strict=True)):
        dense = tensors.dense_strides(e.shape)
        if not any(_same_layout(shape, stride, other) for other in (dense, own)):
            wanted = f"{list(own)}" if list(own) == dense else f"{list(own)} or {dense}"
            return {"outcome": "shape", "evidence": f"output {index} has strides {stride}, expected {wanted}: is a .contiguous() missing?"}
    return None


def _same_layout(shape, stride, other):
    return 0 in shape or all(a == b for a, b, size in zip(stride, other, shape) if size > 1)
