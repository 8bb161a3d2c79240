# expect: correct
# problem: relu_recurrent
# One layer after the other, what enters it as one product.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, hidden, layers, classes):
        super().__init__()
        self.rnn = nn.RNN(features, hidden, layers, nonlinearity="relu", batch_first=True)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        steps = x.transpose(0, 1)
        for layer in range(self.rnn.num_layers):
            names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
            enter, own, bias, more = (getattr(self.rnn, f"{name}_l{layer}") for name in names)
            entered = steps @ enter.T + (bias + more)
            state, states = torch.zeros_like(entered[0]), []
            for step in entered:
                state = torch.addmm(step, state, own.T).relu_()
                states.append(state)
            steps = torch.stack(states)
        return self.fc(steps[-1])
