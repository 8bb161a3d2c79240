"""Prints where compute-sanitizer is: looked for as an evaluation does, in PATH and in the folder bin of CUDA_HOME."""

import os
import shutil

home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
found = shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path=os.path.join(home, "bin"))
assert found, "compute-sanitizer is neither in PATH nor in the folder bin of CUDA_HOME: memory accesses of candidates are not looked at"
print(found)
