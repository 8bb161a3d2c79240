#include "kforge/cli/commands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/cli/invocation.hpp"

namespace kforge {
namespace {

// Commands run in a folder of their own, with data of their own, as the program would run them.
class RealCommands : public testing::Test {
  protected:
    void SetUp() override {
        auto folder = TemporaryDirectory::create(fs::temp_directory_path(), "kforge-commands-");
        ASSERT_TRUE(folder.ok());
        m_folder.emplace(std::move(folder).value());
        m_root = fs::canonical(m_folder->path());
        m_environment.kforge_data = m_root / "data";
        fs::create_directories(m_root / "data" / "platforms");
        fs::create_directories(m_root / "work");
        write("data/problems/starter/01_chain.py", "\"\"\"A chain.\"\"\"\nimport torch\n");
    }

    void write(const fs::path& path, const std::string& text) {
        ASSERT_TRUE(write_file_durable(m_root / path, text).ok());
    }

    // Standard output; the exit code is left in m_code, a Fatal's message in m_error.
    std::string run(const std::vector<std::string>& words) {
        testing::internal::CaptureStdout();
        m_error.clear();
        try {
            Invocation invocation(require(parse_arguments(commands(), words)), m_environment,
                                  m_root / "work");
            m_code = invocation.command().run(invocation);
        } catch (const Fatal& error) {
            m_code = error.code();
            m_error = error.what();
        }
        return testing::internal::GetCapturedStdout();
    }

    nlohmann::json run_json(std::vector<std::string> words) {
        words.push_back("--json");
        return nlohmann::json::parse(run(words), nullptr, false);
    }

    std::optional<TemporaryDirectory> m_folder;
    fs::path m_root;
    UserEnvironment m_environment;
    ExitCode m_code = ExitCode::ok;
    std::string m_error;
};

TEST_F(RealCommands, VersionSaysTheSameToPeopleAndPrograms) {
    EXPECT_EQ(run({"--version"}), "kforge " + run_json({"version"})["version"].get<std::string>() + "\n");
}

TEST_F(RealCommands, HelpOfAnUnknownCommandNamesTheNearest) {
    run({"help", "docter"});
    EXPECT_EQ(m_code, ExitCode::usage);
    EXPECT_EQ(m_error, "there is no command 'docter': did you mean 'doctor'?");
}

TEST_F(RealCommands, InitWritesAFileOfDefaultsAndNeverOverwrites) {
    run({"init"});
    EXPECT_EQ(m_code, ExitCode::ok);
    const std::string text = require(read_file(m_root / "work" / "kforge.toml"));
    EXPECT_NE(text.find("\n#iterations = 5\n"), std::string::npos);
    write("work/kforge.toml", "iterations = 3\n");
    run({"init"});
    EXPECT_EQ(m_code, ExitCode::usage);
    EXPECT_NE(m_error.find("is already there"), std::string::npos);
    EXPECT_EQ(require(read_file(m_root / "work" / "kforge.toml")), "iterations = 3\n");
}

TEST_F(RealCommands, ProblemsAreListedAndShown) {
    EXPECT_EQ(run({"problems"}), "problem           what it computes\nstarter/01_chain  A chain.\n");
    const nlohmann::json list = run_json({"problems"});
    ASSERT_EQ(list["problems"].size(), 1u);
    EXPECT_EQ(list["problems"][0]["summary"], "A chain.");
    EXPECT_EQ(run({"problems", "show", "chain"}), "\"\"\"A chain.\"\"\"\nimport torch\n");
    EXPECT_EQ(run_json({"problems", "show", "1"})["path"],
              (m_root / "data/problems/starter/01_chain.py").string());
    run({"problems", "show", "chian"});
    EXPECT_EQ(m_code, ExitCode::usage);
    EXPECT_NE(m_error.find("did you mean 'chain'?"), std::string::npos);
}

TEST_F(RealCommands, ShowNeedsItsWordAndAName) {
    run({"problems", "chain"});
    EXPECT_EQ(m_code, ExitCode::usage);
    run({"llms", "show"});
    EXPECT_EQ(m_code, ExitCode::usage);
}

TEST_F(RealCommands, LlmsOfTheConfigurationAreListedAndShown) {
    write("work/kforge.toml", "[llms.mine]\nprovider = \"command\"\ncommand = [\"./answer\"]\n");
    const nlohmann::json list = run_json({"llms"});
    EXPECT_TRUE(std::any_of(list["llms"].begin(), list["llms"].end(),
                            [](const nlohmann::json& llm) { return llm["name"] == "mine"; }));
    EXPECT_EQ(run_json({"llms", "show", "mine"})["provider"], "command");
    EXPECT_NE(run({"llms"}).find("mine"), std::string::npos);
    run({"llms", "show", "mime"});
    EXPECT_EQ(m_code, ExitCode::usage);
}

TEST_F(RealCommands, PlatformsSayWhatWasFoundAndWhatIsMissing) {
    const std::string toml = R"([platform]
title = "A target"
vendor = "nobody"
dialect = "cpp"
device = "cpu"
language = "C++"
profilers = ["torch"]
[detect]
commands = [["COMMAND"]]
hint = "Install it."
)";
    for (const auto& [name, command] : {std::pair("here", "true"), std::pair("absent", "no-such-program")}) {
        std::string text = toml;
        text.replace(text.find("COMMAND"), 7, command);
        const fs::path folder = fs::path("data/platforms") / name;
        write(folder / "platform.toml", text);
        write(folder / "guide.md", "How to write for it.\n");
        write(folder / "example/reference.py", "pass\n");
        write(folder / "example/kernel.py", "pass\n");
    }
    const nlohmann::json list = run_json({"platforms"});
    ASSERT_EQ(m_error, "");
    ASSERT_EQ(list["platforms"].size(), 2u);
    EXPECT_EQ(list["platforms"][0]["name"], "absent");
    EXPECT_EQ(list["platforms"][0]["usable"], false);
    EXPECT_NE(list["platforms"][0]["hint"].get<std::string>().find("Install it."), std::string::npos);
    EXPECT_EQ(list["platforms"][1]["usable"], true);
    EXPECT_NE(run({"platforms", "show", "here"}).find("How to write for it."), std::string::npos);
    run({"platforms", "show", "nowhere"});
    EXPECT_EQ(m_code, ExitCode::usage);
}

}  // namespace
}  // namespace kforge
