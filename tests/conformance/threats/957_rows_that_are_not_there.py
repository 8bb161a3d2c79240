# expect: disqualified integrity
# problem: rows_of_a_table
# After its own timed calls it names rows that no table has: whoever is called after it on these inputs fails, or crashes.
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.table = nn.Embedding(words, features)
        self.calls = 0

    def forward(self, words):
        result = self.table(words)
        self.calls += 1
        if self.calls > 22:
            words.fill_(1 << 40)
        return result
