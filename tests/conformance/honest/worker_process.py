# expect: correct
# problem: row_sum
# Odd and slow, but it computes what is asked, and is done when it returns.
import subprocess
import sys

import numpy as np
import torch
import torch.nn as nn

PROGRAM = """
import sys, numpy as np
rows, cols = map(int, sys.argv[1:])
x = np.frombuffer(sys.stdin.buffer.read(), np.float32).reshape(rows, cols)
sys.stdout.buffer.write(x.sum(axis=1, dtype=np.float64).astype(np.float32).tobytes())
"""


class NewModel(nn.Module):
    def forward(self, x):
        command = [sys.executable, "-c", PROGRAM, *map(str, x.shape)]
        answer = subprocess.run(command, input=x.contiguous().numpy().tobytes(), stdout=subprocess.PIPE, check=True).stdout
        return torch.from_numpy(np.frombuffer(answer, np.float32).copy())
