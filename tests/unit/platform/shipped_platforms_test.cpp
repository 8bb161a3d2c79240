// Every platform that KForge ships, whatever its name.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kforge/guard/guard.hpp"
#include "kforge/platform/platform.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

const fs::path k_root = KFORGE_SOURCE_DIR;

std::vector<Platform> shipped() {
    auto platforms = load_platforms({k_root / "platforms"});
    EXPECT_TRUE(platforms.ok()) << platforms.error().message;
    return std::move(platforms).value();
}

TEST(ShippedPlatforms, AreThereAndComplete) {
    const std::vector<Platform> platforms = shipped();
    ASSERT_FALSE(platforms.empty());
    for (const Platform& platform : platforms) {
        EXPECT_FALSE(platform.detect.empty()) << platform.name;
        EXPECT_NE(platform.example_reference.find("class Model("), std::string::npos) << platform.name;
        EXPECT_NE(platform.example_kernel.find("class NewModel("), std::string::npos) << platform.name;
        EXPECT_GT(platform.guide.size(), 1000u) << platform.name;
    }
}

TEST(ShippedPlatforms, TheirExamplesKeepTheDefaultRulesAndTheirOwn) {
    const auto defaults = parse_guard_rules(read_file(k_root / "prompts/guard.toml").value(), "policy");
    for (const Platform& platform : shipped()) {
        for (const Precision precision : {Precision::strict, Precision::accurate, Precision::mixed}) {
            std::vector<GuardRule> rules = defaults.value();
            rules.insert(rules.end(), platform.guard.begin(), platform.guard.end());
            const auto guard = Guard::compile(rules, precision);
            ASSERT_TRUE(guard.ok()) << guard.error().message;
            EXPECT_EQ(describe(guard.value().check(platform.example_kernel)), "") << platform.name;
        }
    }
}

TEST(ShippedPlatforms, ADeviceThatIsAbsentCanBeCheckedForAndItsPeaksAreKnown) {
    for (const Platform& platform : shipped()) {
        if (platform.device == "cpu") continue;
        EXPECT_FALSE(platform.checks.empty()) << platform.name;
        EXPECT_FALSE(platform.devices.empty()) << platform.name;
        EXPECT_EQ(platform.detect.front().what, "device") << platform.name;
        EXPECT_FALSE(platform.detect.front().hint.empty()) << platform.name;
        for (const Probe& probe : platform.detect)  // also told where there is no run, by `kforge eval`
            EXPECT_EQ(probe.hint.find("run directory"), std::string::npos) << platform.name;
        for (const OfflineCheck& check : platform.checks) EXPECT_FALSE(check.needs.empty()) << check.name;
        for (const DevicePeaks& device : platform.devices)
            EXPECT_GT(device.tflops.count("fp32"), 0u) << device.name;
    }
}

// The rows of the table that a note opens with, each as the number of its cells.
std::vector<size_t> cells_of_rows(const std::string& note) {
    std::vector<size_t> rows;
    for (const std::string& line : split_lines(note)) {
        if (line.empty() || line.front() != '|') break;
        rows.push_back(static_cast<size_t>(std::count(line.begin(), line.end(), '|')) - 1);
    }
    return rows;
}

TEST(ShippedPlatforms, EveryPairHasANoteForTranslations) {
    const fs::path folder = k_root / "prompts/translations";
    std::set<std::string> dialects;
    for (const Platform& one : shipped()) {
        dialects.insert(one.dialect);
        for (const Platform& other : shipped()) {
            const std::string pair = one.name + " and " + other.name;
            const std::string note = translation_note(folder, one, other);
            EXPECT_EQ(note, translation_note(folder, other, one)) << pair;
            EXPECT_EQ(note.empty(), one.name == other.name) << pair;
            if (note.empty()) continue;
            const std::vector<size_t> rows = cells_of_rows(note);
            ASSERT_GE(rows.size(), 10u) << pair << ": a note is a table, then what no table can say";
            EXPECT_GE(rows.front(), 2u) << pair;
            for (const size_t cells : rows) EXPECT_EQ(cells, rows.front()) << pair << ": a | within a cell?";
            EXPECT_LT(note.size(), 4000u) << pair;
        }
    }
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::vector<std::string> names = split(entry.path().stem().string(), '-');
        ASSERT_EQ(names.size(), 2u) << entry.path();
        EXPECT_LE(names[0], names[1]) << entry.path() << ": the alphabetical order is what is looked for";
        for (const std::string& name : names) EXPECT_EQ(dialects.count(name), 1u) << entry.path();
    }
}

TEST(ShippedPlatforms, PeaksAreFoundByTheNamesThatDriversPrint) {
    const struct {
        const char *platform, *name;
        double memory_gbs;
    } devices[] = {
        {"nvidia-cuda", "NVIDIA H200", 4800},
        {"nvidia-cuda", "NVIDIA H100 80GB HBM3", 3350},
        {"nvidia-cuda", "NVIDIA H100 PCIe", 2039},
        {"nvidia-triton", "NVIDIA A100-SXM4-80GB", 2039},
        {"nvidia-triton", "NVIDIA A100-PCIE-40GB", 1555},
        {"nvidia-cute", "NVIDIA B200", 8000},
        {"nvidia-cuda", "NVIDIA L40S", 864},
        {"nvidia-cuda", "NVIDIA GeForce RTX 4090", 1008},
        {"nvidia-cuda", "NVIDIA GeForce RTX 5090", 1792},
        {"amd-hip", "AMD Instinct MI300X gfx942:sramecc+:xnack-", 5300},
        {"amd-triton", "AMD Instinct MI325X gfx942", 6000},
        {"amd-hip", "AMD Instinct MI250X/MI250 gfx90a", 1638},
        {"intel-sycl", "Intel(R) Arc(TM) B580 Graphics", 456},
        {"intel-triton", "Intel(R) Data Center GPU Max 1550", 1638},
        {"apple-metal", "Apple M1", 68},
        {"apple-metal", "Apple M2 Ultra", 800},
        {"apple-metal", "Apple M4 Max", 546},
    };
    for (const auto& item : devices) {
        Platform platform = find_platform({k_root / "platforms"}, item.platform).value();
        platform.detect = {{"device", {"echo", item.name}, ""}};
        const Detection detection = detect(platform);
        ASSERT_TRUE(detection.peaks != nullptr) << item.name;
        EXPECT_EQ(detection.peaks->memory_gbs, item.memory_gbs) << item.name;
    }
}

TEST(ShippedPlatforms, PeaksOfOtherDevicesAreNotTaken) {
    Platform platform = find_platform({k_root / "platforms"}, "nvidia-cuda").value();
    for (const char* name : {"NVIDIA GH200 480GB", "NVIDIA GB200"}) {
        platform.detect = {{"device", {"echo", name}, ""}};
        EXPECT_EQ(detect(platform).peaks, nullptr) << name;
    }
}

TEST(ShippedPlatforms, CpuRulesKnowTheHalfPrecisionInstructions) {
    const auto platform = find_platform({k_root / "platforms"}, "cpu-cpp");
    const auto guard = Guard::compile(platform->guard, Precision::strict);
    for (const char* banned :
         {"_mm256_cvtps_ph(x, 0)", "_mm512_fmadd_ph(a, b, c)", "_mm512_cvtneps_pbh(x)", "_cvtss_sh(x, 0)",
          "_mm512_dpbf16_ps(c, a, b)", "_tile_dpbf16ps(0, 1, 2)", "vcvt_f16_f32(x)", "vbfdotq_f32(c, a, b)"})
        EXPECT_EQ(guard.value().check(std::string("S = 'y = ") + banned + ";'\n").size(), 1u) << banned;
    for (const char* honest :
         {"_mm512_storeu_ps(p, x)", "_mm512_rcp14_ps(x)", "_mm256_cvtepi32_ps(x)", "vfmaq_f32(c, a, b)"})
        EXPECT_EQ(guard.value().check(std::string("S = 'y = ") + honest + ";'\n").size(), 0u) << honest;
}

}  // namespace
}  // namespace kforge
