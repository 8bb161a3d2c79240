#include "kforge/cli/paths.hpp"

#include <gtest/gtest.h>

#include "kforge/cli/health.hpp"

namespace kforge {
namespace {

class Paths : public testing::Test {
  protected:
    void SetUp() override {
        auto folder = TemporaryDirectory::create(fs::temp_directory_path(), "kforge-paths-");
        ASSERT_TRUE(folder.ok());
        m_folder.emplace(std::move(folder).value());
        m_root = m_folder->path();
        m_executable = m_root / "usr" / "bin" / "kforge";
        m_environment.data_home = m_root / "share";
        m_environment.cache_home = m_root / "cache";
    }

    void make_program(const fs::path& path) {
        ASSERT_TRUE(write_file_durable(m_root / path, "#!/bin/sh\n").ok());
        fs::permissions(m_root / path, fs::perms::owner_exec, fs::perm_options::add);
    }

    PythonChoice python(const std::string& configured = "") {
        const auto choice = find_python(m_environment, configured, m_executable);
        EXPECT_TRUE(choice.ok()) << choice.error().message;
        return choice.ok() ? *choice : PythonChoice{};
    }

    std::optional<TemporaryDirectory> m_folder;
    fs::path m_root;
    fs::path m_executable;
    UserEnvironment m_environment;
};

TEST_F(Paths, DataIsWhereTheVariableSays) {
    fs::create_directories(m_root / "named" / "platforms");
    fs::create_directories(m_root / "usr/share/kforge/platforms");
    m_environment.kforge_data = m_root / "named";
    const auto data = find_data(m_environment, m_executable);
    ASSERT_TRUE(data.ok());
    EXPECT_EQ(data->prompts, m_root / "named" / "prompts");
    EXPECT_EQ(data->platform_roots,
              (std::vector<fs::path>{m_root / "share/kforge/platforms", m_root / "named/platforms"}));
    EXPECT_EQ(data->problem_roots.front(), m_root / "share/kforge/problems");
    EXPECT_EQ(data->cache, m_root / "cache" / "kforge");
}

TEST_F(Paths, DataIsBesideAnInstalledExecutable) {
    fs::create_directories(m_root / "usr/share/kforge/platforms");
    EXPECT_EQ(find_data(m_environment, m_executable)->root, m_root / "usr/share/kforge");
}

TEST_F(Paths, DataIsAboveTheBuildFolderOfACheckout) {
    fs::create_directories(m_root / "usr/platforms");
    EXPECT_EQ(find_data(m_environment, m_executable)->root, m_root / "usr");
}

TEST_F(Paths, AnExecutableThatLostItsDataSaysWhereItLooked) {
    const auto data = find_data(m_environment, m_executable);
    ASSERT_FALSE(data.ok());
    EXPECT_EQ(data.error().kind, ErrorKind::environment);
    EXPECT_NE(data.error().message.find((m_root / "usr/share/kforge").string()), std::string::npos);
}

TEST_F(Paths, AVariableThatNamesNoDataIsTheUsersToMend) {
    m_environment.kforge_data = m_root;
    const auto data = find_data(m_environment, m_executable);
    ASSERT_FALSE(data.ok());
    EXPECT_EQ(data.error().kind, ErrorKind::environment);
    EXPECT_NE(data.error().message.find("KFORGE_DATA"), std::string::npos);
}

TEST_F(Paths, WithoutAHomeTheCacheIsTemporaryAndOnesOwn) {
    fs::create_directories(m_root / "usr/share/kforge/platforms");
    m_environment.cache_home.clear();
    m_environment.temporary = m_root;
    EXPECT_EQ(find_data(m_environment, m_executable)->cache.parent_path(), m_root);
}

TEST_F(Paths, PythonIsFoundInTheOrderOfTheDocumentation) {
    for (const char* name :
         {"bin/python3", "usr/.venv/bin/python", "active/bin/python", "variable", "option"})
        make_program(name);
    m_environment.path = m_root / "bin";
    m_environment.virtual_env = m_root / "active";
    m_environment.kforge_python = m_root / "variable";
    EXPECT_EQ(python((m_root / "option").string()).program, m_root / "option");
    EXPECT_EQ(python().program, m_root / "variable");
    m_environment.kforge_python.clear();
    EXPECT_EQ(python().program, m_root / "active/bin/python");
    m_environment.virtual_env.clear();
    EXPECT_EQ(python().program, m_root / "usr/.venv/bin/python");
    EXPECT_EQ(python("python3").program, m_root / "bin/python3");
}

TEST_F(Paths, APythonThatIsNamedMustBeThere) {
    const auto choice = find_python(m_environment, "/nowhere/python", m_executable);
    ASSERT_FALSE(choice.ok());
    EXPECT_EQ(choice.error().kind, ErrorKind::environment);
    EXPECT_NE(choice.error().message.find("/nowhere/python"), std::string::npos);
}

TEST_F(Paths, AProgramThatIsNoPythonIsReported) {
    EXPECT_NE(check_python("/bin/true").failure, "");
    EXPECT_NE(check_python("/bin/false").failure.find("exit status 1"), std::string::npos);
    EXPECT_NE(check_python(m_root / "absent").failure, "");
}

Check named(const std::vector<Check>& checks, const std::string& name) {
    for (const Check& check : checks)
        if (check.name == name) return check;
    ADD_FAILURE() << "no check " << name;
    return {};
}

PythonReport good_report() {
    PythonReport report;
    report.version = "3.11.2";
    report.supported = true;
    report.torch = "2.13.0+cpu";
    report.jinja2 = "3.1.6";
    report.numpy = "2.0.1";
    report.headers = "/usr/include/python3.11";
    return report;
}

TEST(Health, AGoodPythonIsHealthy) {
    EXPECT_TRUE(is_healthy(judge_python({"/py", "PATH"}, good_report())));
}

TEST(Health, WhatIsMissingComesWithTheCommandThatMendsIt) {
    PythonReport report = good_report();
    report.torch = "";
    report.torch_failure = "ModuleNotFoundError: No module named 'torch'";
    report.jinja2 = "";
    report.headers = "";
    const auto checks = judge_python({"/py", "PATH"}, report);
    EXPECT_FALSE(is_healthy(checks));
    EXPECT_EQ(named(checks, "torch").detail, report.torch_failure);
    EXPECT_EQ(named(checks, "torch").mend, "/py -m pip install torch");
    EXPECT_EQ(named(checks, "jinja2").mend, "/py -m pip install jinja2");
    EXPECT_EQ(named(checks, "numpy").health, Health::ok);
    EXPECT_EQ(named(checks, "Python.h").health, Health::weak);
}

TEST(Health, OldVersionsAreNotEnough) {
    PythonReport report = good_report();
    report.torch = "2.5.1";
    EXPECT_EQ(named(judge_python({"/py", "PATH"}, report), "torch").health, Health::missing);
    report.torch = "2.10.0";
    EXPECT_EQ(named(judge_python({"/py", "PATH"}, report), "torch").health, Health::ok);
    report.supported = false;
    EXPECT_EQ(named(judge_python({"/py", "PATH"}, report), "Python").health, Health::missing);
}

TEST(Health, APythonThatDoesNotAnswerIsOneFinding) {
    PythonReport report;
    report.failure = "exit status 1";
    const auto checks = judge_python({"/py", "PATH"}, report);
    ASSERT_EQ(checks.size(), 1u);
    EXPECT_EQ(checks[0].health, Health::missing);
}

TEST(Health, WeakIsStillHealthy) {
    EXPECT_TRUE(is_healthy({{"Landlock", Health::weak, "", ""}}));
    EXPECT_FALSE(is_healthy({{"torch", Health::missing, "", ""}}));
}

TEST(ShownPath, IsRelativeInsideTheWorkingDirectoryOnly) {
    EXPECT_EQ(shown_path("/home/me/runs/1", "/home/me"), "runs/1");
    EXPECT_EQ(shown_path("/home/other/runs/1", "/home/me"), "/home/other/runs/1");
    EXPECT_EQ(shown_path("runs/1", "/home/me"), "runs/1");
}

}  // namespace
}  // namespace kforge
