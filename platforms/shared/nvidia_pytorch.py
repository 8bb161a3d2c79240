"""Prints which PyTorch is here and for which CUDA, or says why it cannot use the driver. Importing it would take seconds."""

import ctypes
import importlib.util
import os
import runpy
import sys


def give_up(message):
    sys.exit(f"AssertionError: {message}")


def main():
    found = importlib.util.find_spec("torch")
    if found is None or not found.origin:
        give_up(f"{sys.executable} has no PyTorch")
    version = runpy.run_path(os.path.join(os.path.dirname(found.origin), "version.py"))
    name, cuda = f"PyTorch {version['__version__']}", version.get("cuda")
    if not cuda:
        give_up(f"{name} is not one for CUDA")
    known = ctypes.c_int()
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:  # the probe of the device tells
        print(name, "CUDA", cuda)
        return
    driver.cuDriverGetVersion(ctypes.byref(known))
    # A driver runs what was built for any CUDA up to the last of its own major version.
    if known.value // 1000 < int(cuda.split(".")[0]):
        give_up(f"{name} is for CUDA {cuda}, and the driver is too old for that: it knows CUDA {known.value // 1000}."
                f"{known.value % 1000 // 10}. Install a newer driver, or a PyTorch for that CUDA")
    print(name, "CUDA", cuda)


main()
