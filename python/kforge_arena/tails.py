"""Values whose lower bits a shorter mantissa rounds to the same side. See cases.TAILS."""

import torch

_FIRST_DROPPED = 1 << 15 | 1 << 12  # bits: by bfloat16, and by what has eleven of them
_LAST_BITS = (1 << 12) - 1
_MIDDLE_BITS = (1 << 21) - (1 << 12)
_MANTISSA = (1 << 23) - 1
_LONGEST_ALIKE = 4096  # values: of more, also honest sums would be wrong


def with_small_tails(tensor, alike=None):
    """`alike` makes lines so."""
    if tensor.is_complex():
        return torch.view_as_complex(with_small_tails(torch.view_as_real(tensor.resolve_conj())))
    if tensor.dtype != torch.float32:
        return tensor
    bits = tensor.contiguous().view(torch.int32).clone()
    # Of images many lines are added up, and whole numbers mean something.
    if alike and bits.numel() and bits.dim() in (2, 3) and not torch.equal(tensor, tensor.round()):
        alike(bits.view(-1, bits.shape[-1]))
    return (bits & ~_FIRST_DROPPED).view(torch.float32)


def begin_alike(lines):
    """The values of each line begin as one of four do, of one sign and magnitude, not next to each other: what is left of them without
    their mean is not small. Their last bits stay what they are, so that a long sum of them is not rounded to the same side each time."""
    lines = lines[:, :_LONGEST_ALIKE]
    few = lines.gather(1, torch.randint(lines.shape[1], (len(lines), 4), device=lines.device))
    quarter = torch.arange(4, dtype=lines.dtype, device=lines.device) << 21
    few = few[:, :1] & ~_MANTISSA | quarter | few & _MANTISSA >> 2
    chosen = few.gather(1, torch.randint(4, lines.shape, device=lines.device))
    lines.copy_(chosen & ~_LAST_BITS | lines & _LAST_BITS)


def go_on_alike(lines):
    """Only the bits in the middle of a mantissa are the same: sizes and signs stay what they are."""
    one = lines.gather(1, torch.randint(lines.shape[1], (len(lines), 1), device=lines.device))
    lines.copy_(lines & ~_MIDDLE_BITS | one & _MIDDLE_BITS)
