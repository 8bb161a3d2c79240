"""Prints which PyTorch is here, or that it is not one for Intel's GPUs. Importing it would take seconds."""

import importlib.util
import os
import runpy
import sys

found = importlib.util.find_spec("torch")
assert found and found.origin, f"{sys.executable} has no PyTorch"
version = runpy.run_path(os.path.join(os.path.dirname(found.origin), "version.py"))
named = "xpu" in version["__version__"] or "xpu" not in version  # older ones do not write down what they are for
assert version.get("xpu") or named, f"PyTorch {version['__version__']} is not one for XPU"
print("PyTorch", version["__version__"])
