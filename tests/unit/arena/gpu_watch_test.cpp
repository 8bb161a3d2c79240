#include "kforge/arena/gpu_watch.hpp"

#include <gtest/gtest.h>

#include "fake_driver.hpp"
#include "kforge/arena/nvml.hpp"

namespace kforge {
namespace {

TEST(GpuWatch, AFewDelaysAreNoFinding) {
    GpuWatch watch(nullptr);
    std::vector<std::string> notes;
    for (int i = 0; i < 10; ++i) watch.note_call(i < 3);
    EXPECT_FALSE(watch.find_restless(notes));
    EXPECT_TRUE(notes.empty());
}

TEST(GpuWatch, WorkBeforeMostCallsIsAFinding) {
    GpuWatch watch(nullptr);
    std::vector<std::string> notes;
    for (int i = 0; i < 10; ++i) watch.note_call(i % 5 != 0);
    const std::optional<Verdict> found = watch.find_restless(notes);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->reason, Reason::integrity);
    EXPECT_NE(found->evidence.find("8 of 10"), std::string::npos) << found->evidence;
}

TEST(GpuWatch, WorkOfOthersIsNoFindingWhereTheyAreSeen) {
    GpuWatch watch(nullptr);
    std::vector<std::string> notes;
    watch.note_company({GpuCompany::Others::some, ""});
    watch.note_company({GpuCompany::Others::none, ""});
    for (int i = 0; i < 10; ++i) watch.note_call(true);
    EXPECT_FALSE(watch.find_restless(notes));
    EXPECT_EQ(notes.size(), 1u);
    EXPECT_EQ(watch.report(), nlohmann::json({{"other_processes", true}}));
}

TEST(GpuWatch, WhereOthersMayHideTheEvidenceSaysSo) {
    GpuWatch watch(nullptr);
    std::vector<std::string> notes;
    watch.note_company({GpuCompany::Others::none, ""});
    EXPECT_EQ(watch.report(), nlohmann::json({{"other_processes", false}}));
    watch.note_company({GpuCompany::Others::unclear, "fog"});
    EXPECT_EQ(watch.report(),
              nlohmann::json({{"other_processes", nullptr}, {"other_processes_unclear", "fog"}}));
    for (int i = 0; i < 10; ++i) watch.note_call(true);
    const std::optional<Verdict> found = watch.find_restless(notes);
    ASSERT_TRUE(found) << "or a candidate could hide behind others";
    EXPECT_NE(found->evidence.find("fog"), std::string::npos) << found->evidence;
}

TEST(GpuWatch, WhatCannotBeAskedIsToldAsSuch) {
    nvml::Library deaf{};
    deaf.by_uuid = [](const char*, nvml::Device*) { return 6; };  // NVML_ERROR_NOT_FOUND
    nvml::set_library_for_test(&deaf);
    FakeDriver::it() = FakeDriver();
    const cuda::Driver driver = FakeDriver::table();
    const std::shared_ptr<Gpu> gpu = Gpu::open(driver).value();
    GpuWatch watch(gpu.get());
    std::vector<std::string> notes;
    watch.note_conditions("before", notes);
    nvml::set_library_for_test(nullptr);
    EXPECT_EQ(watch.report(),
              nlohmann::json({{"name", "Fake"},
                              {"other_processes", nullptr},
                              {"other_processes_unclear", "the driver does not tell who uses the GPU"}}));
}

TEST(GpuWatch, WithoutAGpuNobodyStartsLate) {
    GpuWatch watch(nullptr);
    std::vector<std::string> notes;
    EXPECT_EQ(watch.late_start_ms({5, 5, 5}, {1, 1, 1}, notes), 0);
    EXPECT_TRUE(watch.report().is_null());
}

}  // namespace
}  // namespace kforge
