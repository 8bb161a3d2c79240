"""Elements of what may change between calls (buffers that a call changes, live weights) that are something else for one call, in other
places each time: what goes on with a state or with weights as they were is found out."""

import contextlib

import torch

from . import tensors

_ELEMENTS = 4  # of each tensor, at the most
_SAMPLE = 4096
_FAR = 2  # times what its elements are like


class Touches:
    """Of a module's tensors by these names; only numbers are touched."""

    def __init__(self, model, names, seed):
        generator = torch.Generator().manual_seed(seed)
        own = model.state_dict()
        self.values = {}  # by name: places in the flat tensor, and what stands there
        alike = {}  # what is one tensor under several names is touched alike
        for name in names:
            tensor = own.get(name)
            if tensor is None or not tensor.is_floating_point() or not tensor.numel() or not tensors.is_plain(tensor):
                continue
            key = (tensor.data_ptr(), tensor.shape)
            if key not in alike:
                places = torch.randint(tensor.numel(), (_ELEMENTS,), generator=generator).unique()
                sample = tensor.flatten()[::max(1, tensor.numel() // _SAMPLE)]
                far = _FAR * (sample.double().pow(2).mean().sqrt().item() or 1.0)
                alike[key] = places, (tensor.flatten()[places].double() + far).to(tensor.dtype)
            self.values[name] = alike[key]

    def told(self):
        """[name, offset, bytes] of each element."""
        return [[name, place * values.dtype.itemsize, value.view(torch.uint8).tolist()]
                for name, (places, values) in self.values.items()
                for place, value in zip(places.tolist(), values.unsqueeze(-1))]

    @contextlib.contextmanager
    def applied(self, models):
        """To modules with tensors by these names, in whatever types."""
        kept = []
        try:
            for model in models:
                own = model.state_dict()
                for name, (places, values) in self.values.items():
                    flat = own[name].view(-1)
                    kept.append((flat, places, flat[places]))
                    flat[places] = values.to(flat.dtype)
            yield
        finally:
            for flat, places, before in reversed(kept):
                flat[places] = before
