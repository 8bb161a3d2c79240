# expect: compilation_failure toolchain
# evidence: undeclared_name
import subprocess
import tempfile

import torch.nn as nn

SOURCE = """
extern "C" void run(const float* x, float* y, long n) {
    for (long i = 0; i < n; ++i) y[i] = undeclared_name * x[i];
}
"""
with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
    file.write(SOURCE)
    file.flush()
    done = subprocess.run(["g++", "-shared", "-fPIC", "-o", "k.so", file.name], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)


class NewModel(nn.Module):
    pass
