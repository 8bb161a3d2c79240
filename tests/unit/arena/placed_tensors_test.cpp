#include "kforge/arena/placed_tensors.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace kforge {
namespace {

constexpr size_t k_three_pages = size_t{3} << 12;

// Memory of this process: nothing else is written to.
struct OwnMemory {
    explicit OwnMemory(int flags = MAP_PRIVATE)
        : data(static_cast<char*>(
              ::mmap(nullptr, k_three_pages, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0))) {}
    ~OwnMemory() { ::munmap(data, k_three_pages); }
    nlohmann::json place(size_t offset, size_t size) const {
        return {reinterpret_cast<uint64_t>(data) + offset, size};
    }
    char* data;
};

std::optional<PlacedTensors> placed(const nlohmann::json& places, size_t most_bytes = k_three_pages) {
    return PlacedTensors::read(::getpid(), places, most_bytes);
}

TEST(PlacedTensors, ArePutBackAsTheyWere) {
    const OwnMemory memory;
    std::strcpy(memory.data + 100, "state");
    const auto tensors = placed({memory.place(100, 6), memory.place(5000, 0), memory.place(5000, 8)});
    ASSERT_TRUE(tensors);
    std::memset(memory.data, 'x', k_three_pages);
    EXPECT_TRUE(tensors->write());
    EXPECT_STREQ(memory.data + 100, "state");
    EXPECT_EQ(memory.data[99], 'x');
    EXPECT_EQ(memory.data[106], 'x');
    EXPECT_EQ(memory.data[5000], 0);
}

TEST(PlacedTensors, MayBeWrittenWithOtherBytesOfThatLength) {
    const OwnMemory memory;
    const auto tensors = placed({memory.place(0, 2), memory.place(8, 3)});
    ASSERT_TRUE(tensors);
    const auto others = tensors->with({"ab", "cde"});
    ASSERT_TRUE(others);
    EXPECT_TRUE(others->write());
    EXPECT_EQ(std::string(memory.data + 8, 3), "cde");
    EXPECT_TRUE(tensors->write());
    EXPECT_EQ(memory.data[8], 0);
    EXPECT_FALSE(tensors->with({"ab"}));
    EXPECT_FALSE(tensors->with({"ab", "cd"}));
}

TEST(PlacedTensors, KnowWhatOverlapsThem) {
    const OwnMemory memory;
    const auto tensors = placed(nlohmann::json::array({memory.place(64, 64)}));
    ASSERT_TRUE(tensors);
    const uint64_t first = memory.place(0, 0)[0];
    EXPECT_TRUE(tensors->overlaps(first, 65));
    EXPECT_TRUE(tensors->overlaps(first + 127, 1));
    EXPECT_FALSE(tensors->overlaps(first, 64));
    EXPECT_FALSE(tensors->overlaps(first + 128, 64));
}

// It could be a result under another address, which nobody but its candidate is to write.
TEST(PlacedTensors, MemoryThatCanBeMappedTwiceIsNone) {
    const OwnMemory shared(MAP_SHARED);
    EXPECT_FALSE(placed(nlohmann::json::array({shared.place(0, 8)})));

    const OwnMemory memory;
    const auto tensors = placed(nlohmann::json::array({memory.place(0, 8)}));
    ASSERT_TRUE(tensors);
    ::mmap(memory.data, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    EXPECT_FALSE(tensors->write());
}

TEST(PlacedTensors, WhatIsNoPlaceIsNone) {
    const OwnMemory memory;
    EXPECT_FALSE(placed(nullptr));
    EXPECT_FALSE(placed({1, 2}));
    EXPECT_FALSE(placed({{"address", 1}}));
    EXPECT_FALSE(placed(nlohmann::json::array({{-4096, 8}})));
    EXPECT_FALSE(placed(nlohmann::json::array({{4096, 8}})));
    EXPECT_FALSE(placed(nlohmann::json::array({{~uint64_t{0}, 8}})));
    ::munmap(memory.data + 4096, 4096);
    EXPECT_FALSE(placed(nlohmann::json::array({memory.place(0, k_three_pages)})));
    EXPECT_FALSE(placed({memory.place(0, 8), memory.place(8, 9)}, 16));
    EXPECT_TRUE(placed(nlohmann::json::array()));
}

TEST(PlacedTensors, OnesThatAreGoneAreNotWritten) {
    std::optional<PlacedTensors> tensors;
    {
        const OwnMemory memory;
        tensors = placed(nlohmann::json::array({memory.place(0, 8)}));
    }
    ASSERT_TRUE(tensors);
    EXPECT_FALSE(tensors->write());
}

}  // namespace
}  // namespace kforge
