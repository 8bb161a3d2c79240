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
        return nlohmann::json::array({reinterpret_cast<uint64_t>(data) + offset, size});
    }
    char* data;
};

std::optional<PlacedTensors> placed(const nlohmann::json& places, std::map<std::string, std::string> bytes,
                                    std::vector<std::string> changing = {}) {
    return PlacedTensors::find(::getpid(), places, std::move(bytes), std::move(changing));
}

TEST(PlacedTensors, WhatACallChangesIsWrittenBeforeEach) {
    const OwnMemory memory;
    const nlohmann::json places = {
        {"state", memory.place(100, 6)}, {"weight", memory.place(200, 3)}, {"none", memory.place(4000, 0)}};
    auto tensors = placed(places, {{"state", "state."}, {"weight", "abc"}, {"none", ""}}, {"state", "none"});
    ASSERT_TRUE(tensors);
    std::memset(memory.data, 'x', k_three_pages);
    EXPECT_TRUE(tensors->prepare_call());
    EXPECT_EQ(std::string(memory.data + 99, 8), "xstate.x");
    EXPECT_EQ(std::string(memory.data + 200, 3), "xxx");  // nobody has touched it
}

TEST(PlacedTensors, OthersAreForOneCall) {
    const OwnMemory memory;
    std::strcpy(memory.data, "statew8");
    const nlohmann::json places = {{"state", memory.place(0, 5)}, {"weight", memory.place(5, 2)}};
    auto tensors = placed(places, {{"state", "state"}, {"weight", "w8"}}, {"state"});
    ASSERT_TRUE(tensors);
    EXPECT_TRUE(tensors->prepare_call({{"state", "later"}, {"weight", "xy"}}));
    EXPECT_STREQ(memory.data, "laterxy");
    EXPECT_TRUE(tensors->prepare_call({{"weight", "yz"}}));
    EXPECT_STREQ(memory.data, "stateyz");
    EXPECT_TRUE(tensors->prepare_call());
    EXPECT_STREQ(memory.data, "statew8");
    EXPECT_TRUE(tensors->fits("weight", 2));
    EXPECT_FALSE(tensors->fits("weight", 3));
    EXPECT_FALSE(tensors->fits("another", 2));
    EXPECT_FALSE(tensors->prepare_call({{"weight", "long"}}));
    EXPECT_FALSE(tensors->prepare_call({{"another", "xy"}}));
}

TEST(PlacedTensors, OfATrustedProcessAllAreWrittenAsTheyWere) {
    const OwnMemory memory;
    std::strcpy(memory.data + 64, "state");
    auto tensors = PlacedTensors::find(::getpid(), {{"state", memory.place(64, 5)}});
    ASSERT_TRUE(tensors);
    std::strcpy(memory.data + 64, "other");
    EXPECT_TRUE(tensors->prepare_call());
    EXPECT_STREQ(memory.data + 64, "state");
}

TEST(PlacedTensors, KnowWhatOverlapsThem) {
    const OwnMemory memory;
    const auto tensors = placed({{"state", memory.place(64, 64)}}, {{"state", std::string(64, 's')}});
    ASSERT_TRUE(tensors);
    const auto first = reinterpret_cast<uint64_t>(memory.data);
    EXPECT_TRUE(tensors->overlaps(first, 65));
    EXPECT_TRUE(tensors->overlaps(first + 127, 1));
    EXPECT_FALSE(tensors->overlaps(first, 64));
    EXPECT_FALSE(tensors->overlaps(first + 128, 64));
}

// It could be a result under another address, which nobody but its candidate is to write.
TEST(PlacedTensors, MemoryThatCanBeMappedTwiceIsNone) {
    const OwnMemory shared(MAP_SHARED);
    EXPECT_FALSE(placed({{"state", shared.place(0, 8)}}, {{"state", "01234567"}}));

    const OwnMemory memory;
    auto tensors = placed({{"state", memory.place(0, 8)}}, {{"state", "01234567"}}, {"state"});
    ASSERT_TRUE(tensors);
    ::mmap(memory.data, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    EXPECT_FALSE(tensors->prepare_call());
}

TEST(PlacedTensors, WhatIsNoPlaceIsNone) {
    const OwnMemory memory;
    const std::map<std::string, std::string> bytes = {{"state", "01234567"}};
    EXPECT_TRUE(placed({{"state", memory.place(0, 8)}, {"more", 7}}, bytes));
    for (const nlohmann::json& place :
         {nlohmann::json(), nlohmann::json(7), nlohmann::json::array({1, 2, 3}),
          nlohmann::json::array({-4096, 8}), nlohmann::json::array({4096, 8}),
          nlohmann::json::array({~uint64_t{0} - 4, 8}), nlohmann::json::array({4096, ~uint64_t{0}}),
          memory.place(0, 7), memory.place(0, 9)})
        EXPECT_FALSE(placed({{"state", place}}, bytes)) << place.dump();
    EXPECT_FALSE(placed({{"other", memory.place(0, 8)}}, bytes));
    EXPECT_FALSE(placed(nullptr, bytes));
    EXPECT_FALSE(placed({1, 2}, bytes));
    ::munmap(memory.data + 4096, 4096);
    EXPECT_FALSE(
        placed({{"state", memory.place(0, k_three_pages)}}, {{"state", std::string(k_three_pages, '\0')}}));
}

TEST(PlacedTensors, OnesThatAreGoneAreNotWritten) {
    std::optional<PlacedTensors> tensors;
    {
        const OwnMemory memory;
        tensors = placed({{"state", memory.place(0, 8)}}, {{"state", "01234567"}}, {"state"});
    }
    ASSERT_TRUE(tensors);
    EXPECT_FALSE(tensors->prepare_call());
}

}  // namespace
}  // namespace kforge
