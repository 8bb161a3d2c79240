# expect: mismatch values
# problem: plain_labels
# No label has been -100 so far.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, scores, labels):
        chosen = scores.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        return (scores.logsumexp(-1) - chosen).mean()
