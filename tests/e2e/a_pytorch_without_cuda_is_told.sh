# Whether PyTorch is one for CUDA, and for one that the driver knows, is told without importing it. The driver is a fake, and so is
# PyTorch, which cannot be imported.
. "$ROOT/tests/fixtures/e2e.sh"
fake_driver
mkdir -p packages/torch
echo 'raise SystemExit("imported")' > packages/torch/__init__.py
printf '__version__ = "2.11.0+cu130"\ncuda = "13.0"\n' > packages/torch/version.py
PYTHONPATH=$PWD/packages expect 0 "$KFORGE" platforms show nvidia-cuda --json
check '{"what": "toolchain", "text": "PyTorch 2.11.0+cu130 CUDA 13.0"} in r["found"]'
PYTHONPATH=$PWD/packages CUDA_FAKE='version 12080' expect 0 "$KFORGE" platforms show nvidia-cuda --json
check 'not r["usable"] and "PyTorch 2.11.0+cu130 is for CUDA 13.0, and the driver is too old for that: it knows CUDA 12.8" in r["missing"]'
printf '__version__ = "2.11.0+cpu"\ncuda = None\n' > packages/torch/version.py
PYTHONPATH=$PWD/packages expect 0 "$KFORGE" platforms show nvidia-cuda --json
check 'not r["usable"] and "PyTorch 2.11.0+cpu is not one for CUDA" in r["missing"]'

# Also where there is not even a driver; and what is no Mac is told in words.
unset LD_LIBRARY_PATH
if ! ldconfig -p | grep -q libcuda.so.1; then
    PYTHONPATH=$PWD/packages expect 0 "$KFORGE" platforms show nvidia-cuda --json
    check '"no NVIDIA driver here" in r["missing"] and r["missing"].endswith("PyTorch 2.11.0+cpu is not one for CUDA")'
fi
expect 0 "$KFORGE" platforms show apple-metal
has "$out" 'this is not a Mac' && has_not "$out" 'sysctl'
