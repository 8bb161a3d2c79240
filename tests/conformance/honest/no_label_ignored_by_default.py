# expect: correct
# problem: plain_labels
# Labels that are -100, which PyTorch ignores unasked, are not looked for: the reference does not ask for that.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, scores, labels):
        chosen = scores.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
        return (scores.logsumexp(-1) - chosen).mean()
