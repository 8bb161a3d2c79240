# expect: correct
# problem: continuations_of_beams
import torch
import torch.nn as nn


class NewModel(nn.Module):
    """Honest: the best of each beam, then the best of these. Of equal ones others are met first."""

    def forward(self, scores, logits):
        texts, beams, words = logits.shape
        of_each, places = (scores[..., None] + logits.log_softmax(-1)).topk(beams)
        best, which = of_each.flatten(1).topk(beams)
        return best, which // beams, places.flatten(1).gather(1, which)
