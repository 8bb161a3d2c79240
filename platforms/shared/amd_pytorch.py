"""Prints which PyTorch is here and for which ROCm, or that it is for none. Importing it would take seconds."""

import importlib.util
import os
import runpy
import sys

found = importlib.util.find_spec("torch")
assert found and found.origin, f"{sys.executable} has no PyTorch"
version = runpy.run_path(os.path.join(os.path.dirname(found.origin), "version.py"))
assert version.get("hip"), f"PyTorch {version['__version__']} is not one for ROCm"
print("PyTorch", version["__version__"], "ROCm", version["hip"])
