# expect: correct
# problem: many_labels
# In one pass over the scores but for their sum.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, scores, labels):
        top, best = scores.max(1)
        total = (scores - top[:, None]).exp().sum(1).log() + top
        chosen = scores.take_along_dim(labels[:, None], 1).squeeze(1)
        return (total - chosen).sum() / len(labels), (best == labels).sum() / len(labels)
