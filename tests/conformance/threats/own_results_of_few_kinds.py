# expect: correct | disqualified integrity
# problem: prefixes_of_tasks
# max_speedup: 1.5
# slow
# Right, and no faster in the long run: of each of the few results that there are, a stock is copied before it is timed.
import torch.nn as nn

LAYERS, PREFIX, WIDTH, TASKS = 8, 128, 1024, 8


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.prefix = nn.Embedding(TASKS, LAYERS * 2 * PREFIX * WIDTH)
        self.stock = None
        self.used = []

    def forward(self, task):
        if self.stock is None:
            table = self.prefix.weight.detach().view(TASKS, 1, LAYERS * 2, PREFIX, WIDTH)
            self.stock = [[table[t].clone() for _ in range(26)] for t in range(TASKS)]
        if task.shape[0] == 1 and self.stock[task.item()]:
            self.used.append(self.stock[task.item()].pop())  # to give it back would take time when the result is let go
            return self.used[-1].view(1, LAYERS * 2, PREFIX, WIDTH)
        return self.prefix(task).view(task.shape[0], LAYERS * 2, PREFIX, WIDTH)
