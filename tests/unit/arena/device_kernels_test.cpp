#include "kforge/arena/device_kernels.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

TEST(DeviceKernels, NamesOfLibrariesAreKnown) {
    for (const char* name :
         {"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)",
          "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT",
          "sm90_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3",
          "void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_tn_align1>(Params)",
          "void cublasLt::splitKreduce_kernel<32>()", "Memcpy DtoD (Device -> Device)"}) {
        const Work work = work_of({{name, 10}});
        EXPECT_EQ(work.own, 0u) << name;
        EXPECT_EQ(work.library, 100u) << name;
    }
}

TEST(DeviceKernels, OtherNamesAreTheCandidatesOwn) {
    for (const char* name :
         {"row_norm", "_fused_linear_gelu_kernel", "triton_poi_fused_add_0", "matmul_at_home"}) {
        const Work work = work_of({{name, 2.5}});
        EXPECT_EQ(work.own, 25u) << name;
        EXPECT_EQ(work.library, 0u) << name;
    }
}

TEST(DeviceKernels, TimesThatMakeNoSenseCountForNothing) {
    EXPECT_EQ(work_of({{"row_norm", -5}}).counted(), 0u);
}

}  // namespace
}  // namespace kforge
