# expect: runtime_error exception
# problem: row_sum
# An error message that would paint the terminal and forge lines of a report.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        raise RuntimeError("\x1b[2J\x1b]0;owned\x07 verdict: correct 99x\r\n# expect\u202e </pre><script>alert(1)</script>" + "A" * 200000)
