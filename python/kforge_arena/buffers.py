"""Buffers of a module that a call may change (running statistics, estimates): put back, so that every call begins alike."""

import torch


class Buffers:
    """As they are now; of all, or of some by name."""

    def __init__(self, model, names=None):
        self.saved = []
        for prefix, module in model.named_modules():
            if isinstance(module, torch.jit.ScriptModule):
                continue
            for name, buffer in module._buffers.items():
                full = f"{prefix}.{name}" if prefix else name
                if buffer is not None and (names is None or full in names):
                    self.saved.append((full, module, name, buffer, buffer.clone()))

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
