#include "kforge/cli/config.hpp"

#include <gtest/gtest.h>

#include "kforge/cli/commands.hpp"
#include "kforge/cli/invocation.hpp"

namespace kforge {
namespace {

// A home and a project folder with a folder inside, and an Invocation in there.
class ConfigFiles : public testing::Test {
  protected:
    void SetUp() override {
        auto folder = TemporaryDirectory::create(fs::temp_directory_path(), "kforge-config-");
        ASSERT_TRUE(folder.ok());
        m_folder.emplace(std::move(folder).value());
        m_root = fs::canonical(m_folder->path());
        m_environment.config_home = m_root / "home" / ".config";
        fs::create_directories(m_root / "project" / "inner");
    }

    void write(const fs::path& path, const std::string& text) {
        ASSERT_TRUE(write_file_durable(m_root / path, text).ok());
    }

    Invocation invocation(std::vector<std::string> words, const fs::path& directory = "project") {
        static const std::vector<Command> table = {
            {.name = "run", .summary = "", .setting_groups = all_setting_groups(), .run = nullptr}};
        words.insert(words.begin(), "run");
        auto arguments = parse_arguments(table, words);
        EXPECT_TRUE(arguments.ok());
        return Invocation(*arguments, m_environment, m_root / directory);
    }

    std::string failure(Invocation&& invocation) {
        try {
            invocation.config();
        } catch (const Fatal& error) {
            EXPECT_EQ(error.code(), ExitCode::usage);
            return error.what();
        }
        return "";
    }

    std::optional<TemporaryDirectory> m_folder;
    fs::path m_root;
    UserEnvironment m_environment;
};

const fs::path k_user = "home/.config/kforge/kforge.toml";

TEST_F(ConfigFiles, CommandLineBeatsProjectBeatsUserBeatsDefault) {
    write(k_user, "iterations = 2\nsamples = 2\nllm = \"user\"\nhook = [\"u\"]\naux = [\"u\"]\n");
    write("project/kforge.toml", "samples = 3\nllm = \"project\"\nhook = [\"p\"]\n");
    Invocation call = invocation({"--llm", "line"});
    const RunConfig& config = call.config();
    EXPECT_EQ(config.platform, RunConfig{}.platform);
    EXPECT_EQ(config.iterations, 2);
    EXPECT_EQ(config.samples, 3);
    EXPECT_EQ(config.llm, "line");
    EXPECT_EQ(config.hook, std::vector<std::string>{"p"});
    EXPECT_EQ(config.aux, std::vector<std::string>{"u"});
    ASSERT_EQ(call.config_files().size(), 2u);
    EXPECT_EQ(call.config_files()[1].path, m_root / "project" / "kforge.toml");
}

TEST_F(ConfigFiles, WithoutFilesTheDefaultsHold) {
    EXPECT_EQ(to_toml(invocation({}).config()), to_toml(RunConfig{}));
}

TEST_F(ConfigFiles, TheNearestParentIsTheProjectAndItsPathsAreItsOwn) {
    write("kforge.toml", "iterations = 9\n");
    write("project/kforge.toml", "problem = \"mine.py\"\nout = \"results\"\n");
    write("project/mine.py", "");
    Invocation call = invocation({}, "project/inner");
    EXPECT_EQ(call.config().iterations, RunConfig{}.iterations);
    EXPECT_EQ(call.config().problem, m_root / "project" / "mine.py");
    EXPECT_EQ(call.config().out, m_root / "project" / "results");
    EXPECT_EQ(invocation({}).config().problem, "mine.py");  // in the folder itself it stays as written
}

TEST_F(ConfigFiles, ANamedFileReplacesTheProjectButNotTheUser) {
    write(k_user, "iterations = 2\n");
    write("project/kforge.toml", "samples = 3\n");
    write("project/other.toml", "parallel = 4\n");
    Invocation call = invocation({"--config", "other.toml"});
    EXPECT_EQ(call.config().iterations, 2);
    EXPECT_EQ(call.config().samples, 1);
    EXPECT_EQ(call.config().parallel, 4);
}

TEST_F(ConfigFiles, ANamedFileMustBeThere) {
    EXPECT_NE(failure(invocation({"--config", "absent.toml"})).find("absent.toml"), std::string::npos);
}

TEST_F(ConfigFiles, AnErrorInAFileNamesTheFileAndLine) {
    write("project/kforge.toml", "\nitertions = 3\n");
    EXPECT_EQ(failure(invocation({})), (m_root / "project/kforge.toml").string() +
                                           ":2: unknown key 'itertions': did you mean 'iterations'?");
}

TEST_F(ConfigFiles, ProgramsAreFoundInPathOnlyWhenExecutable) {
    write("a/tool", "");
    write("b/tool", "");
    fs::permissions(m_root / "b/tool", fs::perms::owner_exec, fs::perm_options::add);
    m_environment.path = (m_root / "a").string() + "::" + (m_root / "b").string();
    EXPECT_EQ(m_environment.find_program("tool"), m_root / "b" / "tool");
    EXPECT_EQ(m_environment.find_program("absent"), std::nullopt);
    EXPECT_EQ(m_environment.find_program((m_root / "a/tool").string()), std::nullopt);
    EXPECT_EQ(m_environment.find_program((m_root / "b/tool").string()), m_root / "b" / "tool");
}

// Sets variables for one test and puts them back.
class Variables {
  public:
    explicit Variables(std::vector<std::pair<const char*, const char*>> values) {
        for (const auto& [name, value] : values) {
            const char* old = std::getenv(name);
            m_old.emplace_back(name, old ? std::optional<std::string>(old) : std::nullopt);
            value ? ::setenv(name, value, 1) : ::unsetenv(name);
        }
    }
    ~Variables() {
        for (const auto& [name, value] : m_old) value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
    }

  private:
    std::vector<std::pair<const char*, std::optional<std::string>>> m_old;
};

TEST(UserEnvironmentTest, ReadsTheXdgFoldersAndIgnoresRelativeOnes) {
    const Variables variables({{"HOME", "/home/me"},
                               {"XDG_CONFIG_HOME", "/else/config"},
                               {"XDG_DATA_HOME", "relative"},
                               {"XDG_CACHE_HOME", nullptr},
                               {"TMPDIR", nullptr},
                               {"LC_ALL", "C"},
                               {"LANG", "en_US.UTF-8"},
                               {"NO_COLOR", "1"}});
    const UserEnvironment environment = UserEnvironment::read();
    EXPECT_EQ(environment.config_home, "/else/config");
    EXPECT_EQ(environment.data_home, "/home/me/.local/share");
    EXPECT_EQ(environment.cache_home, "/home/me/.cache");
    EXPECT_EQ(environment.temporary, "/tmp");
    EXPECT_TRUE(environment.no_color);
    EXPECT_FALSE(environment.utf8);  // LC_ALL counts before LANG
}

TEST(UserEnvironmentTest, WithoutAHomeThereAreNoUserFolders) {
    const Variables variables({{"HOME", nullptr}, {"XDG_CONFIG_HOME", nullptr}, {"XDG_CACHE_HOME", nullptr}});
    EXPECT_TRUE(UserEnvironment::read().config_home.empty());
    EXPECT_TRUE(read_config_files(UserEnvironment::read(), "/", std::nullopt).ok());
}

}  // namespace
}  // namespace kforge
