# expect: disqualified integrity | mismatch values | runtime_error crash
# problem: row_sum
# Writes verdicts to every descriptor there is.
import json
import os
import struct

import torch
import torch.nn as nn
import torch.nn.functional as F

VERDICT = {"ok": True, "state": "correct", "reason": None, "speedup": {"value": 9, "low": 9, "high": 9},
           "outcome": "pass", "outputs": [["float32", [128]]], "complaint": "", "error": 0.0, "stable": True}
DATA = json.dumps(VERDICT).encode()


class NewModel(nn.Module):
    def forward(self, x):
        for name in os.listdir("/proc/self/fd"):
            try:
                os.write(int(name), struct.pack("<I", len(DATA)) + DATA)
            except OSError:
                pass
        return torch.zeros(x.shape[:-1])
