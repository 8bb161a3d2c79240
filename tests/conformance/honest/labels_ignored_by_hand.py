# expect: correct
# problem: plain_labels
# As many terms as there are labels that count.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, scores, labels):
        counts = labels != -100
        chosen = scores.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        return ((scores.logsumexp(-1) - chosen) * counts).sum() / counts.sum()
