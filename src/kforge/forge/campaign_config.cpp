#include "kforge/forge/campaign_config.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <limits>
#include <set>

#include "kforge/forge/settings_toml.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using settings_toml::config_error;

constexpr long k_any = std::numeric_limits<long>::max();
// What the axes of a campaign decide: no setting of its runs.
const std::vector<std::string> k_axes = {"problem", "platform", "llm", "out"};

bool is_axis(std::string_view key) {
    return std::find(k_axes.begin(), k_axes.end(), key) != k_axes.end();
}

struct Place {
    const std::string& origin;
    const fs::path& folder;
};

Error wrong(const Place& place, const toml::node& node, std::string_view key, std::string_view expected) {
    return config_error(place.origin, node.source(), fmt::format("{} must be {}", key, expected));
}

Result<void> read_text(const Place& place, std::string_view key, const toml::node& node, std::string& value) {
    if (!node.is_string()) return wrong(place, node, key, "text in quotes");
    value = node.as_string()->get();
    return {};
}

Result<void> read_texts(const Place& place, std::string_view key, const toml::node& node,
                        std::vector<std::string>& values) {
    const std::string_view expected = "a list of texts: [\"...\"]";
    if (!node.is_array()) return wrong(place, node, key, expected);
    values.clear();
    for (const toml::node& element : *node.as_array()) {
        if (!element.is_string() || element.as_string()->get().empty())
            return wrong(place, element, key, expected);
        values.push_back(element.as_string()->get());
    }
    return {};
}

Result<void> read_whole(const Place& place, std::string_view key, const toml::node& node, long least,
                        long most, long& value) {
    if (!node.is_integer() || node.as_integer()->get() < least || node.as_integer()->get() > most)
        return wrong(place, node, key,
                     most == k_any ? fmt::format("a whole number of at least {}", least)
                                   : fmt::format("a whole number from {} to {}", least, most));
    value = node.as_integer()->get();
    return {};
}

Result<void> read_number(const Place& place, std::string_view key, const toml::node& node, double& value) {
    const auto number = node.value<double>();
    if (!node.is_number() || !(*number >= 0)) return wrong(place, node, key, "a number of at least 0");
    value = *number;
    return {};
}

using Reader = Result<void> (*)(CampaignConfig&, const Place&, std::string_view, const toml::node&);
struct Key {
    std::string_view name;
    Reader read;
};
constexpr Key k_keys[] = {
    {"name", [](auto& c, auto& p, auto k, auto& n) { return read_text(p, k, n, c.name); }},
    {"out", [](auto& c, auto& p, auto k, auto& n) { return read_text(p, k, n, c.out); }},
    {"problems", [](auto& c, auto& p, auto k, auto& n) { return read_texts(p, k, n, c.problems); }},
    {"platforms", [](auto& c, auto& p, auto k, auto& n) { return read_texts(p, k, n, c.platforms); }},
    {"chain", [](auto& c, auto& p, auto k, auto& n) { return read_texts(p, k, n, c.chain); }},
    {"llms", [](auto& c, auto& p, auto k, auto& n) { return read_texts(p, k, n, c.llms); }},
    {"jobs",
     [](auto& c, auto& p, auto k, auto& n) -> Result<void> {
         long jobs = 1;
         TRY(read_whole(p, k, n, 1, k_most_jobs, jobs));
         c.jobs = static_cast<int>(jobs);
         return {};
     }},
    {"budget_usd", [](auto& c, auto& p, auto k, auto& n) { return read_number(p, k, n, c.caps.usd); }},
    {"budget_tokens",
     [](auto& c, auto& p, auto k, auto& n) { return read_whole(p, k, n, 0, k_any, c.caps.tokens); }},
    {"budget_calls",
     [](auto& c, auto& p, auto k, auto& n) { return read_whole(p, k, n, 0, k_any, c.caps.calls); }},
    {"budget_minutes",
     [](auto& c, auto& p, auto k, auto& n) { return read_number(p, k, n, c.caps.minutes); }},
};

Result<void> read_keys(CampaignConfig& campaign, const Place& place, const toml::table& table) {
    std::vector<std::string> known;
    for (const Key& key : k_keys) known.emplace_back(key.name);
    for (const auto& [name, node] : table) {
        const auto key = std::find_if(std::begin(k_keys), std::end(k_keys),
                                      [&](const Key& each) { return each.name == name.str(); });
        if (key != std::end(k_keys)) {
            TRY(key->read(campaign, place, key->name, node));
            continue;
        }
        const std::string near = nearest(name.str(), known);
        std::string message = fmt::format("unknown key '{}' in [campaign]: ", name.str());
        if (find_setting(name.str()) != nullptr && !is_axis(name.str()))
            message += "a setting of runs stands in [run]";
        else
            message +=
                near.empty() ? "the keys are " + join(known, ", ") : fmt::format("did you mean '{}'?", near);
        return config_error(place.origin, name.source(), message);
    }
    return {};
}

Result<void> read_run(CampaignConfig& campaign, const Place& place, const toml::table& table) {
    for (const auto& [key, node] : table) {
        if (is_axis(key.str()))
            return config_error(
                place.origin, key.source(),
                fmt::format(
                    "{0} is no setting for all runs: name problems, platforms, llms and out in [campaign]",
                    key.str()));
        TRY(settings_toml::apply(campaign.run, key, node, place.origin, place.folder));
    }
    return {};
}

Result<void> read_override(CampaignConfig& campaign, const Place& place, const toml::table& table) {
    CampaignOverride part;
    for (const auto& [key, node] : table) {
        std::string* pattern = key.str() == "problem"    ? &part.problem
                               : key.str() == "platform" ? &part.platform
                               : key.str() == "llm"      ? &part.llm
                                                         : nullptr;
        if (pattern != nullptr) {
            TRY(read_text(place, key.str(), node, *pattern));
            continue;
        }
        if (key.str() == "out")
            return config_error(place.origin, key.source(), "out is the campaign's: it stands in [campaign]");
        TRY(settings_toml::apply(part.values, key, node, place.origin, place.folder));
        part.keys.emplace_back(key.str());
    }
    if (part.problem.empty() && part.platform.empty() && part.llm.empty())
        return config_error(
            place.origin, table.source(),
            "[[override]] names no runs: give problem, platform or llm (patterns), or use [run]");
    campaign.overrides.push_back(std::move(part));
    return {};
}

Result<void> check_whole(const CampaignConfig& campaign, const std::string& origin) {
    const auto missing = [&](std::string_view key, std::string_view what) {
        return Error{ErrorKind::config,
                     fmt::format("{}: [campaign] names no {}: {} = [\"...\"]", origin, what, key)};
    };
    if (campaign.problems.empty()) return missing("problems", "problem");
    if (campaign.llms.empty()) return missing("llms", "LLM");
    std::set<std::string> seen;
    for (const auto* list : {&campaign.platforms, &campaign.chain})
        for (const std::string& platform : *list)
            if (!seen.insert(platform).second)
                return Error{ErrorKind::config,
                             fmt::format("{}: the platform '{}' is named twice", origin, platform)};
    seen.clear();
    for (const std::string& llm : campaign.llms)
        if (!seen.insert(llm).second)
            return Error{ErrorKind::config, fmt::format("{}: the LLM '{}' is named twice", origin, llm)};
    return {};
}

void write_settings(std::string& out, const RunConfig& values, const std::vector<std::string>* keys) {
    for (const Setting& setting : run_settings()) {
        if (keys != nullptr ? std::find(keys->begin(), keys->end(), setting.key) == keys->end()
                            : is_axis(setting.key))
            continue;
        out += fmt::format("{} = {}\n", setting.key, settings_toml::value_of(setting, values));
    }
}

}  // namespace

std::vector<std::string> campaign_tables() {
    return {"campaign", "run", "override", "llms"};
}

Result<CampaignConfig> read_campaign(const std::string& toml_text, const std::string& origin,
                                     const fs::path& folder, const RunConfig& defaults) {
    TRY_ASSIGN(const toml::table root, settings_toml::parse(toml_text, origin));
    const Place place{origin, folder};
    CampaignConfig campaign;
    campaign.run = defaults;
    for (const auto& [key, node] : root) {
        const std::string_view name = key.str();
        if (name == "llms" || name == "guard") continue;
        if (name == "override") {
            const toml::array* parts = node.as_array();
            for (size_t i = 0; parts != nullptr && i < parts->size(); ++i) {
                if (!(*parts)[i].is_table()) return wrong(place, (*parts)[i], name, "tables: [[override]]");
                TRY(read_override(campaign, place, *(*parts)[i].as_table()));
            }
            if (parts == nullptr) return wrong(place, node, name, "tables: [[override]]");
            continue;
        }
        if (name != "campaign" && name != "run") {
            std::vector<std::string> known = campaign_tables();
            known.emplace_back("guard");
            const std::string near = nearest(name, known);
            return config_error(
                origin, key.source(),
                find_setting(name) != nullptr
                    ? fmt::format("'{}' stands in no table: a setting of runs belongs to [run]", name)
                : near.empty() ? fmt::format("unknown key '{}': the tables are {}", name, join(known, ", "))
                               : fmt::format("unknown key '{}': did you mean '{}'?", name, near));
        }
        if (!node.is_table()) return wrong(place, node, name, fmt::format("a table: [{}]", name));
        TRY(name == "run" ? read_run(campaign, place, *node.as_table())
                          : read_keys(campaign, place, *node.as_table()));
    }
    if (campaign.platforms.empty() && campaign.chain.empty()) campaign.platforms = {defaults.platform};
    if (campaign.llms.empty() && !defaults.llm.empty()) campaign.llms = {defaults.llm};
    TRY(check_whole(campaign, origin));
    return campaign;
}

std::string to_toml(const CampaignConfig& campaign) {
    using settings_toml::list_of;
    using settings_toml::text_of;
    std::string out = fmt::format(
        "[campaign]\nname = {}\nproblems = {}\nplatforms = {}\nchain = {}\nllms = {}\njobs = {}\n"
        "budget_usd = {}\nbudget_tokens = {}\nbudget_calls = {}\nbudget_minutes = {}\n\n[run]\n",
        text_of(campaign.name), list_of(campaign.problems), list_of(campaign.platforms),
        list_of(campaign.chain), list_of(campaign.llms), campaign.jobs, campaign.caps.usd,
        campaign.caps.tokens, campaign.caps.calls, campaign.caps.minutes);
    write_settings(out, campaign.run, nullptr);
    for (const CampaignOverride& part : campaign.overrides) {
        out += "\n[[override]]\n";
        if (!part.problem.empty()) out += fmt::format("problem = {}\n", text_of(part.problem));
        if (!part.platform.empty()) out += fmt::format("platform = {}\n", text_of(part.platform));
        if (!part.llm.empty()) out += fmt::format("llm = {}\n", text_of(part.llm));
        write_settings(out, part.values, &part.keys);
    }
    return out;
}

bool fits_pattern(const std::string& pattern, const std::string& name) {
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

RunConfig settings_for(const CampaignConfig& campaign, const std::string& problem,
                       const std::string& platform, const std::string& llm) {
    const auto fits = [](const std::string& pattern, const std::string& name) {
        return pattern.empty() || fits_pattern(pattern, name);
    };
    RunConfig config = campaign.run;
    for (const CampaignOverride& part : campaign.overrides) {
        const bool this_problem =
            fits(part.problem, problem) || fits(part.problem, fs::path(problem).stem().string());
        if (!this_problem || !fits(part.platform, platform) || !fits(part.llm, llm)) continue;
        for (const std::string& key : part.keys) {
            const Setting& setting = *find_setting(key);
            if (setting.clear) setting.clear(config);
            // These values were accepted when the file was read.
            for (const std::string& value : setting.get(part.values)) (void)setting.set(config, value);
        }
    }
    config.problem = problem;
    config.platform = platform;
    config.llm = llm;
    config.out.clear();
    return config;
}

}  // namespace kforge
