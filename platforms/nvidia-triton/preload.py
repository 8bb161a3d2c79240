"""Triton, and the small library by which it calls the driver: built once, not by every candidate. Nothing here uses the GPU."""

import os

os.environ["TRITON_CACHE_DIR"] = os.path.join(cache, "triton")  # noqa: F821  KForge says where
try:
    import triton.language  # noqa: F401
    from triton.backends.nvidia.driver import CudaUtils
    CudaUtils()
finally:
    del os.environ["TRITON_CACHE_DIR"]
