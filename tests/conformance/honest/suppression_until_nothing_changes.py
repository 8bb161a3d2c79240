# expect: correct
# problem: suppressed_boxes
# In rounds, as many as it takes.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, boxes, scores):
        order = scores.argsort(descending=True, stable=True)
        boxes = boxes[order]
        corner = torch.maximum(boxes[:, None, :2], boxes[:, :2])
        other = torch.minimum(boxes[:, None, 2:], boxes[:, 2:])
        common = (other - corner).clamp(min=0).prod(-1)
        area = (boxes[:, 2:] - boxes[:, :2]).prod(-1)
        covers = (common > 0.4 * (area[:, None] + area - common)).tril(-1)
        kept, before = torch.ones(len(boxes), dtype=torch.bool), None
        while before is None or not torch.equal(kept, before):
            kept, before = ~(covers & kept).any(-1), kept
        return torch.zeros_like(scores).scatter(0, order, scores[order] * kept)
