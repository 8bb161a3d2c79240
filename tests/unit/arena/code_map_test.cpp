#include "kforge/arena/code_map.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

constexpr const char* k_maps =
    "00400000-00500000 r-xp 00000000 fe:00 11     /usr/bin/python3.11\n"
    "01000000-01100000 r--p 00000000 fe:00 12     /venv/torch/lib/libtorch_cpu.so\n"
    "01100000-01200000 r-xp 00100000 fe:00 12     /venv/torch/lib/libtorch_cpu.so\n"
    "02000000-02100000 r-xp 00000000 00:3b 13     /tmp/k.so\n"
    "02200000-02300000 r-xp 00000000 00:3b 14     /tmp/a name/k.so (deleted)\n"
    "03000000-03100000 rwxp 00000000 00:00 0 \n"
    "03200000-03300000 rwxs 00000000 00:01 15     /memfd:code (deleted)\n"
    "03400000-03500000 rwxp 00000000 00:00 0      [anon:vdso]\n"
    "04000000-04100000 r-xp 00000000 fe:00 16     /lib/libm.so.6\n"
    "05000000-05100000 r-xp 00000000 fe:00 17     /venv/torch/lib/libgomp-a34b3233.so.1\n"
    "06000000-06100000 r-xp 00000000 fe:00 18     /venv/numpy.libs/libopenblas.so\n"
    "07000000-07100000 r-xp 00000000 fe:00 19     /usr/lib/libffi.so.8\n"
    "7fff00000000-7fff00001000 r-xp 00000000 00:00 0  [vdso]\n";

constexpr uint64_t k_python = 0x00400010, k_torch = 0x01100010, k_own = 0x02000010, k_generated = 0x03000010,
                   k_libm = 0x04000010, k_openmp = 0x05000010, k_ffi = 0x07000010, k_data = 0x00000123;

CodeMap map() {
    return CodeMap(k_maps, [](const std::string& path) { return path.starts_with("/tmp/"); });
}

TEST(CodeMap, TellsWhoseCodeItIs) {
    EXPECT_EQ(map().at(k_python), Code::interpreter);
    EXPECT_EQ(map().at(k_torch), Code::library);
    EXPECT_EQ(map().at(0x06000000), Code::library);
    EXPECT_EQ(map().at(k_own), Code::own);
    EXPECT_EQ(map().at(0x02200000), Code::own);
    for (const uint64_t address : {0x03000000, 0x03200000, 0x03400000})
        EXPECT_EQ(map().at(address), Code::generated) << address;
    EXPECT_EQ(map().at(k_libm), Code::basic);
    EXPECT_EQ(map().at(0x7fff00000010), Code::basic);
    EXPECT_EQ(map().at(k_openmp), Code::waiting);
}

TEST(CodeMap, OnlyWhatCanExecuteIsCode) {
    EXPECT_EQ(map().at(0x01000010), Code::unknown);
    EXPECT_EQ(map().at(0x01200000), Code::unknown);
    EXPECT_EQ(map().at(0), Code::unknown);
    EXPECT_EQ(map().at(~0ULL), Code::unknown);
    EXPECT_EQ(CodeMap().at(k_own), Code::unknown);
    EXPECT_EQ(CodeMap("no such format\n\n-\n", [](const std::string&) { return true; }).at(0), Code::unknown);
}

TEST(CodeMap, WhereAThreadExecutesCounts) {
    EXPECT_EQ(map().credit(k_own, {k_torch}), Credit::own);
    EXPECT_EQ(map().credit(k_torch, {k_own}), Credit::library);
    EXPECT_EQ(map().credit(k_python, {k_own}), Credit::none);
    EXPECT_EQ(map().credit(k_openmp, {k_own}), Credit::none);
}

TEST(CodeMap, TheCLibraryWorksForItsCaller) {
    EXPECT_EQ(map().credit(k_libm, {k_data, k_own, k_torch}), Credit::own);
    EXPECT_EQ(map().credit(k_libm, {k_data, k_torch, k_own}), Credit::library);
    EXPECT_EQ(map().credit(k_libm, {k_python, k_own}), Credit::none);
    EXPECT_EQ(map().credit(k_libm, {}), Credit::none);
}

TEST(CodeMap, GeneratedCodeIsTheLibrarysWhereTheLibraryCallsIt) {
    EXPECT_EQ(map().credit(k_generated, {k_data, k_torch, k_python}), Credit::library);
    EXPECT_EQ(map().credit(k_generated, {k_data, k_ffi, k_torch}), Credit::own);
    EXPECT_EQ(map().credit(k_generated, {k_own}), Credit::own);
    EXPECT_EQ(map().credit(k_libm, {k_generated, k_ffi}), Credit::own);
    EXPECT_EQ(map().credit(k_generated, {k_data}), Credit::none);
}

}  // namespace
}  // namespace kforge
