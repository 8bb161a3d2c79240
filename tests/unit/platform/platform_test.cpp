#include "kforge/platform/platform.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace kforge {
namespace {

const std::string k_toml = R"([platform]
title = "A made-up device"
vendor = "nobody"
dialect = "runes"
device = "cpu"
language = "Runes"
profilers = ["torch", "eyes"]

[detect]
commands = [["true"], ["echo", "rune 1.0"]]
hint = "Carve some."

[[guard]]
name = "no-ogham"
pattern = "ogham"
why = "Wrong alphabet."
)";

class PlatformTest : public testing::Test {
  protected:
    fs::path add(const std::string& root, const std::string& name, const std::string& toml = k_toml) {
        const fs::path folder = m_folder.path() / root / name;
        write(folder / "platform.toml", toml);
        write(folder / "guide.md", "guide of " + name + " in " + root);
        write(folder / "example/reference.py", "reference");
        write(folder / "example/kernel.py", "kernel");
        return folder;
    }
    static void write(const fs::path& path, const std::string& text) {
        ASSERT_TRUE(write_file_durable(path, text).ok());
    }
    fs::path root(const std::string& name) const { return m_folder.path() / name; }

    TemporaryDirectory m_folder =
        std::move(TemporaryDirectory::create(fs::temp_directory_path(), "platform-test")).value();
};

std::string edit(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

TEST_F(PlatformTest, AFolderOfDataIsAPlatform) {
    const auto platform = load_platform(add("a", "nobody-runes"));
    ASSERT_TRUE(platform.ok()) << platform.error().message;
    const Platform& p = platform.value();
    EXPECT_EQ(p.name, "nobody-runes");
    EXPECT_EQ(p.title, "A made-up device");
    EXPECT_EQ(p.vendor, "nobody");
    EXPECT_EQ(p.dialect, "runes");
    EXPECT_EQ(p.device, "cpu");
    EXPECT_EQ(p.language, "Runes");
    EXPECT_EQ(p.profilers, (std::vector<std::string>{"torch", "eyes"}));
    ASSERT_EQ(p.detect.size(), 2u);
    EXPECT_EQ(p.detect[1].argv, (std::vector<std::string>{"echo", "rune 1.0"}));
    EXPECT_EQ(p.detect_hint, "Carve some.");
    ASSERT_EQ(p.guard.size(), 1u);
    EXPECT_EQ(p.guard[0].name, "no-ogham");
    EXPECT_EQ(p.guard[0].origin, "platform nobody-runes");
    EXPECT_EQ(p.guide, "guide of nobody-runes in a");
    EXPECT_EQ(p.example_reference, "reference");
    EXPECT_EQ(p.example_kernel, "kernel");
    EXPECT_EQ(p.folder, root("a") / "nobody-runes");
}

TEST_F(PlatformTest, MistakesAreConfigErrorsThatNameFileAndKey) {
    const struct {
        std::string from, to;
        std::vector<std::string> parts;
    } cases[] = {
        {"title =", "titel =", {"line 2", "'titel' in [platform]", "did you mean 'title'?"}},
        {"hint =", "hinnt =", {"'hinnt' in [detect]", "did you mean 'hint'?"}},
        {"[detect]", "[detct]", {"'detct'", "did you mean 'detect'?"}},
        {"[[guard]]", "[[guards]]", {"'guards'", "did you mean 'guard'?"}},
        {"pattern =", "patern =", {"'patern'", "did you mean 'pattern'?"}},
        {"vendor = \"nobody\"\n", "", {"'vendor' is missing"}},
        {"\"cpu\"", "3", {"line 5", "'device' needs a text"}},
        {"\"cpu\"", "\" \"", {"'device' needs a text"}},
        {"[\"torch\", \"eyes\"]", "\"torch\"", {"'profilers' needs a list"}},
        {"[[\"true\"], [\"echo\", \"rune 1.0\"]]", "[\"true\"]", {"line 10", "'commands'"}},
        {"[\"true\"],", "[],", {"empty command"}},
        {"[\"true\"],", "{ what = \"device\" },", {"either 'run' or 'script'"}},
        {"[\"true\"],",
         "{ what = \"device\", run = [\"true\"], script = \"a.py\" },",
         {"either 'run' or 'script'"}},
        {"commands =", "#", {"'commands'"}},
        {"[platform]", "[platform", {"line 1"}},
    };
    int number = 0;
    for (const auto& item : cases) {
        const std::string name = "p" + std::to_string(++number);
        const auto platform = load_platform(add("a", name, edit(k_toml, item.from, item.to)));
        ASSERT_FALSE(platform.ok()) << item.to;
        EXPECT_EQ(platform.error().kind, ErrorKind::config);
        const std::string& message = platform.error().message;
        EXPECT_NE(message.find(name + "/platform.toml"), std::string::npos) << message;
        for (const std::string& part : item.parts)
            EXPECT_NE(message.find(part), std::string::npos) << part << " in " << message;
    }
}

const std::string k_more = R"(
[[device]]
name = "Stone (?:of|at) .*"
memory_gbs = 1.5
l2_mb = 2
tflops = { fp32 = 3 }
facts = "2026-11"

[[check]]
name = "reading"
reason = "parsed"
hint = "Learn to read."
needs = [["true"], ["{python}", "there"]]
checker = "shared/reader.py"
targets = ["stone"]
command = ["read", "{source}"]
shims = { "runes.h" = "shared/runes.h" }
options = { errors = "expected" }
environment = { READING = "1" }
)";

TEST_F(PlatformTest, PartsMayBeSharedAndAreFoundInAnyRoot) {
    write(root("a") / "shared/reader.py", "reader");
    write(root("b") / "shared/look.py", "assert False, 'no stone'");
    write(root("b") / "shared/runes.h", "runes");
    write(root("b") / "shared/more.md", "more");
    write(root("b") / "shared/pair/reference.py", "shared reference");
    write(root("b") / "shared/pair/kernel.py", "shared kernel");
    write(root("b") / "shared/stones.toml",
          "[[device]]\nname = \"pebble\"\nmemory_gbs = 1\n"
          "tflops = { fp16 = 2 }\nfacts = \"now\"\n"
          "[access]\nfiles = [\"/dev/stone\"]\n"
          "[detect]\nhint = \"Look down.\"\ncommands = [[\"true\"]]\n");
    const std::string named =
        "guides = [\"shared/more.md\"]\nexample = \"shared/pair\"\nincludes = [\"shared/stones.toml\"]\n";
    const std::string script = "{ what = \"device\", script = \"shared/look.py\" }";
    add("a", "nobody-runes",
        edit(edit(k_toml, "[detect]", named + "[detect]"), "[\"true\"]", script) + k_more);
    const auto platform = find_platform({root("a"), root("b")}, "nobody-runes");
    ASSERT_TRUE(platform.ok()) << platform.error().message;
    EXPECT_EQ(platform->guide, "guide of nobody-runes in a\nmore");
    EXPECT_EQ(platform->example_kernel, "shared kernel");
    ASSERT_EQ(platform->devices.size(), 2u);
    EXPECT_EQ(platform->devices[1].name, "pebble");  // after its own
    ASSERT_EQ(platform->detect.size(), 3u);
    EXPECT_EQ(platform->detect[1].what, "device");  // after what is included
    EXPECT_EQ(platform->detect_hint, "Carve some.");
    ASSERT_TRUE(platform->access.has_value());
    EXPECT_EQ(platform->access->files, std::vector<std::string>{"/dev/stone"});
    ASSERT_EQ(platform->checks.size(), 1u);
    const OfflineCheck& check = platform->checks[0];
    EXPECT_EQ(check.checker, "reader");
    EXPECT_EQ(check.shims.at("runes.h"), "runes");
    EXPECT_EQ(check.targets, std::vector<std::string>{"stone"});
    EXPECT_EQ(check.options.at("errors"), "expected");
    EXPECT_EQ(check.environment.at("READING"), "1");
    EXPECT_EQ(load_platforms({root("a"), root("b")})->size(), 1u);  // "shared" is no platform
    EXPECT_EQ(detect(*platform).missing, "device: no stone");
    // {python} is replaced by what is named.
    EXPECT_TRUE(detect_checks(*platform, "echo")[0].available);
    const std::vector<CheckState> states = detect_checks(*platform, "no-such-python");
    EXPECT_FALSE(states[0].available);
    EXPECT_NE(states[0].missing.find("no-such-python"), std::string::npos) << states[0].missing;
    EXPECT_FALSE(load_platform(root("a") / "nobody-runes").ok());  // the parts in the other root are missing
}

TEST_F(PlatformTest, MistakesInDevicesAndChecksAreTold) {
    write(root("a") / "shared/reader.py", "reader");
    write(root("a") / "shared/runes.h", "runes");
    const struct {
        std::string from, to, part;
    } cases[] = {
        {"memory_gbs = 1.5", "memory_gbps = 1.5", "did you mean 'memory_gbs'?"},
        {"memory_gbs = 1.5", "", "'memory_gbs' is missing"},
        {"fp32 = 3", "fp32 = -3", "needs a number above 0"},
        {"{ fp32 = 3 }", "3", "'tflops' needs a table"},
        {"Stone (", "Stone ((", "no valid pattern"},
        {"\"parsed\"", "\"perfect\"", "'reason' can be interpreted, compiled, parsed"},
        {"checker = \"shared/reader.py\"", "", "'checker' is missing"},
        {"shared/reader.py", "shared/writer.py", "shared/writer.py"},
        {"[[check]]", "[check]", "[[check]]"},
    };
    for (const auto& item : cases) {
        const auto platform = load_platform(add("a", "x", k_toml + edit(k_more, item.from, item.to)));
        ASSERT_FALSE(platform.ok()) << item.to;
        EXPECT_NE(platform.error().message.find(item.part), std::string::npos) << platform.error().message;
    }
}

TEST_F(PlatformTest, TheDeviceIsKnownByItsNameAndAllThatIsMissingIsTold) {
    Platform platform;
    platform.detect = {{"device", {"echo", "A STONE of 3 feet"}, ""}, {"driver", {"echo", "4.5"}, ""}};
    platform.devices = {
        {"pebble", 1, 0, 0, {}, ""}, {"stone of", 2, 0, 0, {}, ""}, {"stone", 3, 0, 0, {}, ""}};
    const Detection there = detect(platform);
    ASSERT_TRUE(there.peaks != nullptr);
    EXPECT_EQ(there.peaks->memory_gbs, 2);
    EXPECT_EQ(there.found[1].what, "driver");
    EXPECT_EQ(to_text(there.found[1]), "driver: 4.5");

    platform.detect = {{"device", {"python3", "-c", "assert False, 'no stone'"}, "Find one."},
                       {"driver", {"python3", "-c", "assert 0, 'no stone'"}, "Drive."},
                       {"toolchain", {"python3", "-c", "assert False, 'no chisel'"}, "Buy one."}};
    const Detection absent = detect(platform);
    EXPECT_FALSE(absent.usable);
    EXPECT_EQ(absent.missing, "device: no stone; toolchain: no chisel");  // all, and each once
    EXPECT_EQ(absent.hint, "Find one. Buy one.");
    EXPECT_EQ(absent.peaks, nullptr);
}

TEST_F(PlatformTest, WhatIsOptionalIsToldApart) {
    Platform platform;
    platform.detect = {{"device", {"echo", "stone"}, ""},
                       {"polish", {"no-such-polish"}, "Buy some.", true},
                       {"brush", {"echo", "soft"}, "", true}};
    const Detection detection = detect(platform);
    EXPECT_TRUE(detection.usable);
    ASSERT_EQ(detection.found.size(), 1u);  // the prompt shows these
    const std::vector<Extra> extras = detect_extras(platform);
    ASSERT_EQ(extras.size(), 2u);
    EXPECT_FALSE(extras[0].found);
    EXPECT_EQ(extras[0].hint, "Buy some.");
    EXPECT_EQ(extras[1].text, "soft");
}

TEST_F(PlatformTest, AMissingPartIsNamed) {
    for (const char* part : {"platform.toml", "guide.md", "example/reference.py", "example/kernel.py"}) {
        const fs::path folder = add("a", "x");
        fs::remove(folder / part);
        const auto platform = load_platform(folder);
        ASSERT_FALSE(platform.ok());
        EXPECT_EQ(platform.error().kind, ErrorKind::config);
        EXPECT_NE(platform.error().message.find(part), std::string::npos) << platform.error().message;
    }
}

TEST_F(PlatformTest, AllAreLoadedSortedAndEarlierRootsWin) {
    add("a", "zeta");
    add("b", "zeta");
    add("b", "alpha");
    fs::create_directories(root("a") / ".git");
    write(root("a") / "README.md", "not a folder");
    const auto platforms = load_platforms({root("a"), root("absent"), root("b")});
    ASSERT_TRUE(platforms.ok()) << platforms.error().message;
    ASSERT_EQ(platforms.value().size(), 2u);
    EXPECT_EQ(platforms.value()[0].name, "alpha");
    EXPECT_EQ(platforms.value()[1].guide, "guide of zeta in a");
}

TEST_F(PlatformTest, ABrokenFolderIsAnErrorThatNamesIt) {
    add("a", "good");
    fs::create_directories(root("a") / "hollow");
    const auto platforms = load_platforms({root("a")});
    ASSERT_FALSE(platforms.ok());
    EXPECT_NE(platforms.error().message.find("hollow"), std::string::npos);
    add("b", "Loud");
    EXPECT_FALSE(load_platforms({root("b")}).ok());
}

TEST_F(PlatformTest, OneIsFoundByNameThoughAnotherIsBroken) {
    add("a", "good");
    fs::create_directories(root("a") / "hollow");
    EXPECT_TRUE(find_platform({root("a")}, "good").ok());
}

TEST_F(PlatformTest, AnUnknownNameIsAUsageErrorThatOffersTheRightOnes) {
    add("a", "nobody-runes");
    add("a", "somebody-script");
    for (const char* name : {"nobody-rune", "", "../a/nobody-runes"}) {
        const auto platform = find_platform({root("a")}, name);
        ASSERT_FALSE(platform.ok());
        EXPECT_EQ(platform.error().kind, ErrorKind::usage);
        EXPECT_NE(platform.error().message.find("there are: nobody-runes, somebody-script"),
                  std::string::npos);
    }
    EXPECT_NE(find_platform({root("a")}, "nobody-rune").error().message.find("did you mean 'nobody-runes'?"),
              std::string::npos);
    EXPECT_NE(find_platform({}, "x").error().message.find("none are installed"), std::string::npos);
}

TEST_F(PlatformTest, DetectionTellsWhatWasFound) {
    const auto platform = load_platform(add("a", "x"));
    const Detection detection = detect(platform.value());
    EXPECT_TRUE(detection.usable);
    ASSERT_EQ(detection.found.size(), 1u);
    EXPECT_EQ(detection.found[0].text, "rune 1.0");
    EXPECT_EQ(detection.missing, "");
}

TEST_F(PlatformTest, DetectionFindsPythonPackagesWhereEvaluationDoes) {
    write(root("a") / "runes_of_detection.py", "print('rune 2.0')");
    Platform platform;
    platform.detect = {{"", {"python3", "-c", "import runes_of_detection"}, ""}};
    const char* before = std::getenv("PYTHONPATH");
    const std::string kept = before == nullptr ? "" : before;
    ::setenv("PYTHONPATH", root("a").c_str(), 1);
    const Detection detection = detect(platform);
    before == nullptr ? ::unsetenv("PYTHONPATH") : ::setenv("PYTHONPATH", kept.c_str(), 1);
    ASSERT_TRUE(detection.usable) << detection.missing;
    EXPECT_EQ(detection.found[0].text, "rune 2.0");
}

TEST_F(PlatformTest, DetectionTellsWhatIsMissingAndHowToMendIt) {
    Platform platform;
    platform.detect = {{"", {"echo", "there"}, ""},
                       {"", {"no-such-program-here"}, ""},
                       {"", {"sh", "-c", "echo broken >&2; exit 3"}, ""}};
    platform.detect_hint = "Install it.";
    const Detection detection = detect(platform);
    EXPECT_FALSE(detection.usable);
    ASSERT_EQ(detection.found.size(), 1u);
    EXPECT_EQ(detection.found[0].text, "there");
    EXPECT_EQ(detection.hint, "Install it.");
    for (const char* part : {"no-such-program-here", "exit status 3: broken"})
        EXPECT_NE(detection.missing.find(part), std::string::npos) << part << " in " << detection.missing;
}

}  // namespace
}  // namespace kforge
