"""What every process that uses Triton does again: its imports, the small library by which it calls the driver, and a hash of all of
its own files, by which it names what it compiles. Nothing here uses the GPU."""

import os
import threading

os.environ["TRITON_CACHE_DIR"] = os.path.join(cache, "triton")  # noqa: F821  KForge says where
try:
    import triton.language  # noqa: F401
    from triton.backends.nvidia.driver import CudaUtils
    from triton.compiler import code_generator, compiler  # noqa: F401
    from triton.runtime import cache as caching
    hash_files = getattr(caching, "triton_key", None) or compiler.triton_key  # before Triton 3.5
    hashing = threading.Thread(target=hash_files)  # while the C compiler is at work
    hashing.start()
    try:
        CudaUtils()
    finally:
        hashing.join()
finally:
    del os.environ["TRITON_CACHE_DIR"]
