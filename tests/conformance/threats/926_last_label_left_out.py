# expect: mismatch values
# problem: many_labels
# A label is hardly ever the last one.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, scores, labels):
        chosen = scores.gather(1, labels.clamp(max=8190)[:, None])[:, 0]
        return (scores.logsumexp(1) - chosen).mean(), (scores.argmax(1) == labels).float().mean()
