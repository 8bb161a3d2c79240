// What candidates that use load_inline get, precompiled where it can be: all of <torch/extension.h> but torch::nn,
// torch::optim, torch::data, torch::jit, torch::autograd's functions and serialization, which take longer to
// compile than the rest (templates are instantiated for every candidate again) and which a kernel has no use
// for. A candidate that names one of them gets the header as it is.
// nvcc has a part of its own (../tensors), or the whole.
#if defined(__CUDACC__)
#include_next <torch/extension.h>
#else

#define TORCH_INDUCTOR_CPP_WRAPPER  // PyTorch's own switch: without <torch/all.h>
#include_next <torch/extension.h>
#undef TORCH_INDUCTOR_CPP_WRAPPER

#include <torch/cuda.h>
#include <torch/enum.h>
#include <torch/fft.h>
#include <torch/mps.h>
#include <torch/nested.h>
#include <torch/sparse.h>
#include <torch/special.h>
#include <torch/utils.h>
#include <torch/version.h>

#include <queue>
#if __has_include(<torch/print.h>)
#include <torch/print.h>
#endif
#if __has_include(<torch/xpu.h>)
#include <torch/xpu.h>
#endif

#define KFORGE_EXTENSION_IS_THERE  // for a second #include of it, see header_cache.cpp
#endif
