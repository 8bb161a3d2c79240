# expect: compilation_failure toolchain
# evidence: nowhere
import subprocess

import torch.nn as nn

with open("k.cpp", "w") as file:
    file.write('extern "C" int nowhere(); int main() { return nowhere(); }\n')
subprocess.run(["g++", "k.cpp", "-o", "k"], check=True)


class NewModel(nn.Module):
    pass
