// What most candidates that use load_inline need, precompiled in half of the time of ../torch/extension.h: tensors and the
// operations next to which kernels are written (../tensors), threads, and what makes a module of Python. KForge
// reads in a candidate whether it names more than that (header_cache.cpp).
#include <torch/types.h>
// After it, for it says that operations are named one by one.
#include <ATen/Parallel.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>

// What candidates use and forget to include: it comes with the whole.
#include <bitset>
#include <queue>

#define KFORGE_EXTENSION_IS_THERE  // for a second #include of it, see header_cache.cpp
