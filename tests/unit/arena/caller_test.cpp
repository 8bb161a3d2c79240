#include "kforge/arena/caller.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "kforge/util/fd.hpp"

namespace kforge {
namespace {

constexpr size_t k_page = 4096;
constexpr int64_t k_items = k_page / sizeof(float);

OutputForm form_of(const void* data, std::vector<int64_t> shape, std::vector<int64_t> stride) {
    return {"float32", std::move(shape), std::move(stride), reinterpret_cast<uint64_t>(data)};
}

TEST(Caller, WritesToElementsAndNothingElse) {
    std::vector<float> memory(1000, 1.0f);
    const OutputForm form = form_of(memory.data(), {10, 20}, {100, 2});
    const std::vector<float> before = memory;
    Caller caller(1);
    ASSERT_TRUE(caller.write_to(::getpid(), form, 50));
    EXPECT_TRUE(caller.left_the_rest(::getpid(), form, reinterpret_cast<const char*>(before.data())));
    EXPECT_NE(std::count_if(memory.begin(), memory.end(), [](float x) { return x != x; }), 0);
    for (size_t i = 0; i < memory.size(); ++i) {
        const bool is_element = i % 2 == 0 && i % 100 < 40;
        EXPECT_TRUE(is_element || memory[i] == 1.0f) << i;
    }
}

TEST(Caller, ADifferenceElsewhereIsFound) {
    std::vector<float> memory(1 << 18, 1.0f);
    const OutputForm form = form_of(memory.data(), {1 << 18}, {1});
    const std::vector<float> before = memory;
    Caller caller(1);
    ASSERT_TRUE(caller.write_to(::getpid(), form, 64));
    EXPECT_TRUE(caller.left_the_rest(::getpid(), form, reinterpret_cast<const char*>(before.data())));
    *std::find(memory.rbegin(), memory.rend(), 1.0f) = 2;
    EXPECT_FALSE(caller.left_the_rest(::getpid(), form, reinterpret_cast<const char*>(before.data())));
}

TEST(Caller, OfALargeResultEveryPartIsLookedAtSoonerOrLater) {
    std::vector<float> memory(1 << 20, 1.0f);
    const OutputForm form = form_of(memory.data(), {1 << 20}, {1});
    const std::vector<float> before = memory;
    Caller caller(1);
    ASSERT_TRUE(caller.write_to(::getpid(), form, 64));
    const auto left = [&] {
        return caller.left_the_rest(::getpid(), form, reinterpret_cast<const char*>(before.data()));
    };
    for (int look = 0; look < 20; ++look) EXPECT_TRUE(left());
    for (const size_t place : {size_t{0}, memory.size() / 2, memory.size() - 1}) {
        const float kept = std::exchange(memory[place], 2.0f);
        int found = 0;
        for (int look = 0; look < 100; ++look) found += left() ? 0 : 1;
        EXPECT_GT(found, 5) << place;
        EXPECT_LT(found, 60) << place;
        memory[place] = kept;
    }
}

TEST(Caller, FindsWhatItHasWrittenUnlessSomebodyElseWritesThere) {
    std::vector<float> memory(100, 1.0f);
    Caller caller(1);
    EXPECT_TRUE(caller.finds_its_own(::getpid()));
    ASSERT_TRUE(caller.write_to(::getpid(), form_of(memory.data(), {100}, {1}), 1000));
    ASSERT_TRUE(caller.write_to(::getpid(), form_of(memory.data(), {100}, {1}), 1000));
    EXPECT_TRUE(caller.finds_its_own(::getpid()));
    *std::find_if(memory.begin(), memory.end(), [](float x) { return x != x; }) = 2;
    EXPECT_FALSE(caller.finds_its_own(::getpid()));
}

TEST(Caller, PagesThatAreMappedTwiceShow) {
    const Fd file(::memfd_create("pages", MFD_CLOEXEC));
    ASSERT_EQ(::ftruncate(file.get(), k_page), 0);
    char* whole =
        static_cast<char*>(::mmap(nullptr, 2 * k_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (const size_t at : {size_t{0}, k_page})
        ASSERT_NE(::mmap(whole + at, k_page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.get(), 0),
                  MAP_FAILED);
    const OutputForm form = form_of(whole, {2, k_items}, {k_items, 1});
    const std::vector<char> before(2 * k_page, 0);
    Caller caller(1);
    ASSERT_TRUE(caller.write_to(::getpid(), form, 4));
    EXPECT_FALSE(caller.left_the_rest(::getpid(), form, before.data()));
    ::munmap(whole, 2 * k_page);
}

TEST(Caller, OutputsMayShareTheirAddresses) {
    std::vector<float> memory(100, 1.0f);
    const OutputForm whole = form_of(memory.data(), {100}, {1}), half = form_of(&memory[50], {50}, {1});
    const std::vector<float> before = memory;
    Caller caller(1);
    ASSERT_TRUE(caller.write_to(::getpid(), whole, 10));
    ASSERT_TRUE(caller.write_to(::getpid(), half, 10));
    EXPECT_TRUE(caller.left_the_rest(::getpid(), whole, reinterpret_cast<const char*>(before.data())));
    EXPECT_TRUE(caller.left_the_rest(::getpid(), half, reinterpret_cast<const char*>(&before[50])));
}

TEST(Caller, WhatCannotBeWrittenToIsSaid) {
    void* page = ::mmap(nullptr, k_page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_FALSE(Caller(1).write_to(::getpid(), form_of(page, {k_items}, {1}), 4));
    ::munmap(page, k_page);
    EXPECT_TRUE(Caller(1).write_to(::getpid(), form_of(page, {0}, {1}), 4));
}

}  // namespace
}  // namespace kforge
