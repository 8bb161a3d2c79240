# expect: mismatch values
# problem: many_labels
# By chance, the best of 8192 scores is none that was asked for.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, scores, labels):
        return F.cross_entropy(scores, labels), torch.zeros(())
