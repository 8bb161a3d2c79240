#include "kforge/jail/jail.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

TEST(JailReport, TellsLayersAndBrokenPromises) {
    const auto report = parse_jail_report(
        R"({"layers": {"pid": "missing: no", "net": "ok"}, "notes": ["n"], "scratch": "/tmp",
            "broken": [{"promise": "no process is left behind", "why": "pid: no"}]})");
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->layers.at("net"), "ok");
    ASSERT_EQ(report->broken.size(), 1u);
    EXPECT_EQ(report->broken[0].promise, "no process is left behind");
    EXPECT_EQ(report->broken[0].why, "pid: no");
    EXPECT_EQ(report->notes, std::vector<std::string>{"n"});
}

TEST(JailReport, RefusesWhatIsNoReport) {
    for (const char* text : {"", "[]", "{}", R"({"layers": 1, "notes": [], "broken": []})",
                             R"({"layers": {}, "notes": [], "broken": [{"promise": 1, "why": "x"}]})"}) {
        const auto report = parse_jail_report(text);
        ASSERT_FALSE(report.ok()) << text;
        EXPECT_EQ(report.error().kind, ErrorKind::parse);
    }
}

TEST(JailLibrary, IsFoundBesideTheExecutableOrInTheLibFolder) {
    auto folder = TemporaryDirectory::create(fs::temp_directory_path(), "jail-test");
    ASSERT_TRUE(folder.ok());
    const fs::path root = folder->path();
    const fs::path executable = root / "bin" / "kforge";
    EXPECT_EQ(find_jail_library(executable).error().kind, ErrorKind::environment);
    ASSERT_TRUE(write_file_durable(root / "lib" / "libkforge_jail.so", "").ok());
    EXPECT_EQ(find_jail_library(executable).value(), root / "lib" / "libkforge_jail.so");
    ASSERT_TRUE(write_file_durable(root / "bin" / "libkforge_jail.so", "").ok());
    EXPECT_EQ(find_jail_library(executable).value(), root / "bin" / "libkforge_jail.so");
}

TEST(JailProbe, SaysWhatTheInterpreterSaid) {
    const auto report = probe_jail("/nonexistent/libkforge_jail.so", "/bin/false", "/nonexistent");
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, ErrorKind::environment);
}

}  // namespace
}  // namespace kforge
