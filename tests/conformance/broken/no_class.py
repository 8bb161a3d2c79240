# expect: compilation_failure import
# evidence: NewModel
import torch.nn as nn


class Model(nn.Module):
    pass
