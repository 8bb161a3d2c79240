#include "kforge/arena/gpu.hpp"

#include <gtest/gtest.h>

#include "fake_driver.hpp"

namespace kforge {
namespace {

class GpuTest : public ::testing::Test {
  protected:
    void SetUp() override { fake = FakeDriver(); }
    std::shared_ptr<Gpu> open() {
        Result<std::shared_ptr<Gpu>> gpu = Gpu::open(driver);
        EXPECT_TRUE(gpu.ok()) << gpu.error().message;
        return gpu.ok() ? gpu.value() : nullptr;
    }
    const cuda::Driver driver = FakeDriver::table();
    FakeDriver& fake = FakeDriver::it();
    const std::string handle = std::string(128, 'a');
};

TEST_F(GpuTest, GivesBackAllThatItHasTakenTheContextLast) {
    std::shared_ptr<Gpu> gpu = open();
    Gpu::Memory memory = gpu->allocate(100).value();
    Gpu::Kept kept;
    EXPECT_TRUE(gpu->keep(memory, 100, kept).ok());
    EXPECT_TRUE(gpu->copy_from(handle, 0, 10, memory.address).value());
    EXPECT_EQ(fake.contexts, 1);
    gpu->release(kept);
    gpu->release(memory);
    gpu.reset();
    EXPECT_EQ(fake.held(), 0);
    ASSERT_FALSE(fake.calls.empty());
    EXPECT_EQ(fake.calls.back(), "context");
}

TEST_F(GpuTest, GivesBackWhatItHadWhenItCouldNotBeOpened) {
    fake.create = cuda::k_out_of_memory;
    const Result<std::shared_ptr<Gpu>> gpu = Gpu::open(driver);
    ASSERT_FALSE(gpu.ok());
    EXPECT_EQ(gpu.error().kind, ErrorKind::environment);
    EXPECT_NE(gpu.error().message.find("not enough memory"), std::string::npos) << gpu.error().message;
    EXPECT_EQ(fake.held(), 0);
}

TEST_F(GpuTest, WaitsForNoGpuThatHangs) {
    std::shared_ptr<Gpu> gpu = open();
    fake.query = cuda::k_not_ready;
    gpu.reset();
    EXPECT_TRUE(fake.calls.empty()) << "all of these may wait for the work under way";
}

TEST_F(GpuTest, AsksNothingOfADriverThatHasGone) {
    std::shared_ptr<Gpu> gpu = open();
    fake.use = 4;  // CUDA_ERROR_DEINITIALIZED
    gpu.reset();
    EXPECT_TRUE(fake.calls.empty());
}

TEST_F(GpuTest, GivesBackWhatACrashHasLeft) {
    std::shared_ptr<Gpu> gpu = open();
    fake.query = 700;  // CUDA_ERROR_ILLEGAL_ADDRESS
    gpu.reset();
    EXPECT_EQ(fake.held(), 0);
}

TEST_F(GpuTest, MemoryOfOthersIsReadFromWhereItBeginsAndClosedAsItWasOpened) {
    std::shared_ptr<Gpu> gpu = open();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(gpu->copy_from(handle, 0x10, 0x20, 0x1000).value());
    EXPECT_EQ(fake.copied_from, FakeDriver::k_ipc_begin + 0x10);
    EXPECT_FALSE(gpu->copy_from(handle, 0x1FF0, 0x20, 0x1000).value()) << "beyond its end";
    EXPECT_FALSE(gpu->copy_from("nonsense", 0, 1, 0x1000).value());
    EXPECT_EQ(fake.opened.size(), 1u);
    gpu->forget_others();
    EXPECT_TRUE(fake.opened.empty());
}

// Or every call would wait for a minute, and seem to have been prepared.
TEST_F(GpuTest, WhereLaunchingTakesLongTheGpuIsNotTakenForBusy) {
    fake.launching = std::chrono::microseconds(300);
    std::shared_ptr<Gpu> gpu = open();
    const Result<Gpu::Settled> settled = gpu->settle();
    ASSERT_TRUE(settled.ok());
    EXPECT_LT(settled->delays, 1000) << "a busy machine may delay some";
}

TEST_F(GpuTest, IsAtWorkWhereItHasToBeTakenOver) {
    std::shared_ptr<Gpu> gpu = open();
    const auto is_idle_for_once = [&] {
        for (int i = 0; i < 1000; ++i)  // on a busy machine it may seem to be at work
            if (!gpu->is_at_work().value()) return true;
        return false;
    };
    EXPECT_TRUE(is_idle_for_once());
    fake.launching = std::chrono::milliseconds(2);
    EXPECT_TRUE(gpu->is_at_work().value());
    fake.launching = {};
    EXPECT_TRUE(is_idle_for_once());
}

TEST_F(GpuTest, InputsMayBeEmpty) {
    std::shared_ptr<Gpu> gpu = open();
    Gpu::Memory memory = gpu->allocate(0).value();
    Gpu::Kept kept;
    EXPECT_TRUE(gpu->keep(memory, 0, kept).ok());
    gpu->release(kept);
    gpu->release(memory);
}

TEST_F(GpuTest, IsNotUsedWhereProcessesComputeAtTheSameTime) {
    fake.mps = 1;
    const Result<std::shared_ptr<Gpu>> gpu = Gpu::open(driver);
    ASSERT_FALSE(gpu.ok());
    EXPECT_EQ(gpu.error().kind, ErrorKind::environment);
    EXPECT_NE(gpu.error().message.find("CUDA_MPS_PIPE_DIRECTORY"), std::string::npos);
    EXPECT_EQ(fake.held(), 0);
}

}  // namespace
}  // namespace kforge
