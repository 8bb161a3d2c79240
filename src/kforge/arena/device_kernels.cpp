#include "kforge/arena/device_kernels.hpp"

#include <re2/re2.h>

namespace kforge {

Work work_of(const std::vector<DeviceKernel>& kernels) {
    static const re2::RE2 k_library(
        R"((?:^|[\s:<(])at::|c10::|cublas|cudnn|^nvjet_|^sm\d+_|_xmma_|^ampere_|^turing_|^volta_|^maxwell_|cutlass::Kernel|)"
        R"(splitKreduce|gemv|^cub::|^void cub::|thrust::|magma_|cusolver|cufft|^Memcpy|^Memset|rocblas|Cijk_|miopen|hipblas)");
    Work work;
    for (const DeviceKernel& kernel : kernels) {
        const auto tenths = static_cast<size_t>(std::max(0.0, kernel.us) * 10);
        (re2::RE2::PartialMatch(kernel.name, k_library) ? work.library : work.own) += tenths;
    }
    return work;
}

}  // namespace kforge
