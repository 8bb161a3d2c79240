"""One step of a beam search: the best continuations of each text, over all of its beams."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, scores, logits):
        texts, beams, words = logits.shape
        totals = scores[..., None] + logits.log_softmax(-1)
        best, places = totals.view(texts, -1).topk(beams)
        return best, places // words, places % words


def get_inputs():
    return [torch.randn(8, 4), torch.randn(8, 4, 300)]


def get_init_inputs():
    return []
