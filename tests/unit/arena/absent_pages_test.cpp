#include "kforge/arena/absent_pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace kforge {
namespace {

class AbsentPages : public testing::Test {
  protected:
    void TearDown() override { ::munmap(m_data, k_size); }
    std::optional<double> ms(size_t size = k_size) const {
        return absent_pages_ms(::getpid(), reinterpret_cast<uint64_t>(m_data), size);
    }

    static constexpr size_t k_size = size_t{4000} << 12;
    char* m_data = static_cast<char*>(
        ::mmap(nullptr, k_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
};

TEST_F(AbsentPages, OnlyThoseThatNobodyWroteTakeTime) {
    std::memset(m_data, 1, k_size / 2);
    EXPECT_EQ(ms(k_size / 2), 0);
    EXPECT_EQ(ms(0), 0);
    EXPECT_GT(ms(), 0);
    EXPECT_EQ(ms(), 0);  // they have been made
}

TEST_F(AbsentPages, ToLookAtThemMakesNone) {
    const volatile char* looked_at = m_data;
    for (size_t at = 0; at < k_size; at += 4096) EXPECT_EQ(looked_at[at], 0);
    EXPECT_GT(ms(), 0);
    EXPECT_EQ(ms(), 0);
}

// Where the kernel has a large page of zeros: whole, and split.
TEST_F(AbsentPages, NorDoesALargePageOfZeros) {
    for (const bool is_split : {false, true}) {
        ::madvise(m_data, k_size, MADV_DONTNEED);
        ::madvise(m_data, k_size, MADV_HUGEPAGE);
        ::madvise(m_data, k_size, MADV_POPULATE_READ);
        for (size_t at = 0; is_split && at < k_size; at += size_t{2} << 20)
            ::madvise(m_data + at, 4096, MADV_DONTNEED);
        EXPECT_GT(ms(), 0);
        EXPECT_EQ(ms(), 0);
    }
}

TEST_F(AbsentPages, WhatProcessesShareIsMade) {
    char* shared = static_cast<char*>(
        ::mmap(nullptr, k_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    std::memset(shared, 1, k_size);
    EXPECT_EQ(absent_pages_ms(::getpid(), reinterpret_cast<uint64_t>(shared), k_size), 0);
    ::munmap(shared, k_size);
}

TEST_F(AbsentPages, WhatIsThereStaysWhatItIs) {
    for (size_t at = 0; at < k_size; at += size_t{3} << 12) m_data[at] = 'x';
    const std::vector<char> before(m_data, m_data + k_size);
    EXPECT_GT(ms(), 0);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), m_data));
}

TEST_F(AbsentPages, OneThatCannotBeWrittenToIsNoResult) {
    ::mprotect(m_data + (size_t{3} << 12), 4096, PROT_READ);
    EXPECT_FALSE(ms());
}

}  // namespace
}  // namespace kforge
