#include "kforge/forge/run_config.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace kforge {
namespace {

// A value that differs from the default, per setting.
std::vector<std::string> other_values(const Setting& setting) {
    if (setting.key == "set") return {"SHRINK=32", "name=a=b"};
    if (!setting.choices.empty()) return {setting.choices.back()};
    switch (setting.kind) {
        case SettingKind::flag:
            return {"true"};
        case SettingKind::integer:
            return {"7"};
        case SettingKind::number:
            return {"12.25"};
        case SettingKind::text:
        case SettingKind::choice:
            return {"a \"quoted\" \\ text\nof two lines\t\x01 ü"};
        case SettingKind::list:
            return {"first, with a comma", "second \"one\"\n"};
    }
    return {};
}

RunConfig with_all_changed() {
    RunConfig config;
    for (const Setting& setting : run_settings()) {
        if (setting.clear) setting.clear(config);
        for (const std::string& value : other_values(setting)) EXPECT_TRUE(setting.set(config, value).ok());
    }
    return config;
}

std::string error_of(const std::string& toml) {
    RunConfig config;
    const auto done = apply_toml(config, toml, "kforge.toml");
    if (done.ok()) return "";
    EXPECT_EQ(done.error().kind, ErrorKind::config);
    return done.error().message;
}

TEST(RunSettings, KeysAndShortOptionsAreUnique) {
    std::set<std::string> keys;
    std::set<std::string> shorts;
    for (const Setting& setting : run_settings()) {
        EXPECT_TRUE(keys.insert(setting.key).second) << setting.key;
        EXPECT_TRUE(setting.short_option.empty() || shorts.insert(setting.short_option).second)
            << setting.key;
        EXPECT_FALSE(setting.help.empty()) << setting.key;
        EXPECT_FALSE(setting.group.empty()) << setting.key;
        EXPECT_EQ(static_cast<bool>(setting.clear), setting.kind == SettingKind::list) << setting.key;
    }
}

TEST(RunSettings, EveryValueIsReadBackAsItWasSet) {
    const RunConfig config = with_all_changed();
    for (const Setting& setting : run_settings())
        EXPECT_EQ(setting.get(config), other_values(setting)) << setting.key;
}

TEST(RunSettings, RequireSetsThePoliciesItNames) {
    RunConfig config;
    ASSERT_TRUE(find_setting("require")->set(config, "batch, kernels").ok());
    EXPECT_TRUE(config.policies.require_batch);
    EXPECT_FALSE(config.policies.require_strides);
    EXPECT_EQ(config.policies.kernels, Kernels::required);
}

TEST(RunSettings, BadValuesAreRefusedWithAReason) {
    const auto refusal = [](const char* key, const char* value) {
        RunConfig config;
        const auto done = find_setting(key)->set(config, value);
        EXPECT_FALSE(done.ok()) << key << " " << value;
        return done.ok() ? "" : done.error().message;
    };
    EXPECT_EQ(refusal("iterations", "3x"), "'3x' is not a whole number in range");
    EXPECT_EQ(refusal("iterations", "99999999999"), "'99999999999' is not a whole number in range");
    EXPECT_EQ(refusal("iterations", "0"), "0 is too small: it must be at least 1");
    EXPECT_EQ(refusal("time_limit_s", "0"), "0 is too small: it must be more than 0");
    EXPECT_EQ(refusal("time_limit_s", "inf"), "'inf' is not a number");
    EXPECT_EQ(refusal("budget_usd", "-1"), "-1 is too small: it must be at least 0");
    EXPECT_EQ(refusal("strategy", "refin"), "'refin' is not one of refine, single, sample");
    EXPECT_EQ(refusal("set", "SHRINK"), "'SHRINK' is not of the form NAME=VALUE");
    EXPECT_EQ(refusal("require", "batch,speed"), "'speed' is not one of batch, strides, kernels");
    EXPECT_NE(refusal("precision", "exact").find("strict, accurate, mixed"), std::string::npos);
}

TEST(RunToml, EverySettingRoundTrips) {
    const RunConfig config = with_all_changed();
    RunConfig read;
    const auto done = apply_toml(read, to_toml(config), "run.toml");
    ASSERT_TRUE(done.ok()) << done.error().message;
    for (const Setting& setting : run_settings())
        EXPECT_EQ(setting.get(read), setting.get(config)) << setting.key;
    EXPECT_EQ(to_toml(read), to_toml(config));
}

TEST(RunToml, TheDefaultsRoundTripAndAreComplete) {
    RunConfig read = with_all_changed();
    const std::string toml = to_toml(RunConfig{});
    ASSERT_TRUE(apply_toml(read, toml, "run.toml").ok());
    EXPECT_EQ(to_toml(read), toml);
    for (const Setting& setting : run_settings())
        EXPECT_NE(toml.find(setting.key + " = "), std::string::npos);
}

TEST(RunToml, NumbersKeepTheirExactValue) {
    RunConfig config;
    config.budget_usd = 0.1 + 0.2;
    RunConfig read;
    ASSERT_TRUE(apply_toml(read, to_toml(config), "run.toml").ok());
    EXPECT_EQ(read.budget_usd, config.budget_usd);
}

TEST(RunToml, AnUnknownKeyNamesFileLineAndTheNearestKey) {
    EXPECT_EQ(error_of("platform = \"cpu-cpp\"\n\niteratons = 3\n"),
              "kforge.toml:3: unknown key 'iteratons': did you mean 'iterations'?");
    EXPECT_EQ(error_of("analysis-llm = \"x\"\n"),
              "kforge.toml:1: unknown key 'analysis-llm': did you mean 'analysis_llm'?");
    EXPECT_EQ(error_of("zzzzzzzzzz = 3\n"),
              "kforge.toml:1: unknown key 'zzzzzzzzzz': kforge init writes a file with all keys");
}

TEST(RunToml, AValueOfTheWrongTypeSaysWhatIsWanted) {
    EXPECT_EQ(error_of("iterations = \"3\""), "kforge.toml:1: iterations must be a whole number");
    EXPECT_EQ(error_of("iterations = 3.5"), "kforge.toml:1: iterations must be a whole number");
    EXPECT_EQ(error_of("rank_by_hook = 1"), "kforge.toml:1: rank_by_hook must be true or false");
    EXPECT_EQ(error_of("platform = 1"), "kforge.toml:1: platform must be text in quotes");
    EXPECT_EQ(error_of("require = \"batch\""), "kforge.toml:1: require must be a list of texts: [\"...\"]");
    EXPECT_EQ(error_of("hook = [\n\"a\",\n3]"), "kforge.toml:3: hook must be a list of texts: [\"...\"]");
    EXPECT_EQ(error_of("time_limit_s = true"), "kforge.toml:1: time_limit_s must be a number");
    EXPECT_EQ(error_of("\nweights = \"warm\""),
              "kforge.toml:2: weights: 'warm' is not a value of weights: use frozen, live");
}

TEST(RunToml, WhatIsNotTomlNamesTheLine) {
    EXPECT_EQ(error_of("iterations = 3\nplatform = \n").rfind("kforge.toml:2: ", 0), 0u);
}

TEST(RunToml, AWholeNumberIsGoodForANumber) {
    RunConfig config;
    ASSERT_TRUE(apply_toml(config, "time_limit_s = 90", "kforge.toml").ok());
    EXPECT_EQ(config.time_limit_s, 90);
}

TEST(RunToml, TablesOfOtherModulesAreSkipped) {
    EXPECT_EQ(error_of("iterations = 3\n[llms.mine]\nprovider = \"command\"\n[[guard]]\nname = \"x\"\n"), "");
}

TEST(RunToml, ListsOfALaterFileReplaceThoseOfAnEarlierOne) {
    RunConfig config;
    ASSERT_TRUE(apply_toml(config, "hook = [\"a\", \"b\"]\nrequire = [\"batch\"]", "user").ok());
    ASSERT_TRUE(apply_toml(config, "hook = [\"c\"]\nrequire = []\nbaselines = [\"eager\"]", "project").ok());
    EXPECT_EQ(config.hook, std::vector<std::string>{"c"});
    EXPECT_FALSE(config.policies.require_batch);
    EXPECT_EQ(config.baselines, std::vector<std::string>{"eager"});
}

TEST(RunToml, PathsAreRelativeToTheFileThatNamesThem) {
    const auto folder = TemporaryDirectory::create(fs::temp_directory_path(), "kforge-config-");
    ASSERT_TRUE(folder.ok());
    const fs::path root = folder->path();
    for (const char* name : {"mine.py", "kernel.cu", "extra@2", "note.md"})
        ASSERT_TRUE(write_file_durable(root / name, "x").ok());
    RunConfig config;
    ASSERT_TRUE(apply_toml(config, R"(
problem = "mine.py"
platform = "mine.py"
reference_kernel = ["kernel.cu:nvidia-cuda", "/abs/kernel.cu"]
aux = ["extra@2", "note.md@2-4", "absent"]
prompt_append = ["@note.md@3", "note.md"]
out = "results"
python = "python3"
)",
                           "kforge.toml", root)
                    .ok());
    EXPECT_EQ(config.problem, root / "mine.py");
    EXPECT_EQ(config.platform, "mine.py");
    EXPECT_EQ(config.reference_kernel,
              (std::vector<std::string>{(root / "kernel.cu").string() + ":nvidia-cuda", "/abs/kernel.cu"}));
    EXPECT_EQ(config.aux,
              (std::vector<std::string>{root / "extra@2", (root / "note.md").string() + "@2-4", "absent"}));
    EXPECT_EQ(config.prompt_append,
              (std::vector<std::string>{"@" + (root / "note.md").string() + "@3", "note.md"}));
    EXPECT_EQ(config.out, root / "results");
    EXPECT_EQ(config.python, "python3");
}

TEST(RunToml, TheTemplateHoldsEveryKeyAndIsValidOnceUncommented) {
    const std::string text = toml_template();
    RunConfig config;
    ASSERT_TRUE(apply_toml(config, text, "kforge.toml").ok());
    EXPECT_EQ(to_toml(config), to_toml(RunConfig{}));
    std::string open;
    for (size_t i = 0; i < text.size(); ++i)
        if (!(text[i] == '#' && i + 1 < text.size() && text[i + 1] != ' ')) open += text[i];
    for (const Setting& setting : run_settings())
        EXPECT_NE(open.find("\n" + setting.key + " = "), std::string::npos);
    const auto done = apply_toml(config, open, "kforge.toml");
    EXPECT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(to_toml(config), to_toml(RunConfig{}));
}

std::string conflict_of(void (*change)(RunConfig&)) {
    RunConfig config;
    change(config);
    const auto done = check_conflicts(config);
    if (done.ok()) return "";
    EXPECT_EQ(done.error().kind, ErrorKind::usage);
    return done.error().message;
}

TEST(RunConflicts, TheDefaultsHaveNone) {
    EXPECT_EQ(conflict_of([](RunConfig&) {}), "");
}

TEST(RunConflicts, EachContradictionIsNamed) {
    const auto mentions = [](const std::string& message, const char* word) {
        EXPECT_NE(message.find(word), std::string::npos) << message;
    };
    mentions(conflict_of([](RunConfig& c) { c.strategy = "single", c.samples = 4; }), "samples");
    mentions(conflict_of([](RunConfig& c) { c.parallel = 4; }), "parallel");
    mentions(conflict_of([](RunConfig& c) { c.rank_by_hook = true; }), "rank_by_hook");
    mentions(conflict_of([](RunConfig& c) { c.baselines.clear(); }), "baselines");
    mentions(conflict_of([](RunConfig& c) { c.call_limit_s = 1000; }), "call_limit_s");
    mentions(conflict_of([](RunConfig& c) { c.timing_budget_s = 1000; }), "timing_budget_s");
    mentions(conflict_of([](RunConfig& c) { c.time_limit_s = -1; }), "time_limit_s: -1 is too small");
    mentions(conflict_of([](RunConfig& c) { c.iterations = 0; }), "iterations: 0 is too small");
    mentions(conflict_of([](RunConfig& c) { c.strategy = "luck"; }), "strategy: 'luck'");
    mentions(conflict_of([](RunConfig& c) { c.aux = {"code@5-2"}; }), "aux: ");
    mentions(conflict_of([](RunConfig& c) { c.prompt_append = {"text@0"}; }), "prompt_append: ");
    mentions(conflict_of([](RunConfig& c) { c.prompt_override = {"text@2,,3"}; }), "prompt_override: ");
    mentions(conflict_of([](RunConfig& c) { c.out = "runs/\xff"; }), "out: the value is not valid UTF-8");
}

TEST(RunConflicts, SamplingMayRunInParallel) {
    EXPECT_EQ(conflict_of([](RunConfig& c) { c.strategy = "sample", c.samples = 8, c.parallel = 4; }), "");
}

}  // namespace
}  // namespace kforge
