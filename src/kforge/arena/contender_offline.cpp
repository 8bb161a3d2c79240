// The part of Contender that is about checks without the platform's device.
#include "kforge/arena/contender.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_most_report_lines = 40;
constexpr size_t k_longest_report_line = 400;

}  // namespace

Result<Finding> Contender::prepare_check(const OfflineCheck& check) {
    const nlohmann::json settings = {{"targets", check.targets},
                                     {"command", check.command},
                                     {"options", check.options},
                                     {"shims", check.shims}};
    return ask({{"op", "prepare_check"},
                {"source", check.checker},
                {"name", check.checker_name},
                {"settings", settings}},
               "preparing the check", m_stage.spec().time_limit_s);
}

Result<Finding> Contender::try_out(CheckReport& report) {
    nlohmann::json reply;
    TRY_ASSIGN(const Finding found,
               ask_on_given({{"op", "try_out"}}, "running forward", m_stage.spec().time_limit_s, reply));
    if (found) return found;
    try {
        for (const nlohmann::json& line : reply.at("report"))
            if (report.lines.size() < k_most_report_lines)
                report.lines.push_back(
                    elide_middle(sanitize(line.get<std::string>()), k_longest_report_line));
        if (const nlohmann::json& tally = reply.at("tally"); !tally.is_null())
            report.tally = {tally.at(0).get<int64_t>(), tally.at(1).get<int64_t>()};
    } catch (const nlohmann::json::exception&) {
        return broken_protocol("running forward");
    }
    return Finding();
}

}  // namespace kforge
