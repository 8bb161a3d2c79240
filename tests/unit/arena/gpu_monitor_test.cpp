#include "kforge/arena/gpu_monitor.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "kforge/arena/nvml.hpp"

namespace kforge {
namespace {

using Others = GpuCompany::Others;

// One GPU "GPU-1" of number 3, whose instance is "MIG-2", and "GPU-9", of which nothing is told.
nvml::Device device_of(long number) {
    return reinterpret_cast<nvml::Device>(number);
}
const nvml::Library k_fake = {
    [] { return 0; },
    [](const char* uuid, nvml::Device* device) {
        const std::string name = uuid;
        *device = device_of(name == "GPU-1" ? 1 : name == "MIG-2" ? 2 : name == "GPU-9" ? 9 : 0);
        return *device == nullptr ? 6 : 0;  // NVML_ERROR_NOT_FOUND
    },
    [](nvml::Device device, char* uuid, unsigned) {
        std::strcpy(uuid, device == device_of(1) ? "GPU-1" : "?");
        return 0;
    },
    [](nvml::Device instance, nvml::Device* gpu) {
        *gpu = device_of(1);
        return instance == device_of(2) ? 0 : 2;
    },
    [](nvml::Device device, unsigned* id) { return *id = 5, device == device_of(2) ? 0 : 3; },
    [](nvml::Device device, unsigned* id) { return *id = 0, device == device_of(2) ? 0 : 3; },
    [](nvml::Device device, int type, unsigned* mhz) {
        *mhz = type == 1 ? 1980 : 3201;
        return device == device_of(1) ? 0 : 3;
    },
    [](nvml::Device device, int, unsigned* celsius) { return *celsius = 40, device == device_of(1) ? 0 : 3; },
    [](nvml::Device device, unsigned* milliwatts) {
        *milliwatts = 79500;
        return device == device_of(1) ? 0 : 3;
    },
    [](nvml::Device device, unsigned long long* reasons) {
        *reasons = 0x4 | 0x1;
        return device == device_of(1) ? 0 : 3;
    },
    [](nvml::Device device, unsigned* count, nvml::ProcessInfo* infos) {
        if (device == device_of(9)) return 4;  // NVML_ERROR_NO_PERMISSION
        *count = 1;
        infos[0] = {device == device_of(1) ? 100u : 200u, ~0ULL, 0, 0};
        return 0;
    },
    [](nvml::Device device, unsigned* number) { return *number = 3, device == device_of(1) ? 0 : 3; },
};

class GpuMonitorTest : public ::testing::Test {
  protected:
    void SetUp() override { nvml::set_library_for_test(&k_fake); }
    void TearDown() override { nvml::set_library_for_test(nullptr); }
};

TEST_F(GpuMonitorTest, KnowsAWholeGpuFromAnInstance) {
    EXPECT_EQ(identify_gpu("1").gpu, "GPU-1");
    EXPECT_EQ(identify_gpu("1").instance, "");
    EXPECT_EQ(identify_gpu("2").gpu, "GPU-1");
    EXPECT_EQ(identify_gpu("2").instance, "MIG-2");
    EXPECT_EQ(identify_gpu("7").gpu, "GPU-7") << "of which the library knows nothing";
}

TEST_F(GpuMonitorTest, ClocksAreTheGpusUsersThoseOfTheInstance) {
    const GpuConditions whole = gpu_conditions({"GPU-1", ""});
    EXPECT_EQ(whole.users->at(0).pid, 100);
    EXPECT_EQ(whole.users->at(0).bytes, 0u) << "not told";
    const GpuConditions instance = gpu_conditions({"GPU-1", "MIG-2"});
    EXPECT_EQ(instance.users->at(0).pid, 200);
    EXPECT_EQ(to_json(instance), nlohmann::json({{"sm_mhz", 1980},
                                                 {"memory_mhz", 3201},
                                                 {"celsius", 40},
                                                 {"watts", 79.5},
                                                 {"throttled", {"power cap"}}}));
}

TEST_F(GpuMonitorTest, WhatIsNotToldIsNoNumber) {
    const GpuConditions conditions = gpu_conditions({"GPU-9", ""});
    EXPECT_TRUE(conditions.known);
    EXPECT_FALSE(conditions.users);
    EXPECT_EQ(to_json(conditions), nlohmann::json({{"throttled", nlohmann::json::array()}}));
    EXPECT_FALSE(gpu_conditions({"GPU-7", ""}).known);
}

class GpuFilesTest : public GpuMonitorTest {
  protected:
    void SetUp() override {
        GpuMonitorTest::SetUp();
        for (const char* name : {"nvidia0", "nvidia3", "nvidiactl", "nvidia-uvm", "null"}) touch(dev / name);
        for (const char* name : {"nvidia-cap1", "nvidia-cap30", "nvidia-cap31"})
            touch(dev / "nvidia-caps" / name);
    }
    static void touch(const fs::path& path, const std::string& text = "") {
        ASSERT_TRUE(make_directories(path.parent_path()).ok());
        ASSERT_TRUE(write_file_durable(path, text).ok());
    }
    std::vector<std::string> seen(const GpuIdentity& identity) const {
        std::vector<std::string> names;
        for (const std::string& file : gpu_files(identity, dev, proc))
            names.push_back(fs::path(file).lexically_relative(dev).string());
        return names;
    }
    const TemporaryDirectory folder =
        TemporaryDirectory::create(fs::temp_directory_path(), "gpu-files-").value();
    const fs::path dev = folder.path() / "dev", proc = folder.path() / "proc";
};

using Names = std::vector<std::string>;

TEST_F(GpuFilesTest, AreThoseOfOneGpu) {
    EXPECT_EQ(seen({"GPU-1", ""}), (Names{"nvidia-caps", "nvidia-uvm", "nvidia3", "nvidiactl"}));
    EXPECT_EQ(seen({"GPU-7", ""}), (Names{"nvidia-caps", "nvidia-uvm", "nvidia0", "nvidia3", "nvidiactl"}))
        << "its number is not known";
}

TEST_F(GpuFilesTest, OfAnInstanceAreItsOwn) {
    const fs::path instance = proc / "capabilities/gpu3/mig/gi5";
    touch(instance / "access", "DeviceFileMinor: 30\nDeviceFileMode: 256\n");
    EXPECT_EQ(seen({"GPU-1", "MIG-2"}), (Names{"nvidia-caps", "nvidia-uvm", "nvidia3", "nvidiactl"}))
        << "half of what it needs is not told";
    touch(instance / "ci0/access", "DeviceFileMinor: 31\nDeviceFileMode: 256\n");
    EXPECT_EQ(seen({"GPU-1", "MIG-2"}), (Names{"nvidia-caps/nvidia-cap30", "nvidia-caps/nvidia-cap31",
                                               "nvidia-uvm", "nvidia3", "nvidiactl"}));
}

// A process that is our child until it is told to end.
class Offspring {
  public:
    Offspring() : pid(::fork()) {
        if (pid == 0)
            for (;;) ::pause();
    }
    ~Offspring() { end(); }
    void end() {
        if (m_ended) return;
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        m_ended = true;
    }
    const pid_t pid;

  private:
    bool m_ended = false;
};

GpuConditions used_by(std::vector<GpuConditions::User> users) {
    GpuConditions conditions;
    conditions.known = true;
    conditions.users = std::move(users);
    return conditions;
}

TEST(GpuCompany, ChildrenAreNoOthers) {
    Offspring child, stranger;
    const pid_t self = ::getpid();
    EXPECT_EQ(company_on(used_by({{self, 1}, {child.pid, 1}}), self, true).others, Others::none);
    EXPECT_EQ(company_on(used_by({{child.pid, 1}, {stranger.pid, 1}}), child.pid, true).others, Others::some);
    EXPECT_EQ(company_on(used_by({{child.pid, 1}, {stranger.pid, 1}}), child.pid, false).others,
              Others::some);
}

TEST(GpuCompany, WhoHasEndedMeanwhileIsNoOther) {
    Offspring child;
    child.end();
    EXPECT_EQ(company_on(used_by({{::getpid(), 1}, {child.pid, 1}}), ::getpid(), true).others, Others::none);
}

TEST(GpuCompany, NumbersOfAnotherNamespaceMeanNothing) {
    Offspring stranger;  // whose number is that of one of ours outside
    const GpuCompany company = company_on(used_by({{stranger.pid, 1}, {4'000'000, 1}}), ::getpid(), false);
    EXPECT_EQ(company.others, Others::unclear);
    EXPECT_NE(company.why.find("numbers"), std::string::npos);
    EXPECT_FALSE(gpu_bytes_of(used_by({{stranger.pid, 1}}), ::getpid(), stranger.pid));
}

TEST(GpuCompany, InAContainerNobodyCanSayThatThereAreNoOthers) {
    EXPECT_EQ(company_on(used_by({{::getpid(), 1}}), ::getpid(), true).others, Others::none);
    EXPECT_EQ(company_on(used_by({{::getpid(), 1}}), ::getpid(), false).others, Others::unclear);
    EXPECT_EQ(company_on(GpuConditions(), ::getpid(), true).others, Others::unclear);
}

TEST(GpuCompany, MemoryIsThatOfAProcessAndAllBelowIt) {
    Offspring child, other;
    const GpuConditions conditions = used_by({{::getpid(), 1}, {child.pid, 20}, {other.pid, 300}});
    EXPECT_EQ(gpu_bytes_of(conditions, ::getpid(), child.pid), 20u);
    EXPECT_EQ(gpu_bytes_of(conditions, ::getpid(), ::getpid()), 321u);
}

}  // namespace
}  // namespace kforge
