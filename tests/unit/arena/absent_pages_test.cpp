#include "kforge/arena/absent_pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace kforge {
namespace {

TEST(AbsentPages, OnlyThoseThatNobodyWroteTakeTime) {
    const size_t size = size_t{4000} << 12;
    void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(data, MAP_FAILED);
    const auto address = reinterpret_cast<uint64_t>(data);
    std::memset(data, 1, size / 2);
    EXPECT_EQ(absent_pages_ms(::getpid(), address, size / 2), 0);
    EXPECT_EQ(absent_pages_ms(::getpid(), address, 0), 0);
    EXPECT_GT(absent_pages_ms(::getpid(), address, size), 0);
    EXPECT_EQ(absent_pages_ms(::getpid(), address, size), 0);  // they have been looked at
    ::munmap(data, size);
}

}  // namespace
}  // namespace kforge
