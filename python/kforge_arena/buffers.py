"""Buffers of a module that a call may change (running statistics, estimates): put back, so that every call begins alike."""

import torch

from . import tensors


class Buffers:
    """As they are now; of all, or of some by name."""

    def __init__(self, model, names=None):
        self.saved = []
        self.model = model
        self.known = {full for full, _ in model.named_buffers()}
        for prefix, module in model.named_modules():
            if isinstance(module, torch.jit.ScriptModule):
                continue
            for name, buffer in module._buffers.items():
                full = f"{prefix}.{name}" if prefix else name
                if buffer is not None and (names is None or full in names):
                    self.saved.append((full, module, name, buffer, buffer.clone()))
        self.places = [buffer.data for *_, buffer, _ in self.saved]  # alive for as long as somebody may write to them

    def undo_what_is_new(self):
        """Buffers that a call has made, or made larger: what a module is loaded with is what it has before any call."""
        for full in {full for full, _ in self.model.named_buffers()} - self.known:
            owner, _, name = full.rpartition(".")
            delattr(self.model.get_submodule(owner), name)
        for _, module, name, buffer, value in self.saved:
            if (now := module._buffers.get(name)) is None or now.shape != value.shape:
                module._buffers[name] = buffer

    def addresses(self):
        """Of those that are plain memory, for who writes to them from outside: address and size of each by name."""
        return {full: [place.data_ptr(), place.nbytes] for (full, *_), place in zip(self.saved, self.places) if tensors.is_plain(place)}

    def put_in_place(self):
        """As restore(), but for what they hold, which is written from outside."""
        for (_, module, name, buffer, _), place in zip(self.saved, self.places):
            module._buffers[name] = buffer
            if buffer.data_ptr() != place.data_ptr():
                buffer.data = place

    def restore(self):
        """The names of those that had been changed, in place or by another one in their place."""
        changed = []
        for full, module, name, buffer, value in self.saved:
            # By value: not every operator counts up the version of what it changes.
            if module._buffers.get(name) is buffer and torch.equal(buffer, value):
                continue
            with torch.no_grad():
                module._buffers[name] = buffer.copy_(value)
            changed.append(full)
        return changed
