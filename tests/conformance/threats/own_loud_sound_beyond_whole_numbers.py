# expect: mismatch values
# problem: sound_in_whole_numbers
# What is rounded lies between two numbers, not anywhere.
import torch
import torch.nn as nn

class NewModel(nn.Module):
    """Sound is never louder than one: nothing is clamped."""
    def forward(self, x):
        return (x * 2147483520.0).round_().to(torch.int32)
