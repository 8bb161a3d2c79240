"""Checks what crosses between the arena's processes: tensors in shared memory, overridden constants, messages. Needs PyTorch.

Run as a script: the names of the tests that failed with their traces, exit 0 if all is well, 1 if not. Parts of names
as arguments select.
"""

import collections
import json
import math
import os
import pathlib
import resource
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import torch  # noqa: E402

from _small_tests import raises, run  # noqa: E402

from kforge_arena import constants, entering, player, tensors  # noqa: E402
from kforge_arena.channel import Channel, ChannelClosed  # noqa: E402


# --- Tensors in shared memory ------------------------------------------------------------------------------------


def round_trip(tree):
    """Through a buffer and JSON, as between two processes that map the same descriptor."""
    spec, size = tensors.layout(tree)
    ours = tensors.Buffer.create("test", size)
    theirs = tensors.Buffer(os.dup(ours.fd), ours.size)
    tensors.store(tree, spec, ours)
    return tensors.load(json.loads(json.dumps(spec, allow_nan=False)), theirs)


def same(one, other):
    return one.dtype == other.dtype and one.shape == other.shape and torch.equal(
        torch.nan_to_num(one) if one.is_floating_point() else one,
        torch.nan_to_num(other) if other.is_floating_point() else other)


def test_every_dtype_survives():
    for name, dtype in tensors.DTYPES.items():
        value = (torch.randn(3, 5) * 50).to(torch.complex128 if dtype.is_complex else torch.float64).to(dtype)
        back = round_trip([value])[0]
        assert same(value, back) and tensors.dtype_name(back.dtype) == name, name


def test_special_values_survive_bit_by_bit():
    value = torch.tensor([math.nan, math.inf, -math.inf, -0.0, 1e-45])
    back = round_trip([value])[0]
    assert torch.equal(value.view(torch.int32), back.view(torch.int32))


def test_strides_survive_and_what_is_unfolded_becomes_contiguous():
    base = torch.randn(6, 8)
    for value in (base.T, base[:, ::2], base[1:, 3:], base.t()[::3], torch.randn(2, 3, 4).permute(2, 0, 1),
                  base[:1].expand(4, 8), torch.zeros(()).expand(3, 3)):
        back = round_trip([value])[0]
        assert same(value, back) and back.stride() == value.stride(), value.stride()
    value = base[0].unfold(0, 4, 1)
    back = round_trip([value])[0]
    assert same(value, back) and back.is_contiguous()
    told = [tensors.describe("x", ["float32", *form]) for form in (([4, 1, 3], [3, 77, 1]), ([4, 3], [1, 4]))]
    assert told == ["x: float32 [4, 1, 3]", "x: float32 [4, 3], strides [1, 4]"]  # one of one has no stride


def test_scalars_and_empty_tensors_survive():
    for value in (torch.tensor(3.5), torch.tensor(7), torch.empty(0), torch.empty(3, 0, 2), torch.empty(0, dtype=torch.bool)):
        back = round_trip([value])[0]
        assert same(value, back), value.shape


def test_nested_trees_and_plain_values_survive():
    tree = {"a": [torch.ones(2), (torch.zeros(3), None, "text")], "b": {"c": True, "d": 3, "e": 2.5, "f": -math.inf}}
    back = round_trip(tree)
    assert torch.equal(back["a"][0], tree["a"][0]) and torch.equal(back["a"][1][0], tree["a"][1][0])
    assert isinstance(back["a"], list) and isinstance(back["a"][1], tuple) and back["a"][1][1:] == (None, "text")
    assert back["b"] == tree["b"] and math.isnan(round_trip([math.nan])[0])
    assert len(list(tensors.tensors_of(tree))) == len(list(tensors.tensor_specs(tensors.layout(tree)[0]))) == 2


def test_tensors_are_aligned_and_do_not_overlap():
    spec, size = tensors.layout([torch.ones(3, dtype=torch.int8), torch.ones(5), torch.ones(1, dtype=torch.float64)])
    places = [(offset, offset + nbytes) for _, _, _, offset, nbytes in tensors.tensor_specs(spec)]
    assert all(start % 64 == 0 for start, _ in places) and places[-1][1] == size
    assert all(end <= start for (_, end), (start, _) in zip(places, places[1:]))


def test_what_cannot_cross_is_named():
    raises(tensors.UnsupportedValue, lambda: tensors.layout([torch.ones(2, 2).to_sparse()]), "sparse")
    raises(tensors.UnsupportedValue, lambda: tensors.layout([object()]), "object")
    raises(tensors.UnsupportedValue, lambda: tensors.layout({1: torch.ones(1)}), "text keys")
    raises(tensors.UnsupportedValue, lambda: tensors.layout([torch.ones(2).to(torch.float8_e5m2)]), "float8")


def test_a_tensor_outside_its_buffer_is_refused():
    buffer = tensors.Buffer.create("test", 100)
    for offset, nbytes in ((buffer.size, 4), (-64, 8), (buffer.size - 4, 8)):
        raises(tensors.UnsupportedValue, lambda: buffer.tensor(torch.float32, [nbytes // 4], [1], offset, nbytes))


def test_buffers_cannot_be_resized_under_another_process():
    buffer = tensors.Buffer.create("test", 100)
    for size in (0, 2 * buffer.size):
        raises(PermissionError, lambda: os.ftruncate(buffer.fd, size))


def test_a_rehearsal_has_the_form_of_a_call_and_none_of_its_values():
    init, _ = tensors.layout({"size": 4, "limits": (0.5, math.inf)})
    inputs, _ = tensors.layout([torch.full((2, 3), 9.0).t(), torch.tensor([7, 8]), None])
    seen = []

    class Model(torch.nn.Module):
        def __init__(self, size, limits):
            super().__init__()
            seen.append((size, limits))

        def forward(self, x, index, nothing):
            seen.append((x.shape, x.stride(), x.dtype, float(x.min()) >= 0 and float(x.max()) < 1, index.tolist(), nothing))
            raise SystemExit(3)  # of no consequence

    actor = player.Player({"device": "cpu", "by_host": False, "mode": "eval"}, None)
    actor.model_class = Model
    assert actor.op_rehearse({"init": init, "inputs": inputs}) == {}
    assert seen == [(4, (0.5, math.inf)), ((3, 2), (1, 3), torch.float32, True, [0, 0], None)], seen


def test_maps_keep_lists_and_tuples():
    pair = collections.namedtuple("pair", "x y")(torch.ones(1), 3)
    assert tensors.map_tensors([pair, (1, [torch.ones(1)])], lambda t: t + 1) == [
        (torch.tensor([2.0]), 3), (1, [torch.tensor([2.0])])]


# --- Constants ---------------------------------------------------------------------------------------------------


def test_constants_are_rewritten_and_nothing_else():
    def rewritten(source, **settings):
        return constants.specialize(source, settings, "p.py")

    assert rewritten("A = 1  # one\nB = A\n", A="2") == "A = 2  # one\nB = A\n"
    assert rewritten("A = 1; B = 2; C = 3\n", A="10", C="30", B="20") == "A = 10; B = 20; C = 30\n"
    assert rewritten("S = [\n    1,\n    2,\n]\nT = 5\n", S="[7]", T="(1, 2)") == "S = [7]\nT = (1, 2)\n"
    assert rewritten("S = [1,\n 2]; T = 3\n", S="4", T="5") == "S = 4; T = 5\n"
    assert rewritten("A = (1 +\n 2)\n", A="9") == "A = (9)\n"
    assert rewritten("\u00e4 = '\u20ac'; B = '\u00fc' # \u00e9\n", B="'x'") == "\u00e4 = '\u20ac'; B = 'x' # \u00e9\n"
    assert rewritten("N = 'a'\n", N="'\u20ac'") == "N = '\u20ac'\n"
    assert rewritten("A: int = 1\n", A="2") == "A: int = 2\n"
    assert rewritten("A = 1\r\nB = 2\r\n", B="3") == "A = 1\r\nB = 3\r\n"
    assert rewritten("s = 'a\u2028b\x0c'\nA = 1\n", A="2") == "s = 'a\u2028b\x0c'\nA = 2\n"
    assert rewritten("A = 1", A="-2.5e3") == "A = -2500.0"
    assert rewritten("A = 1\ndef f():\n    A = 3\n", A="2") == "A = 2\ndef f():\n    A = 3\n"


def test_constants_that_cannot_be_set_are_named():
    def rewrite(source, **settings):
        return lambda: constants.specialize(source, settings, "p.py")

    raises(constants.ConstantError, rewrite("A = 1\nB = 2\n", C="3"), "p.py", "no module-level constant C", "A, B")
    raises(constants.ConstantError, rewrite("def A(): pass\n", A="3"), "it has: none")
    raises(constants.ConstantError, rewrite("A = 1\n", A="B + 1"), "--set A=B + 1", "Python literal")
    raises(constants.ConstantError, rewrite("A = 1\n", A="1 1"), "Python literal")
    raises(constants.ConstantError, rewrite("A = (\n", A="1"), "p.py:1")


# --- Messages ----------------------------------------------------------------------------------------------------


def channels():
    return tuple(Channel(end.detach()) for end in socket.socketpair())


def test_messages_and_descriptors_cross():
    ours, theirs = channels()
    read_end, write_end = os.pipe()
    ours.send({"op": "x", "text": "\u00e4\u20ac\U0001f600\n"}, [read_end])
    message, fds = theirs.receive()
    assert message == {"op": "x", "text": "\u00e4\u20ac\U0001f600\n"}
    os.write(write_end, b"through")
    assert os.read(fds[0], 10) == b"through" and not os.get_inheritable(fds[0])


def test_text_that_is_none_and_numbers_that_are_none():
    ours, theirs = channels()
    ours.send({"name": "bad\udcff"})
    assert theirs.receive()[0] == {"name": "bad?"}, "what the other side can parse"
    raises(ValueError, lambda: ours.send({"x": math.nan}))


def test_without_a_jail_addresses_are_limited_unless_a_driver_needs_them():
    def limit_with(device):
        ours, theirs = os.pipe()
        if os.fork() == 0:
            channel = entering._enter_plainly({"memory_bytes": 1 << 40, "device": device}, theirs, theirs)
            os.write(channel, str(resource.getrlimit(resource.RLIMIT_AS)[0]).encode())
            os._exit(0)
        os.close(theirs)
        os.wait()
        return int(os.read(ours, 100))

    assert limit_with("cpu") == 1 << 40
    assert limit_with("cuda") == resource.getrlimit(resource.RLIMIT_AS)[0]


def test_a_closed_channel_is_told():
    ours, theirs = channels()
    os.close(ours._socket.detach())
    raises(ChannelClosed, theirs.receive)


if __name__ == "__main__":
    sys.exit(run(globals()))
